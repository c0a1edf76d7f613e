import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { auditOf, eventOf } from '../store/contract/samples.contract.ts'
import { openStore } from '../store/sqlite/sqlite.ts'
import { StoreError, type AppendBatch, type EventOutcome, type Store } from '../store/store.ts'
import { createEventWriter, type EventWriter } from './event-writer.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-ahead-'))
after(() => rmSync(root, { recursive: true, force: true }))

let store: Store
let writer: EventWriter
/** Commits that were started and wait to be let through. */
let held: { readonly size: number; letThrough(losesAnswer?: boolean): void }[]
let handedOver: () => void
let isDoorOpen: boolean

beforeEach(async () => {
  store = await openStore({ dataDir: mkdtempSync(join(root, 'case-')) })
  await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ action: 'workspace_created' }))
  held = []
  handedOver = () => {}
  isDoorOpen = false
  writer = createEventWriter({ append }, { flushMs: 1, callFlushMs: 1, batchMax: 10, aheadMin: 3 })
})
// A test that fails halfway would leave a writer that retries forever, and its file would never end.
afterEach(async () => {
  isDoorOpen = true
  for (const { letThrough } of held.splice(0)) letThrough()
  await writer.close()
  await store.close()
})

/** The real store, behind a gate. */
async function append(batch: AppendBatch): Promise<EventOutcome[]> {
  handedOver()
  const passed = Promise.withResolvers<boolean>()
  if (isDoorOpen) passed.resolve(false)
  else held.push({ size: batch.events.length, letThrough: (loses = false) => passed.resolve(loses) })
  const losesAnswer = await passed.promise
  const outcomes = await store.append(batch)
  if (losesAnswer) throw new StoreError('unavailable', 'The answer is lost.')
  return outcomes
}

/** Waits for what the writer does by itself. */
const until = (holds: () => boolean): Promise<true> => eventually('what is waited for', () => holds() || undefined)

const send = (workspaceId = 'acme'): Promise<string> =>
  writer
    .recordDurably({ events: [eventOf({ workspaceId, origin: 'sensor', lineageId: 'line' })], audit: [] })
    .then(([outcome]) => String(outcome))
    .catch((error: StoreError) => error.code)

/** Lets everything through until nothing is left. */
async function settle(): Promise<void> {
  for (;;) {
    for (const { letThrough } of held.splice(0)) letThrough()
    const { queued, gapsPending } = writer.counters()
    if (queued + gapsPending === 0) return
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Two commits of three records each: one in progress and one behind it. */
async function twoUnderWay(workspaceOfLast = 'acme'): Promise<Promise<string>[]> {
  const first = [send(), send(), send(workspaceOfLast)]
  await until(() => held.length === 1)
  const second = [send(), send(), send(workspaceOfLast)]
  await until(() => held.length === 2)
  return [...first, ...second]
}

describe('the commit behind the one in progress', () => {
  it('is started if enough records wait for it, and a third one is not', async () => {
    const answers = [send()]
    await until(() => held.length === 1)
    answers.push(send(), send())
    assert.equal(held.length, 1, 'two records are too few')
    answers.push(send())
    assert.deepEqual(held.map(({ size }) => size), [1, 3]) // prettier-ignore
    answers.push(...Array.from({ length: 5 }, () => send()))
    assert.equal(held.length, 2)
    assert.equal(writer.counters().queued, 9)
    await settle()
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['stored']))
    assert.deepEqual(
      [writer.counters().recorded, (await store.findEvents({ workspaceId: 'acme', limit: 100 })).rows.length],
      [9, 9]
    )
  })

  it('follows if the one before it failed, and calls are recorded once', async () => {
    writer.record(eventOf(), null)
    await until(() => held.length === 1)
    for (let call = 0; call < 3; call++) writer.record(eventOf(), null)
    assert.equal(held.length, 2)
    const [first, second] = held.splice(0)
    second?.letThrough(true)
    first?.letThrough(true)
    await until(() => writer.counters().failures === 2)
    assert.equal(writer.counters().queued, 4)
    await settle()
    const { recorded, gapsWritten } = writer.counters()
    assert.deepEqual([recorded, gapsWritten], [4, 0])
    assert.equal((await store.findEvents({ workspaceId: 'acme', limit: 100 })).rows.length, 4)
  })

  it('is split like the one before it if each has a faulty record', async () => {
    const answers = await twoUnderWay('nowhere')
    await settle()
    const good = ['stored', 'stored', 'unknown_workspace']
    assert.deepEqual(await Promise.all(answers), [...good, ...good])
    assert.equal(writer.counters().recorded, 4)
  })

  it('is started before the senders of the finished one are answered, once its records have waited long enough', async () => {
    const order: string[] = []
    const note = (what: string) => () => void order.push(what)
    const first = send().then(note('first answered'))
    await until(() => held.length === 1)
    const second = send().then(note('second answered'))
    const due = performance.now() + 2
    await until(() => performance.now() > due)
    assert.equal(held.length, 1, 'one record is too little to go ahead')
    handedOver = note('second handed over')
    held.shift()?.letThrough()
    await first
    assert.deepEqual(order, ['second handed over', 'first answered'])
    await settle()
    await second
  })

  it('includes losses of a full queue, however long one commit follows another', async () => {
    writer = createEventWriter({ append }, { flushMs: 1, callFlushMs: 1, queueMax: 2 })
    writer.record(eventOf(), null)
    await until(() => held.length === 1)
    for (let call = 0; call < 3; call++) writer.record(eventOf(), null)
    const due = performance.now() + 2
    await until(() => performance.now() > due)
    held.shift()?.letThrough()
    await until(() => held.length === 1)
    assert.equal(held[0]?.size, 3, 'two records and a gap')
    await settle()
    assert.equal(writer.counters().gapsWritten, 1)
  })

  it('is also written when the writer closes', async () => {
    const answers = await twoUnderWay()
    const closing = writer.close()
    await settle()
    assert.equal((await closing).recorded, 6)
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['stored']))
  })
})

/** A turn of the event loop, in which a finished flush resolves. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a commit while the store is idle', () => {
  it('does not wait for more once enough senders wait, and calls do not count as senders', async () => {
    writer = createEventWriter({ append }, { flushMs: 60_000, callFlushMs: 60_000, groupMin: 3 })
    for (let call = 0; call < 5; call++) writer.record(eventOf(), null)
    const answers = [send(), send()]
    await turn()
    assert.equal(held.length, 0)
    answers.push(send())
    assert.deepEqual(held.map(({ size }) => size), [8]) // prettier-ignore
    answers.push(send(), send())
    held.shift()?.letThrough()
    assert.equal(await answers[0], 'stored')
    await turn()
    assert.equal(held.length, 0, 'those of the commit before do not count')
    answers.push(send())
    assert.deepEqual(held.map(({ size }) => size), [3]) // prettier-ignore
    await settle()
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['stored']))
  })
})

describe('a flush', () => {
  it('waits for what was recorded before it, and not for what arrives in the meantime', async () => {
    const before = [send()]
    await until(() => held.length === 1)
    before.push(send())
    let isFlushed = false
    void writer.flush().then(() => (isFlushed = true))
    held.shift()?.letThrough()
    assert.equal(await before[0], 'stored')
    await until(() => held.length === 1)
    await turn()
    assert.equal(isFlushed, false, 'a record from before is not on disk yet')
    const later = send()
    held.shift()?.letThrough()
    assert.equal(await before[1], 'stored')
    await turn()
    assert.equal(isFlushed, true)
    assert.equal(writer.counters().queued, 1)
    await settle()
    assert.equal(await later, 'stored')
  })

  it('does not retry repeatedly while the store fails', async () => {
    let tries = 0
    const failing = createEventWriter(
      {
        append: () => {
          tries++
          return Promise.reject(new StoreError('unavailable', 'The disk fails.'))
        }
      },
      { flushMs: 1, callFlushMs: 60_000, closeTimeoutMs: 1 }
    )
    failing.record(eventOf(), null)
    await failing.flush()
    assert.deepEqual([tries, failing.counters().queued], [1, 1])
    await failing.close()
  })
})
