import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { eventOf, rejectsWith } from '../store/contract/samples.contract.ts'
import { StoreError, type AppendBatch, type EventOutcome } from '../store/store.ts'
import { createEventWriter } from './event-writer.ts'

/** A disk whose commits wait until they are told how they end. */
function heldDisk() {
  const commits: { readonly events: number; end(error?: StoreError): void }[] = []
  const append = (batch: AppendBatch): Promise<EventOutcome[]> =>
    new Promise((resolve, reject) =>
      commits.push({
        events: batch.events.length,
        end: (error) => (error ? reject(error) : resolve(batch.events.map(() => 'stored')))
      })
    )
  return { append, commits }
}

const until = (holds: () => boolean): Promise<true> => eventually('what is waited for', () => holds() || undefined)
const sensorEvents = (count: number) =>
  Array.from({ length: count }, () => eventOf({ origin: 'sensor', lineageId: 'line', tokenId: 'sensor' }))

describe('the queue of the event writer', () => {
  it('is as long as it may be also after a commit has failed, and what goes beyond becomes a gap', async () => {
    const disk = heldDisk()
    const writer = createEventWriter(disk, { queueMax: 5, callFlushMs: 1, aheadMin: 100, closeTimeoutMs: 1 })
    for (let call = 0; call < 4; call++) writer.record(eventOf({}))
    await until(() => disk.commits.length === 1)
    for (let call = 0; call < 3; call++) writer.record(eventOf({}))
    disk.commits[0]?.end(new StoreError('unavailable', 'The disk fails.'))
    await until(() => writer.counters().failures === 1)
    assert.partialDeepStrictEqual(writer.counters(), { queued: 5, gapsPending: 2 })
    await writer.close()
  })

  it('takes a request of any size if it is empty, since that one would never find it emptier', async () => {
    const disk = heldDisk()
    const writer = createEventWriter(disk, { queueMax: 10, flushMs: 1 })
    const large = writer.recordDurably({ events: sensorEvents(9), audit: [] })
    await rejectsWith(writer.recordDurably({ events: sensorEvents(1), audit: [] }), 'overloaded')
    await until(() => disk.commits.length === 1)
    disk.commits[0]?.end()
    assert.equal((await large).length, 9)
    await writer.close()
  })
})
