import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { auditOf, eventOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import { rollupKindsMax, rowsMax, type EventQuery, type Store, type StoredEvent } from '../../store/store.ts'
import { readRareEvents } from './rare-events.ts'
import { minuteMs, dayMs } from '../../timing/spans.ts'

/** More than are queried one by one. */
const scattered = 200

describe('events of a rare kind', () => {
  const now = Date.now()
  const range = { workspaceId: 'acme', from: now - dayMs, to: now + 1 }
  let folder: string
  let store: Store
  /** The store's queries. */
  const asked: EventQuery[] = []
  const reader = {
    eventSeries: (query: Parameters<Store['eventSeries']>[0]) => store.eventSeries(query),
    findEvents: (query: EventQuery) => {
      asked.push(query)
      return store.findEvents(query)
    }
  }

  async function read(
    query: { readonly kind: string; readonly from?: number; readonly origin?: 'sensor' },
    enough = Infinity
  ) {
    asked.length = 0
    const events: StoredEvent[] = []
    const isCut = await readRareEvents(reader, { ...range, ...query }, (page) => {
      events.push(...page)
      return events.length < enough
    })
    return {
      isCut,
      ages: events.map(({ receivedAt }) => Math.round((now - receivedAt) / minuteMs)),
      asked: asked.length
    }
  }

  const put = (kinds: readonly (readonly [minutesAgo: number, kind: string])[]) =>
    store.append({
      events: kinds.map(([minutesAgo, kind]) => eventOf({ kind, receivedAt: now - minutesAgo * minuteMs })),
      audit: []
    })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-rare-'))
    store = await openStore({ dataDir: folder })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const many = Array.from({ length: rowsMax + 5 }, () => [1300, 'crowded'] as const)
    await put([[20 * 24 * 60, 'told'], [1400, 'told'], ...many, [1200, 'told'], [1199, 'told'], [1198, 'told']])
    // Every third minute, so that none is adjacent to the next.
    await put(Array.from({ length: scattered }, (_, place) => [1100 - place * 3, 'scattered'] as const))
    await put(Array.from({ length: rollupKindsMax }, (_, place) => [2880, `own_${place}`] as const))
    await put([[2880, 'late']])
  })
  after(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })

  it('are returned newest first, with one query for consecutive minutes', async () => {
    assert.deepEqual(await read({ kind: 'told' }), { isCut: false, ages: [1198, 1199, 1200, 1400], asked: 2 })
    assert.deepEqual(await read({ kind: 'nowhere' }), { isCut: false, ages: [], asked: 0 })
  })

  it('are found by hours if they are older than the counts by minute', async () => {
    const { ages } = await read({ kind: 'told', from: now - 25 * dayMs })
    assert.deepEqual(ages, [1198, 1199, 1200, 1400, 28_800])
  })

  it('are all found even if they are scattered over more minutes than there may be queries', async () => {
    const { isCut, ages, asked: questions } = await read({ kind: 'scattered' })
    assert.deepEqual([isCut, ages.length, ages[0], ages.at(-1)], [false, scattered, 1100 - (scattered - 1) * 3, 1100])
    assert.ok(questions <= 150, `${questions} questions`)
  })

  it('are read from several pages of one minute, until the reader has enough', async () => {
    const all = await read({ kind: 'crowded' })
    assert.deepEqual([all.isCut, all.ages.length, all.asked], [false, rowsMax + 5, 2])
    const some = await read({ kind: 'crowded' }, 10)
    assert.deepEqual([some.isCut, some.ages.length, some.asked], [true, rowsMax, 1])
    assert.deepEqual(await read({ kind: 'told' }, 2), { isCut: true, ages: [1198, 1199, 1200], asked: 1 })
    assert.deepEqual((await read({ kind: 'told' }, 4)).isCut, false)
  })

  it('are found in an hour with so many kinds that theirs is not counted separately', async () => {
    assert.deepEqual((await read({ kind: 'late', from: now - 3 * dayMs })).ages, [2880])
  })
})
