import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, it, mock } from 'node:test'
import { pino } from 'pino'
import { auditOf, eventOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { createMetrics, type Metrics } from '../../telemetry/metrics.ts'
import { createMaintenance, type Maintenance } from './maintenance.ts'
import { dayMs } from '../../timing/spans.ts'

const noon = Date.UTC(2027, 0, 10, 12)

let folder: string
let store: Store
let metrics: Metrics
let lines: Record<string, unknown>[]
beforeEach(async () => {
  mock.timers.enable({ apis: ['Date'], now: noon })
  folder = await mkdtemp(join(tmpdir(), 'sluice-maintenance-'))
  store = await openStore({ dataDir: folder })
  await store.ensureWorkspace({ id: 'acme', name: 'acme', createdAt: 1 }, auditOf({ at: noon }))
  metrics = createMetrics(() => undefined)
  lines = []
})
afterEach(async () => {
  await store.close()
  mock.timers.reset()
  await rm(folder, { recursive: true })
})

const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
const said = (): unknown[] => lines.map(({ msg }) => msg)

/** If a test sets the clock, time passes accordingly, unless `monotonicMs` says otherwise. */
const maintenanceOf = (storeBytesMax = 0, monotonicMs: () => number = () => Date.now()): Maintenance =>
  createMaintenance({ store, retention: { eventDays: 30, auditDays: 400, storeBytesMax }, log, metrics, monotonicMs })

const fill = (count: number): Promise<unknown> => {
  const events = Array.from({ length: count }, () =>
    eventOf({ receivedAt: Date.now(), sensorMetadata: { modelId: 'x'.repeat(500) } })
  )
  return store.append({ events, audit: [] })
}

async function value(name: string): Promise<number> {
  const line = (await metrics.render()).split('\n').find((text) => text.startsWith(name))
  return Number(line?.split(' ').at(-1))
}

const aheadMessage =
  'the clock is ahead of the time that retention knew; until that has lasted for a day retention goes by the old time'

it('drops nothing because the clock jumped ahead, and reports it', async () => {
  await fill(3)
  const maintenance = maintenanceOf(0, () => 0)
  await maintenance.run()
  mock.timers.setTime(Date.UTC(2099, 0, 1))
  await maintenance.run()
  mock.timers.setTime(noon)
  await maintenance.run()
  assert.equal((await store.findEvents({ workspaceId: 'acme', limit: 10 })).rows.length, 3)
  assert.deepEqual(said(), [aheadMessage])
})

it('saves the time by which it goes before it drops anything', async () => {
  const done: string[] = []
  const watched = {
    getMeta: (key: string) => store.getMeta(key),
    putMeta: async (key: string, text: string) => {
      await store.putMeta(key, text)
      done.push('saved')
    },
    maintain: async () => {
      done.push('dropped')
      throw new Error('the process ends here')
    }
  }
  const retention = { eventDays: 30, auditDays: 400, storeBytesMax: 0 }
  await createMaintenance({ store: watched, retention, log, metrics }).run()
  assert.deepEqual(done, ['saved', 'dropped'])
})

it('drops nothing because the clock is wrong at a start, nor at later starts', async () => {
  await fill(3)
  await maintenanceOf().run()
  mock.timers.setTime(Date.UTC(2099, 0, 1))
  for (const starts of [1, 2, 3]) {
    await store.close()
    store = await openStore({ dataDir: folder })
    await fill(1)
    await maintenanceOf(0, () => 0).run()
    assert.equal((await store.findEvents({ workspaceId: 'acme', limit: 10 })).rows.length, 3 + starts)
  }
  let elapsed = 0
  const maintenance = maintenanceOf(0, () => elapsed)
  await maintenance.run()
  elapsed = dayMs
  await maintenance.run()
  assert.equal((await store.findEvents({ workspaceId: 'acme', limit: 10 })).rows.length, 3, 'time has told')
  assert.equal(said().filter((message) => message === aheadMessage).length, 4)
})

it('drops days beyond their retention, and reports it', async () => {
  await fill(3)
  mock.timers.setTime(noon + 31 * dayMs)
  const maintenance = maintenanceOf()
  await maintenance.run()
  assert.partialDeepStrictEqual(lines, [{ records: 'events', day: '2027-01-10', rows: 3 }])
  assert.equal((await store.findEvents({ workspaceId: 'acme', limit: 10 })).rows.length, 0)
  assert.equal(await value('sluice_store_expired_rows_total{records="events"}'), 3)
  assert.equal(await value('sluice_maintenance_last_success_timestamp_seconds'), (noon + 31 * dayMs) / 1000)
})

it('finds the store full while only today exceeds the limit, and free again when days can be dropped', async () => {
  await fill(2000)
  const maintenance = maintenanceOf(1_000_000)
  await maintenance.run()
  await maintenance.run()
  assert.equal(maintenance.isStoreFull, true)
  assert.equal(said().filter((msg) => String(msg).startsWith('the store is full')).length, 1, 'said once')
  assert.equal(await value('sluice_store_full'), 1)
  assert.ok((await value('sluice_store_fill_ratio')) > 1)
  mock.timers.setTime(noon + dayMs)
  await maintenance.run()
  assert.equal(maintenance.isStoreFull, false)
  assert.equal(await value('sluice_store_full'), 0)
  assert.equal(said().at(-1), 'the store has room again')
})

it('reports a failure and continues', async () => {
  await store.close()
  const maintenance = maintenanceOf()
  await maintenance.run()
  assert.partialDeepStrictEqual(lines, [
    { level: 50, code: 'closed', msg: 'maintenance failed; it will be tried again' }
  ])
  assert.equal(await value('sluice_maintenance_failures_total'), 1)
  assert.equal(maintenance.isStoreFull, false)
})

it('begins when it is started and ends when it is closed', async () => {
  const maintenance = maintenanceOf()
  await fill(1)
  mock.timers.setTime(noon + 31 * dayMs)
  maintenance.start()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await maintenance.close()
  assert.deepEqual(said(), ['a day of records expired'])
})
