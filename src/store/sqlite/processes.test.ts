import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { allRows } from '../all-rows.ts'
import { checkChains } from '../contract/chain-check.contract.ts'
import { auditOf, eventOf, noon } from '../contract/samples.contract.ts'
import { openStore } from './sqlite.ts'
import { auditActions, rowsMax } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-store-'))
after(() => rmSync(root, { recursive: true, force: true }))
const freshDir = (): string => join(mkdtempSync(join(root, 'case-')), 'data')

const imports = `
  import { openStore } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
  import { auditOf, eventOf } from ${JSON.stringify(new URL('../contract/samples.contract.ts', import.meta.url).href)}
  const dataDir = process.argv[1]
`

/** A separate process that runs a few lines with an open store. */
const startProcess = (lines: string, dataDir: string) =>
  spawn(process.execPath, ['--input-type=module', '-e', imports + lines, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit']
  })

describe('two processes on one file', () => {
  it('can start at once and agree', async () => {
    const dataDir = freshDir()
    const lines = `
      const store = await openStore({ dataDir })
      const { created } = await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
      const outcomes = await store.append({ events: [eventOf({ eventId: 'shared' })], audit: [auditOf({ eventIndex: 0 })] })
      await store.close()
      console.log(JSON.stringify({ created, outcomes }))`
    const answers = await Promise.all([1, 2, 3].map(() => lastLine(startProcess(lines, dataDir))))
    const results = answers.map((answer) => JSON.parse(answer) as { created: boolean; outcomes: string[] })
    assert.equal(results.filter(({ created }) => created).length, 1)
    assert.deepEqual(results.flatMap(({ outcomes }) => outcomes).toSorted(), ['duplicate', 'duplicate', 'stored'])
  })

  it("see each other's changes in the change counter", async () => {
    const dataDir = freshDir()
    await using service = await openStore({ dataDir })
    const before = await service.changeCounter()
    await using other = await openStore({ dataDir })
    await other.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    assert.ok((await service.changeCounter()) > before)
    const afterwards = await service.changeCounter()
    await other.append({ events: [eventOf()], audit: [] })
    assert.equal(await service.changeCounter(), afterwards)
  })

  it('can write to a day that the other has dropped in the meantime', async () => {
    const dataDir = freshDir()
    await using service = await openStore({ dataDir })
    await using other = await openStore({ dataDir })
    await service.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const late = () => service.append({ events: [eventOf({ receivedAt: noon })], audit: [auditOf({ at: noon })] })
    assert.deepEqual(await late(), ['stored'])
    const plan = { eventDays: 1, auditDays: 1, minuteRollupDays: 1, bytesMax: 0 }
    assert.notDeepEqual((await other.maintain({ ...plan, now: noon + 40 * dayMs })).dropped, [])
    assert.deepEqual(await late(), ['stored'])
  })
})

async function lastLine(child: ReturnType<typeof startProcess>): Promise<string> {
  let last = ''
  for await (const line of createInterface({ input: child.stdout })) last = line
  return last
}

/** Appends endlessly, prints each id once it is acknowledged, and is killed after `acknowledgedMin` of them. */
async function acknowledgedBeforeKill(dataDir: string, acknowledgedMin: number): Promise<string[]> {
  const child = startProcess(
    `
      const store = await openStore({ dataDir })
      await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
      const writer = async () => {
        for (;;) {
          const event = eventOf()
          await store.append({ events: [event], audit: [auditOf({ requestId: event.eventId, eventIndex: 0 })] })
          console.log(event.eventId)
        }
      }
      await Promise.all([writer(), writer(), writer()])`,
    dataDir
  )
  const ids: string[] = []
  for await (const id of createInterface({ input: child.stdout })) {
    ids.push(id)
    if (ids.length === acknowledgedMin) child.kill('SIGKILL')
  }
  return ids
}

describe('a process killed by SIGKILL', () => {
  it('loses no acknowledged event, and leaves chains and rollups that agree with the events', async () => {
    const dataDir = freshDir()
    const acknowledged: string[] = []
    for (let kill = 0; kill < 4; kill++) {
      acknowledged.push(...(await acknowledgedBeforeKill(dataDir, 1 + Math.floor(Math.random() * 150))))
    }
    assert.ok(acknowledged.length >= 4, 'every process acknowledged something before it was killed')
    await using store = await openStore({ dataDir })
    for (const requestId of acknowledged) {
      const { rows } = await store.findAudit({ workspaceId: 'acme', requestId, limit: 2 })
      assert.equal(rows.length, 1, `the record of ${requestId} is there once`)
    }
    const all = { workspaceId: 'acme', limit: rowsMax }
    const rows = await Array.fromAsync(allRows((query) => store.findEvents(query), all))
    const stored = new Set(rows.map(({ eventId }) => eventId))
    assert.equal(stored.size, rows.length)
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      []
    )
    const series = { workspaceId: 'acme', dimension: 'total', from: 0, to: dayMs } as const
    for (const step of ['minute', 'hour'] as const) {
      const points = await store.eventSeries({ ...series, step })
      assert.equal(
        points.reduce((sum, { events }) => sum + events, 0),
        stored.size
      )
    }
    // One row for each event, and one for the workspace.
    assert.equal(await checkChains(store), stored.size + 1)
    const heads = await store.auditHeads('acme')
    assert.ok(heads.length > 1 && heads.every(({ closedAt }) => closedAt === null))
    const lost = await store.heartbeat({ now: noon, lostBefore: noon })
    assert.equal(lost.length, heads.length)
    assert.deepEqual(await store.heartbeat({ now: noon, lostBefore: noon }), [])
    const { rows: told } = await store.findAudit({ workspaceId: 'acme', limit: 9, action: auditActions.writerLost })
    assert.deepEqual(
      new Set(told.map(({ detail }) => detail['writerId'])),
      new Set(lost.map(({ writerId }) => writerId))
    )
  })
})
