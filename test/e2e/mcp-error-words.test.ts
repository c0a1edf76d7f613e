/**
 * The text that an HTTP server sends with an error status: it is masked like a result, and the request is completed.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { request } from 'undici'
import { storedEvents } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { startGatedRelay } from '../support/mcp/gated-relay.ts'
import { json, post, startUpstream } from '../support/mcp/start-upstream.ts'
import { createPlanter } from '../support/planted.ts'

const email = createPlanter(31)('email')
const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'send', arguments: {} }
})
const session = { 'mcp-session-id': 'abc' }
const problem = { type: 'about:blank', detail: email.sentence, errors: [{ [email.value]: email.sentence }] }

describe('the text of an error', () => {
  const cases: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
    'a JSON-RPC error of the call': [
      'application/json',
      JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: email.sentence } })
    ],
    'a JSON-RPC error of no request': [
      'application/json',
      JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32603, message: email.sentence } })
    ],
    'a JSON-RPC error of another request': [
      'application/json',
      JSON.stringify({ jsonrpc: '2.0', id: 'server-error', error: { code: 1, message: 'x', data: [email.sentence] } })
    ],
    'JSON of a framework': ['application/json', JSON.stringify(problem)],
    'JSON under another name': ['application/problem+json', JSON.stringify(problem)],
    text: ['text/plain; charset=utf-8', `cannot send: ${email.sentence}`],
    'a page': ['text/html', `<html><body><pre>${email.sentence}</pre></body></html>`]
  }
  for (const [name, [type, body]] of Object.entries(cases))
    it(`is masked: ${name}`, async () => {
      await using upstream = await startUpstream(
        (_req, res) => void res.writeHead(500, { 'content-type': type }).end(body)
      )
      await using relay = await startGatedRelay({ url: upstream.url, listen: '0' })
      const answer = await post(relay.url, call, session)
      const text = await answer.body.text()
      assert.deepEqual([answer.statusCode, answer.headers['content-type']], [500, type])
      assert.match(text, /EMAIL_[A-Z2-7]{10}/)
      assert.ok(!text.includes(email.needle))
      if (type.includes('json')) assert.doesNotThrow(() => void JSON.parse(text))
    })

  it('is reported as the result of the call', async () => {
    await using upstream = await startUpstream(
      (_req, res) => void res.writeHead(500, { 'content-type': 'text/plain' }).end(email.sentence)
    )
    await using relay = await startGatedRelay({ url: upstream.url, listen: '0' })
    await (await post(relay.url, call, session)).body.dump()
    const [event] = await eventually('the event of the call', async () => {
      const events = await storedEvents(relay.service, { kind: 'tool_call_enforcement', origin: 'sensor' })
      return events.length > 0 ? events : undefined
    })
    assert.deepEqual([event?.sensorMetadata['action'], event?.sensorMetadata['entitiesMasked']], ['mask', 1])
  })

  it('is dropped if it is uncertain how a client decodes it; the status remains', async () => {
    const odd: readonly (readonly [type: string, body: Buffer])[] = [
      ['text/plain', Buffer.from(email.sentence, 'utf16le')],
      ['text/plain', Buffer.concat([Buffer.from(email.sentence), Buffer.of(0xff)])],
      ['text/plain; charset=utf-7', Buffer.from(email.sentence)]
    ]
    for (const [type, body] of odd) {
      await using upstream = await startUpstream(
        (_req, res) => void res.writeHead(418, { 'content-type': type }).end(body)
      )
      await using relay = await startGatedRelay({ url: upstream.url, listen: '0' })
      const answer = await post(relay.url, call, session)
      assert.deepEqual([answer.statusCode, await answer.body.text()], [418, ''])
    }
  })
})

it('an error completes a request: a client that logs in can repeat it under its id', async () => {
  let tries = 0
  const answered = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'
  const replies: Readonly<Record<number, readonly [number, Record<string, string>, string]>> = {
    1: [401, { 'www-authenticate': 'Bearer' }, ''],
    2: [401, { 'content-type': 'text/plain' }, 'Sign in.'],
    3: [401, json, '{"error":"invalid_token"}']
  }
  await using upstream = await startUpstream((_req, res) => {
    const [status, headers, body] = replies[++tries] ?? [200, json, answered]
    res.writeHead(status, headers).end(body)
  })
  await using relay = await startGatedRelay({ url: upstream.url, listen: '0' })
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) {
    const { statusCode, body } = await post(relay.url, call, session)
    statuses.push(statusCode)
    await body.dump()
  }
  assert.deepEqual(statuses, [401, 401, 401, 200])
})

it('a request whose client has disconnected is completed as well', async () => {
  let begun = 0
  const answered = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'
  await using upstream = await startUpstream((_req, res) => {
    if (++begun > 1) res.writeHead(200, json).end(answered)
  })
  await using relay = await startGatedRelay({ url: upstream.url, listen: '0' })
  const controller = new AbortController()
  const first = request(relay.url, {
    method: 'POST',
    body: call,
    headers: { ...json, ...session },
    signal: controller.signal
  }).catch(() => 'gone')
  await eventually('the request', () => (begun > 0 ? true : undefined))
  controller.abort()
  assert.equal(await first, 'gone')
  // The proxy notices it a moment later.
  const again = await eventually('the id to be free', async () => {
    const { statusCode, body } = await post(relay.url, call, session)
    await body.dump()
    return statusCode === 200 ? true : undefined
  })
  assert.ok(again)
})
