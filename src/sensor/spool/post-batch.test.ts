import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Agent } from 'undici'
import { postBatch, type PostOutcome } from './post-batch.ts'

const events = ['{"eventId":"1"}', '{"eventId":"2"}']
const results = (...statuses: string[]): string =>
  JSON.stringify({ results: statuses.map((status, index) => ({ index, status })) })

describe('the answer to a batch of events', () => {
  let answer: { readonly status: number; readonly body: string; readonly retryAfter?: string }
  const server = createServer((req, res) => {
    req.resume().on('end', () => {
      const { status, body, retryAfter } = answer
      res.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(body)
    })
  })
  const dispatcher = new Agent()
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  after(async () => {
    await dispatcher.close()
    server.close()
  })

  async function outcomeOf(status: number, body = '', retryAfter?: string): Promise<PostOutcome> {
    answer = { status, body, ...(retryAfter === undefined ? {} : { retryAfter }) }
    return await postBatch(events, {
      base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      token: 'token',
      dispatcher,
      timeoutMs: 60_000,
      wallMs: () => 0,
      signal: new AbortController().signal,
      isCompressed: false
    })
  }

  it('asks to come later, with the wait that it names, if the service is overloaded, stopping or failing', async () => {
    for (const status of [408, 425, 429, 500, 502, 503, 504]) {
      assert.deepEqual(await outcomeOf(status, '', '7'), { kind: 'later', retryAfterMs: 7000 }, String(status))
      assert.deepEqual(await outcomeOf(status), { kind: 'later', retryAfterMs: undefined }, String(status))
    }
  })

  it('counts as a receipt only if it lists every event', async () => {
    for (const status of [202, 207, 400]) {
      const taken = { kind: 'taken', rejected: [1] }
      assert.deepEqual(await outcomeOf(status, results('accepted', 'rejected')), taken, String(status))
      for (const body of [
        '',
        results('accepted'),
        results('accepted', 'lost'),
        '{"results":[null,null]}',
        '{"results":[{"index":1,"status":"accepted"},{"index":0,"status":"rejected"}]}'
      ])
        assert.deepEqual(await outcomeOf(status, body), { kind: 'garbage' }, body)
    }
    assert.deepEqual(await outcomeOf(207, results('duplicate', 'accepted')), { kind: 'taken', rejected: [] })
  })

  it('tells a token, a size, a compression and an address that are not accepted apart', async () => {
    for (const status of [401, 403]) assert.deepEqual(await outcomeOf(status, '', '7'), { kind: 'refused', status })
    assert.deepEqual(await outcomeOf(413, '{"code":"body_too_large"}'), { kind: 'too_large', isOwn: true })
    assert.deepEqual(await outcomeOf(413, '<html>'), { kind: 'too_large', isOwn: false })
    assert.deepEqual(await outcomeOf(415), { kind: 'not_compressed' })
    for (const status of [301, 404, 405]) assert.deepEqual(await outcomeOf(status), { kind: 'not_found' })
    assert.deepEqual(await outcomeOf(200, results('accepted', 'accepted')), { kind: 'garbage' })
  })
})
