import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { Agent } from 'undici'
import { createSender, outcomeOf } from './send.ts'

it("an answer is interpreted by OTLP's rules, and nothing is dropped because of a fault that can be fixed", () => {
  const table: [status: number, kind: string][] = [
    [200, 'taken'],
    [202, 'taken'],
    [302, 'refused'],
    [400, 'bad_data'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [408, 'later'],
    [413, 'too_large'],
    [415, 'refused'],
    [422, 'bad_data'],
    [429, 'later'],
    [500, 'later'],
    [502, 'later'],
    [503, 'later'],
    [504, 'later']
  ]
  for (const [status, kind] of table) assert.equal(outcomeOf(status, undefined).kind, kind, String(status))
})

it('retry-after is read in seconds and as a date', () => {
  assert.partialDeepStrictEqual(outcomeOf(429, '7'), { kind: 'later', waitMs: 7000 })
  assert.partialDeepStrictEqual(outcomeOf(429, ['7', '9']), { kind: 'later', waitMs: 7000 })
  const inAMinute = outcomeOf(503, new Date(Date.now() + 60_000).toUTCString())
  assert.ok(inAMinute.kind === 'later' && inAMinute.waitMs !== undefined)
  assert.ok(inAMinute.waitMs > 50_000 && inAMinute.waitMs <= 60_000)
  assert.deepEqual(outcomeOf(503, 'soon'), { kind: 'later', reason: '503' })
  assert.partialDeepStrictEqual(outcomeOf(503, 'Thu, 01 Jan 1970 00:00:00 GMT'), { waitMs: 0 })
})

it('an answer without end counts by its status, and is not waited for', async () => {
  const collector = createServer((req, res) => {
    req.resume().on('end', () => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const write = (): boolean => res.write(Buffer.alloc(16_384, ' '))
      res.on('drain', write)
      while (write());
    })
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const dispatcher = new Agent()
  try {
    const url = `http://127.0.0.1:${port}/v1/logs`
    const sender = createSender({ url, protocol: 'http/json', batchMax: 1, timeoutMs: 60_000 }, dispatcher)
    const outcome = await sender.send([], new AbortController().signal)
    assert.deepEqual(outcome, { kind: 'taken', rejected: 0 })
  } finally {
    await dispatcher.destroy()
    collector.closeAllConnections()
    collector.close()
  }
})
