import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { allRows } from '../store/all-rows.ts'
import { auditOf, eventOf, rejectsWith } from '../store/contract/samples.contract.ts'
import { openStore } from '../store/sqlite/sqlite.ts'
import {
  StoreError,
  type AppendBatch,
  type AuditEntry,
  type EventOutcome,
  type Store,
  type WorkspaceEvent
} from '../store/store.ts'
import {
  createEventWriter,
  type EventWriter,
  type EventWriterCounters,
  type EventWriterOptions
} from './event-writer.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-writer-'))
after(() => rmSync(root, { recursive: true, force: true }))

let store: Store
/**
 * What a test leaves, in the order of creation: failing disks that work again, and then the writers on them, which
 * close.
 */
let ends: (() => unknown)[]
beforeEach(async () => {
  ends = []
  store = await openStore({ dataDir: mkdtempSync(join(root, 'case-')) })
  await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ action: 'workspace_created' }))
  await store.ensureWorkspace({ id: 'beta', name: 'Beta', createdAt: 1 }, auditOf({ workspaceId: 'beta' }))
})
// A test that fails halfway would leave a writer that retries forever, and its file would never end.
afterEach(async () => {
  for (const end of ends) await end()
  await store.close()
})

function startWriter(disk: Pick<Store, 'append'>, options: EventWriterOptions): EventWriter {
  const writer = createEventWriter(disk, options)
  ends.push(() => writer.close())
  return writer
}

/** The real store on a disk that can be made to fail or to hang. */
function faulty() {
  let fault: 'none' | 'fails' | 'hangs' | 'fails after writing' = 'none'
  let wake: (() => void)[] = []
  const disk = {
    async append(batch: AppendBatch): Promise<EventOutcome[]> {
      if (fault === 'fails') throw new StoreError('unavailable', 'The disk fails.')
      if (fault === 'hangs') await new Promise<void>((resolve) => wake.push(resolve))
      const outcomes = await store.append(batch)
      if (fault === 'fails after writing') throw new StoreError('unavailable', 'The answer is lost.')
      return outcomes
    },
    /** Number of commits that hang. */
    get held(): number {
      return wake.length
    },
    set(next: typeof fault): void {
      fault = next
      for (const resolve of wake.splice(0)) resolve()
      wake = []
    }
  }
  ends.push(() => disk.set('none'))
  return disk
}

const accountedFor = ({ recorded, gapsWritten, gapsPending, queued, unrecordable }: EventWriterCounters): number =>
  recorded + gapsWritten + gapsPending + queued + unrecordable

interface GapDetail {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Everything recorded for a workspace; a gap counts as a gap and not as an event. */
async function onDisk(workspaceId = 'acme'): Promise<{ events: number; audit: number; gaps: GapDetail[] }> {
  const events = await Array.fromAsync(allRows((query) => store.findEvents(query), { workspaceId, limit: 1000 }))
  const rows = await Array.fromAsync(allRows((query) => store.findAudit(query), { workspaceId, limit: 1000 }))
  const gaps = rows.filter(({ action }) => action === 'gap').map(({ detail }) => detail as unknown as GapDetail)
  const gapEvents = events.filter(({ kind }) => kind === 'recording_gap')
  assert.equal(gapEvents.length, gaps.length, 'each gap is an event with its audit row')
  assert.ok(gapEvents.every(({ origin, lineageId }) => origin === 'service' && lineageId === null))
  return { events: events.length - gaps.length, audit: rows.filter(({ action }) => action === 'tested').length, gaps }
}

/** A sensor's event, with its audit row if there is one, as one request sends it. */
const sent = (fields: Partial<WorkspaceEvent> = {}, audit: AuditEntry[] = []): AppendBatch => ({
  events: [eventOf({ origin: 'sensor', lineageId: 'lineage1', kind: 'reported', ...fields })],
  audit
})

/** Waits for what the writer does by itself. */
const until = (holds: () => boolean): Promise<true> => eventually('what is waited for', () => holds() || undefined)

describe('the event writer', () => {
  it('writes records with their audit rows, and answers a sensor once its record is on disk', async () => {
    const writer = startWriter(store, { flushMs: 1, callFlushMs: 1 })
    const event = sent({}, [{ ...auditOf({}), eventIndex: 0 }])
    for (let call = 0; call < 450; call++) writer.record(eventOf(), auditOf({}))
    writer.record(eventOf(), null)
    assert.deepEqual(await writer.recordDurably(event), ['stored'])
    assert.deepEqual(await writer.recordDurably(event), ['duplicate'])
    assert.deepEqual(await onDisk(), { events: 452, audit: 451, gaps: [] })
    const counters = await writer.close()
    assert.deepEqual([counters.recorded, counters.duplicates, counters.queued], [452, 1, 0])
  })

  it('turns what a full queue cannot take into one gap row per workspace, once the disk works again', async () => {
    const disk = faulty()
    const writer = startWriter(disk, { queueMax: 50, batchMax: 20, flushMs: 1, callFlushMs: 1 })
    disk.set('fails')
    const record = (from: number, to: number) => {
      for (let call = from; call < to; call++) {
        writer.record(eventOf({ receivedAt: 5_000 + call, workspaceId: call % 4 === 0 ? 'beta' : 'acme' }), null)
        assert.equal(accountedFor(writer.counters()), call + 1)
      }
    }
    record(0, 200)
    await until(() => writer.counters().failures >= 2)
    assert.equal(accountedFor(writer.counters()), 200)
    // What is lost after the first attempt to write a gap goes into the next one.
    record(200, 240)
    await until(() => writer.counters().failures >= 3)
    disk.set('none')
    await until(() => writer.counters().recorded + writer.counters().gapsWritten === 240)
    const [acme, beta] = [await onDisk('acme'), await onDisk('beta')]
    assert.equal(acme.events + beta.events, 50)
    const byTime = (gaps: GapDetail[]) => gaps.toSorted((one, other) => one.from - other.from)
    assert.deepEqual(byTime(acme.gaps), [{ from: 5_050, to: 5_199, count: 113 }, { from: 5_201, to: 5_239, count: 30 }]) // prettier-ignore
    assert.deepEqual(byTime(beta.gaps), [{ from: 5_052, to: 5_196, count: 37 }, { from: 5_200, to: 5_236, count: 10 }]) // prettier-ignore
    assert.equal(accountedFor(await writer.close()), 240)
  })

  it('never waits for a hanging disk, and turns waiting sensors away', async () => {
    const disk = faulty()
    const writer = startWriter(disk, { queueMax: 30, batchMax: 10, flushMs: 1, callFlushMs: 1, stallMs: 20 })
    disk.set('hangs')
    for (let call = 0; call < 10; call++) writer.record(eventOf(), null)
    const waiting = writer.recordDurably(sent())
    await assert.rejects(waiting, (error) => error instanceof StoreError && error.code === 'unavailable')
    await assert.rejects(
      writer.recordDurably(sent()),
      (error) => error instanceof StoreError && error.code === 'overloaded'
    )
    for (let call = 0; call < 100; call++) writer.record(eventOf(), null)
    assert.equal(accountedFor(writer.counters()), 110)
    disk.set('none')
    await until(() => writer.counters().recorded + writer.counters().gapsWritten === 110)
    const { events, gaps } = await onDisk()
    assert.equal(events + gaps.reduce((sum, { count }) => sum + count, 0), 110)
    // Nothing hangs any more, but a busy machine may be as slow; the sensor then sends it again.
    const again = sent()
    const outcome = await eventually('a disk that works', () => writer.recordDurably(again).catch(() => undefined))
    assert.equal(outcome.length, 1)
    assert.equal((await onDisk()).events, events + 1)
    await writer.close()
  })

  it('puts a whole batch into one commit, even one larger than other commits, or takes none of it', async () => {
    const commits: number[] = []
    const disk = {
      append: (batch: AppendBatch) => {
        commits.push(batch.events.length)
        return store.append(batch)
      }
    }
    const writer = startWriter(disk, { batchMax: 20, flushMs: 1, callFlushMs: 1 })
    const batch = (count: number): AppendBatch => ({
      events: Array.from({ length: count }, () => sent().events[0] as WorkspaceEvent),
      audit: [{ ...auditOf({}), eventIndex: count - 1 }]
    })
    const [large, small] = [batch(90), batch(5)]
    const repeated = { ...large, events: [...large.events, ...small.events.slice(0, 2)] }
    const answers = await Promise.all([large, small, batch(8), batch(9)].map((one) => writer.recordDurably(one)))
    assert.deepEqual(
      answers.map((outcomes) => [outcomes.length, new Set(outcomes).size]),
      [90, 5, 8, 9].map((count) => [count, 1])
    )
    assert.ok(commits.includes(90), `commits of ${commits.join(', ')}`)
    assert.deepEqual(new Set(await writer.recordDurably(repeated)), new Set(['duplicate']))
    assert.deepEqual(await onDisk(), { events: 112, audit: 4, gaps: [] })
    const counters = await writer.close()
    assert.deepEqual([counters.recorded, counters.duplicates], [112, 92])
  })

  it('reserves half of the queue for calls, whatever sensors send', async () => {
    const disk = faulty()
    disk.set('hangs')
    const writer = startWriter(disk, { queueMax: 64, batchMax: 1, flushMs: 1, callFlushMs: 1 })
    const overloaded = (error: unknown) => error instanceof StoreError && error.code === 'overloaded'
    const from = (tokenId: string) => writer.recordDurably(sent({ tokenId }))
    writer.record(eventOf(), null)
    await until(() => disk.held === 1)
    const taken = Array.from({ length: 24 }, () => from('flooder1'))
    const many = { events: Array.from({ length: 33 }, () => eventOf()), audit: [] }
    await assert.rejects(writer.recordDurably(many), overloaded)
    // The last quarter is for tokens that hold little.
    await assert.rejects(from('flooder1'), overloaded)
    taken.push(from('another1'), from('another1'))
    await assert.rejects(from('another1'), overloaded)
    for (let token = 2; token <= 4; token++) taken.push(from(`another${token}`), from(`another${token}`))
    await assert.rejects(from('another5'), overloaded)
    for (let call = 0; call < 31; call++) writer.record(eventOf(), null)
    await assert.rejects(from('another6'), overloaded)
    const strict = writer.recordDurably({ events: [], audit: [auditOf({})] })
    disk.set('none')
    assert.deepEqual(await Promise.all([...taken, strict]), [...taken.map(() => ['stored']), []])
    const { events, audit, gaps } = await onDisk()
    assert.deepEqual([events, audit, gaps], [64, 1, []])
    await writer.close()
  })

  it('writes a gap once, even if the answer to its first attempt was lost', async () => {
    const disk = faulty()
    const writer = startWriter(disk, { queueMax: 1, flushMs: 1, callFlushMs: 1 })
    disk.set('fails after writing')
    for (let call = 0; call < 5; call++) writer.record(eventOf(), null)
    await until(() => writer.counters().failures > 1)
    disk.set('none')
    await until(() => writer.counters().gapsWritten === 4)
    const counters = await writer.close()
    assert.deepEqual([counters.recorded, counters.gapsWritten, counters.gapsPending], [1, 4, 0])
    const { events, gaps } = await onDisk()
    assert.deepEqual([events, gaps.map(({ count }) => count)], [1, [4]])
  })

  it('refuses a sensor when the queue is full, and its record does not become a gap', async () => {
    const disk = faulty()
    disk.set('hangs')
    const writer = startWriter(disk, { queueMax: 5, batchMax: 5, flushMs: 1, callFlushMs: 1 })
    for (let call = 0; call < 5; call++) writer.record(eventOf(), null)
    await assert.rejects(
      writer.recordDurably(sent()),
      (error) => error instanceof StoreError && error.code === 'overloaded'
    )
    disk.set('none')
    const counters = await writer.close()
    assert.deepEqual([counters.recorded, counters.gapsWritten, counters.gapsPending], [5, 0, 0])
  })

  it('turns sensors away that stand behind more calls than fit into a commit, while the disk fails', async () => {
    const disk = faulty()
    const writer = startWriter(disk, { queueMax: 100, batchMax: 4 })
    disk.set('fails')
    for (let i = 0; i < 10; i++) writer.record(eventOf())
    const waiting = [
      { events: [eventOf()], audit: [] },
      { events: [], audit: [auditOf({})] }
    ]
    for (const batch of waiting) await rejectsWith(writer.recordDurably(batch), 'unavailable')
    disk.set('none')
    assert.equal((await writer.close()).recorded, 10)
  })

  it("counts a record once if only the disk's answer was lost", async () => {
    const disk = faulty()
    const writer = startWriter(disk, { flushMs: 1, callFlushMs: 1 })
    disk.set('fails after writing')
    for (let call = 0; call < 7; call++) writer.record(eventOf(), auditOf({}))
    await until(() => writer.counters().failures > 0)
    disk.set('none')
    const counters = await writer.close()
    assert.equal(counters.recorded, 7)
    assert.deepEqual(await onDisk(), { events: 7, audit: 7, gaps: [] })
  })

  it('sets aside the one record that cannot be written', async () => {
    const writer = startWriter(store, { flushMs: 1, callFlushMs: 1 })
    for (let call = 0; call < 4; call++) writer.record(eventOf(), auditOf({}))
    const circular: Record<string, never> = {}
    Object.assign(circular, { circular })
    writer.record(eventOf({ sensorMetadata: circular }), null)
    writer.record(eventOf({ workspaceId: 'nobody' }), null)
    const stray = writer.recordDurably(sent({ workspaceId: 'nobody' }))
    await assert.rejects(stray, (error) => error instanceof StoreError && error.code === 'unknown_workspace')
    writer.record(eventOf(), auditOf({}))
    const counters = await writer.close()
    assert.deepEqual(
      [counters.recorded, counters.gapsWritten, counters.unrecordable, counters.gapsPending],
      [5, 1, 1, 0]
    )
    const { events, gaps } = await onDisk()
    assert.deepEqual([events, gaps.map(({ count }) => count)], [5, [1]])
  })

  it('writes what is left when it closes, within a time limit, and accepts no more', async () => {
    const disk = faulty()
    const writer = startWriter(disk, { flushMs: 60_000, callFlushMs: 60_000, closeTimeoutMs: 30 })
    for (let call = 0; call < 3; call++) writer.record(eventOf(), null)
    disk.set('hangs')
    const counters = await writer.close()
    assert.deepEqual([counters.recorded, counters.queued], [0, 3])
    await assert.rejects(
      writer.recordDurably(sent()),
      (error) => error instanceof StoreError && error.code === 'closed'
    )
    writer.record(eventOf(), null)
    assert.equal(accountedFor(writer.counters()), 4)
    disk.set('none')
  })

  it('reports the first of consecutive failures, the recovery, and the gaps that it wrote', async () => {
    const disk = faulty()
    const told: string[] = []
    const writer = startWriter(disk, {
      queueMax: 2,
      flushMs: 1,
      callFlushMs: 1,
      reports: {
        failed: (code, reason) => told.push(`failed ${code}: ${reason}`),
        recovered: (failedMs) => told.push(`recovered ${failedMs >= 0}`),
        gapsWritten: (count) => told.push(`gaps ${count}`),
        lostAtClose: (count) => told.push(`lost ${count}`)
      }
    })
    assert.deepEqual(writer.state(), { failingSince: undefined, isQueueFull: false })
    disk.set('fails')
    for (let call = 0; call < 5; call++) writer.record(eventOf(), null)
    assert.equal(writer.state().isQueueFull, true)
    await until(() => writer.counters().failures >= 2)
    assert.ok((writer.state().failingSince ?? Infinity) <= Date.now())
    assert.deepEqual(told, ['failed unavailable: The disk fails.'])
    disk.set('none')
    await until(() => writer.counters().gapsWritten === 3)
    assert.deepEqual(writer.state(), { failingSince: undefined, isQueueFull: false })
    await writer.close()
    assert.deepEqual(told, ['failed unavailable: The disk fails.', 'recovered true', 'gaps 3'])
  })

  it('writes a full batch at once, also after the disk has failed and works again', async () => {
    const disk = faulty()
    const hourMs = 3_600_000
    const writer = startWriter(disk, { batchMax: 2, flushMs: hourMs, callFlushMs: hourMs })
    const recordTwo = (): void => [0, 1].forEach(() => writer.record(eventOf(), null))
    disk.set('fails')
    recordTwo()
    await until(() => writer.counters().failures >= 1)
    disk.set('none')
    await writer.flush()
    await until(() => writer.counters().recorded === 2)
    recordTwo()
    await until(() => writer.counters().recorded === 4)
  })

  it('reports a hanging disk, and what is lost when it closes, and continues if the report throws', async () => {
    const disk = faulty()
    const told: string[] = []
    const tell = (text: string): never => {
      told.push(text)
      throw new Error('The log is closed.')
    }
    const writer = startWriter(disk, {
      callFlushMs: 1,
      stallMs: 5,
      closeTimeoutMs: 20,
      reports: { failed: tell, lostAtClose: (count, { queued }) => tell(`lost ${count} of ${queued}`) }
    })
    disk.set('hangs')
    for (let call = 0; call < 3; call++) writer.record(eventOf(), null)
    await until(() => told.length > 0)
    assert.notEqual(writer.state().failingSince, undefined)
    await writer.close()
    assert.deepEqual(told, ['stalled', 'lost 3 of 3'])
    disk.set('none')
  })

  it('reports a loss for which no gap can be written', async () => {
    const lost: number[] = []
    const writer = startWriter(store, { callFlushMs: 1, reports: { unrecordable: (count) => lost.push(count) } })
    writer.record(eventOf({ workspaceId: 'nobody' }), null)
    await until(() => writer.counters().unrecordable === 1)
    assert.deepEqual(lost, [1])
    assert.equal(writer.state().failingSince, undefined)
    await writer.close()
  })
})
