import assert from 'node:assert/strict'
import { it } from 'node:test'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { pino } from 'pino'
import { builtInVocabularies } from '../../protocol/vocabularies.ts'
import type { StoredEvent } from '../../store/store.ts'
import { Delivery } from './delivery.ts'
import type { SendOutcome } from './send.ts'

/** As many events as a test needs; a collector that is not there looks at none of them. */
const events = (count: number): StoredEvent[] =>
  Array.from({ length: count }, (_, sequence) => ({
    sequence,
    eventId: `e-${sequence}`,
    workspaceId: 'acme',
    requestId: 'r-1',
    tokenId: 't-1',
    lineageId: 'l-1',
    kind: 'note',
    origin: 'sensor',
    occurredAt: 1,
    receivedAt: 1,
    policyRevision: null,
    sensorMetadata: {}
  })) as unknown as StoredEvent[]

/** A delivery to a collector that gives these outcomes one after the other, and takes everything else. */
function deliveryTo(...outcomes: SendOutcome[]) {
  const [batches, said, counted] = [[] as number[], [] as string[], [] as string[]]
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void said.push((JSON.parse(line) as { msg: string }).msg) }
  )
  const delivery = new Delivery({
    sender: {
      send: async (records) => {
        batches.push(records.length)
        return outcomes.shift() ?? { kind: 'taken', rejected: 0 }
      }
    },
    rules: { resource: resourceFromAttributes({}), vocabularies: builtInVocabularies, genAi: false },
    backoff: { backoffMinMs: 1, backoffMaxMs: 1 },
    metrics: {
      add: (name, count, ...labels) => void counted.push([name, count, ...labels.flatMap(Object.values)].join(' '))
    },
    log
  })
  return {
    delivery,
    batches,
    said,
    counted,
    deliver: (count: number) => delivery.deliver(events(count), AbortSignal.timeout(60_000))
  }
}

it('is failing from the first request that is not taken to the next that is, and says both once', async () => {
  const { delivery, deliver, said, counted } = deliveryTo(
    { kind: 'later', reason: '503' },
    { kind: 'later', reason: '503' }
  )
  assert.equal(delivery.isFailing, false)
  assert.equal(await deliver(2), true)
  assert.equal(delivery.isFailing, false)
  assert.equal(await deliver(1), true)
  assert.deepEqual(
    said.map((sentence) => /accepts events again|does not accept/.exec(sentence)?.[0]),
    ['does not accept', 'accepts events again']
  )
  assert.deepEqual(counted, ['otlpFailures 1 later', 'otlpFailures 1 later', 'otlpSent 2', 'otlpSent 1'])
})

it('splits what is too large or bad down to the one event that is never accepted', async () => {
  const { deliver, batches, counted } = deliveryTo(
    { kind: 'too_large', reason: '413' },
    { kind: 'bad_data', reason: '400' },
    { kind: 'bad_data', reason: '400' }
  )
  assert.equal(await deliver(3), true)
  assert.deepEqual(batches, [3, 2, 1, 1, 1])
  assert.deepEqual(
    counted.filter((line) => !line.startsWith('otlpFailures')),
    ['otlpDropped 1 rejected', 'otlpSent 1', 'otlpSent 1']
  )
})
