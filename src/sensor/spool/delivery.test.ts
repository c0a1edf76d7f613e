import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { it, mock } from 'node:test'
import { createGunzip } from 'node:zlib'
import { Agent } from 'undici'
import { eventually } from '../../../test/support/eventually.ts'
import { Delivery } from './delivery.ts'
import { openSpool } from './spool.ts'
import { eventOf } from './spool.fixture.ts'

/** How the service answers a request of so many events: with an error, or with the indexes of those it rejects. */
type Answer = (
  events: number,
  isCompressed: boolean
) => { status: number; code?: string; retryAfter?: string } | { rejected: number[] }

const hourMs = 3_600_000

/** A delivery whose every wait is an hour, to a service that answers as told. */
async function startDelivery(answer: Answer, lingerMs = hourMs) {
  const requests: number[] = []
  const server = createServer(async (req, res) => {
    const isCompressed = req.headers['content-encoding'] === 'gzip'
    const lines = await text(isCompressed ? req.pipe(createGunzip()) : req)
    const count = lines.trimEnd().split('\n').length
    requests.push(count)
    const outcome = answer(count, isCompressed)
    if ('status' in outcome) {
      const { status, code, retryAfter } = outcome
      res.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
      return void res.end(JSON.stringify({ code }))
    }
    const statusOf = (index: number): string => (outcome.rejected.includes(index) ? 'rejected' : 'accepted')
    const results = Array.from({ length: count }, (_, index) => ({ index, status: statusOf(index) }))
    res.writeHead(202).end(JSON.stringify({ results }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  let delivery: Delivery | undefined
  const spool = openSpool({ onEvent: () => delivery?.wake() })
  const dispatcher = new Agent()
  const begun = mock.method(dispatcher, 'request')
  const running = (delivery = new Delivery({
    spool,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'token',
    dispatcher,
    timings: {
      backoffMinMs: hourMs,
      backoffMaxMs: hourMs,
      refusedRetryMs: hourMs,
      requestTimeoutMs: hourMs,
      lingerMs
    },
    random: () => 0,
    wallMs: () => 0
  }))
  return {
    spool,
    delivery: running,
    requests,
    /** How many requests were begun. */
    begun: () => begun.mock.callCount(),
    report: async (count: number) => {
      for (let left = count; left > 0; left--) await spool.append(eventOf('mask'))
    },
    async [Symbol.asyncDispose]() {
      await running.close(AbortSignal.abort())
      await spool.close()
      await dispatcher.close()
      server.close()
    }
  }
}

it('lets events wait for others to share their request, and sends them all when it is closed', async () => {
  await using state = await startDelivery(() => ({ rejected: [] }))
  await state.report(1)
  await new Promise(setImmediate)
  await state.report(4)
  assert.deepEqual(state.requests, [])
  await state.delivery.close(new AbortController().signal)
  assert.deepEqual(state.requests, [5])
  assert.deepEqual(state.delivery.stats, { delivered: 5, rejected: 0, problem: undefined })
})

it('sends the same events in smaller requests, and uncompressed, if the service demands it', async () => {
  await using state = await startDelivery((events, isCompressed) => {
    if (isCompressed) return { status: 415 }
    return events > 2 ? { status: 413, code: 'body_too_large' } : { rejected: [] }
  })
  await state.report(5)
  await state.delivery.close(new AbortController().signal)
  assert.deepEqual(state.requests, [5, 5, 2, 3, 1, 2])
  assert.deepEqual(state.delivery.stats, { delivered: 5, rejected: 0, problem: undefined })
})

it('drops an event that the service finds too large by itself, and says that it is lost', async () => {
  await using state = await startDelivery(() =>
    state.requests.length < 3 ? { status: 413, code: 'body_too_large' } : { rejected: [] }
  )
  await state.report(2)
  await state.delivery.close(new AbortController().signal)
  assert.deepEqual(state.requests.slice(0, 2), [2, 1])
  assert.deepEqual(state.delivery.stats, { delivered: 2, rejected: 1, problem: undefined })
  assert.equal(state.spool.stats.lost, 1)
})

it('keeps events that do not arrive, and waits for none of them when it is closed', async () => {
  await using state = await startDelivery(() => ({ status: 503 }))
  await state.report(2)
  await state.delivery.close(new AbortController().signal)
  assert.deepEqual(state.requests, [2])
  assert.equal(state.spool.stats.inMemory, 2)
})

it('waits as long as the service asked, also when the service was reached by other means', async () => {
  await using state = await startDelivery(() => ({ status: 503, retryAfter: '60' }), 0)
  await state.report(1)
  await eventually('the wait', () => state.delivery.stats.problem)
  state.delivery.retryNow()
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
  assert.equal(state.begun(), 1)
})
