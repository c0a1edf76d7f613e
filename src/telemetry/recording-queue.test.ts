import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventOf } from '../store/contract/samples.contract.ts'
import { RecordingQueue, recordsOf, type Entry } from './recording-queue.ts'

let place = 0
const sender = { resolve: () => {}, reject: () => {} }
const events = (tokenId: string, count: number) => Array.from({ length: count }, () => eventOf({ tokenId }))

/** What a sensor sends in one request. */
const sent = (tokenId: string, count = 1): Entry => ({
  place: ++place,
  events: events(tokenId, count),
  audit: [],
  sender
})
const call = (tokenId: string): Entry => ({ place: ++place, events: events(tokenId, 1), audit: [] })
const named = (entries: readonly Entry[]) =>
  entries.map(({ events: [first], place: number }) => `${first?.tokenId}${number}`)

function filled(...entries: readonly Entry[]): RecordingQueue {
  const queue = new RecordingQueue()
  for (const entry of entries) queue.push(entry)
  return queue
}

/** Takes everything, in commits of at most `recordsMax`. @returns who was in each */
function commits(queue: RecordingQueue, recordsMax: number): string[] {
  const all: string[] = []
  while (queue.records > 0) all.push(queue.take(recordsMax).map(({ events: [first] }) => first?.tokenId ?? '').join(' ')) // prettier-ignore
  return all
}

describe('the queue of records', () => {
  it('lets a token that sends little pass one that floods, however much of its flood has been written', () => {
    const queue = filled(...Array.from({ length: 9 }, () => sent('loud', 5)))
    assert.equal(queue.take(10).length, 2)
    queue.push(sent('quiet'))
    queue.push(sent('loud', 5))
    assert.deepEqual(commits(queue, 10), ['quiet loud', 'loud loud', 'loud loud', 'loud loud', 'loud'])
  })

  it('lets tokens that send as much take turns by records, not by requests', () => {
    const queue = filled(...Array.from({ length: 4 }, () => sent('large', 4)), ...Array.from({ length: 8 }, () => sent('small', 2))) // prettier-ignore
    assert.deepEqual(commits(queue, 8), Array.from({ length: 4 }, () => 'large small small')) // prettier-ignore
  })

  it('keeps the order of one token, and knows what arrived first', () => {
    const entries = [sent('one', 3), sent('two'), sent('one'), call('one'), sent('two', 2), sent('one', 2)]
    const queue = filled(...entries)
    assert.equal(queue.oldest, entries[0]?.place)
    const taken = queue.take(100)
    for (const token of ['one', 'two']) {
      const own = taken.filter(({ sender: waits, events: [first] }) => waits && first?.tokenId === token)
      assert.deepEqual(
        own,
        own.toSorted((first, second) => first.place - second.place)
      )
    }
    assert.deepEqual([taken.length, queue.records, queue.oldest], [6, 0, Infinity])
  })

  it('puts records of calls, and rows that a call waits for, before events of sensors', () => {
    const strict: Entry = { place: ++place, events: [], audit: [], sender }
    const queue = filled(sent('loud', 5), call('one'), strict, sent('loud'), call('two'))
    assert.deepEqual(queue.take(3).map(({ events: all }) => all[0]?.tokenId), ['one', undefined, 'two']) // prettier-ignore
  })

  it('takes what was put back before anything else, in its order', () => {
    const queue = filled(sent('one'), sent('two'))
    const back = queue.take(2)
    queue.push(call('three'))
    queue.putBack(back)
    assert.deepEqual(named(queue.take(2)), named(back))
    assert.equal(queue.records, 1)
  })

  it('removes events of sensors first if there is too much, then the newest records of calls', () => {
    const queue = filled(call('old'), sent('one', 2), call('new'), sent('two'))
    assert.deepEqual(queue.takeBeyond(1).map(({ events: [first] }) => first?.tokenId), ['two', 'one', 'new']) // prettier-ignore
    assert.equal(queue.records, 1)
  })

  it('forgets a flood once it is written: nobody stands back for it later', () => {
    const queue = filled(...Array.from({ length: 50 }, () => sent('loud')))
    assert.equal(recordsOf(queue.take(100)), 50)
    for (const token of ['loud', 'quiet']) queue.push(sent(token))
    assert.deepEqual(commits(queue, 1), ['loud', 'quiet'])
  })
})
