/** The routes in addition to the two of the specification: what they mask, where they go, and what is recorded. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { call, type Reply } from '../support/http.ts'
import { placeholdersIn } from '../support/placeholder.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, upstreamKeys, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(67)

describe('the other routes', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  function send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return call(`${service.sdkBaseUrl}${path}`, {
      headers: { 'content-type': 'application/json', 'x-service-workspace-token': service.token, ...headers },
      body: JSON.stringify(body)
    })
  }

  function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return call(`${service.sdkBaseUrl}${path}`, {
      method: 'GET',
      headers: { authorization: `Bearer ${service.token}`, ...headers }
    })
  }

  test('a token count is masked exactly like the call that it counts for', async () => {
    const email = planter('email')
    const conversation = {
      model: 'm',
      system: `Write to ${email.value}.`,
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: email.sentence }] },
        { role: 'user', content: email.sentence }
      ]
    }
    stub.forget()
    assert.equal((await send('/messages', conversation)).status, 200)
    assert.equal((await send('/messages/count_tokens', conversation)).status, 200)
    const [sent, counted] = stub.received
    assert.equal(counted?.url, '/v1/messages/count_tokens')
    assert.ok(sent && counted && sent.body.equals(counted.body))
    assert.ok(!sent.body.includes(email.needle))
    assert.equal(counted.headers['x-api-key'], upstreamKeys.messages)
  })

  test('items of a response, its instructions and tool outputs are masked; ids and signatures stay', async () => {
    const email = planter('email')
    const sealed = Buffer.from('an encrypted block of the vendor').toString('base64')
    stub.forget()
    const reply = await send('/responses', {
      model: 'm',
      instructions: `Write to ${email.value}.`,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: email.sentence }] },
        { type: 'reasoning', id: 'rs_1', encrypted_content: sealed, summary: [] },
        { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"notes.txt"}' },
        { type: 'function_call_output', call_id: 'call_1', output: email.sentence }
      ]
    })
    assert.equal(reply.status, 200, reply.text)
    const body = stub.lastBody()
    assert.equal(stub.received[0]?.url, '/v1/responses')
    assert.ok(!body.includes(email.needle))
    assert.equal(new Set(placeholdersIn(body)).size, 1)
    assert.equal(placeholdersIn(body).length, 3)
    assert.ok(body.includes(sealed) && body.includes('"call_1"') && body.includes('notes.txt'))
    const detail = await service.audit.ingress(reply.headers['x-request-id'] ?? '')
    assert.partialDeepStrictEqual(detail, {
      route: '/v1/responses',
      dialect: 'responses',
      action: 'mask',
      inputTokens: 21
    })
  })

  test('a high-risk value in a tool output blocks, and the message names the place', async () => {
    const key = planter('aws_access_key_id')
    stub.forget()
    for (const path of ['/responses', '/responses/compact']) {
      const reply = await send(path, { model: 'm', input: [{ type: 'function_call_output', output: key.sentence }] })
      assert.equal(reply.status, 403)
      assert.match(reply.text, /input\[0\] tool result/)
    }
    assert.equal((await send('/embeddings', { model: 'm', input: ['x', key.sentence] })).status, 403)
    assert.equal(stub.received.length, 0)
  })

  test('texts to be embedded are masked one by one, and token arrays pass and are counted', async () => {
    const email = planter('email')
    stub.forget()
    assert.equal((await send('/embeddings', { model: 'm', input: ['plain', email.sentence] })).status, 200)
    assert.ok(!stub.lastBody().includes(email.needle))
    assert.ok(stub.lastBody().includes('"plain"'))
    const tokens = await send('/embeddings', { model: 'm', input: [[1, 2], [3]] })
    assert.equal(tokens.status, 200)
    assert.equal(stub.lastBody(), '{"model":"m","input":[[1,2],[3]]}')
    assert.equal((await service.audit.ingress(tokens.headers['x-request-id'] ?? '')).mediaParts, 2)
  })

  test('models are requested from the intended vendor, with the key of the service', async () => {
    stub.forget()
    const reply = await get('/models?limit=20&secret=1')
    assert.equal(reply.status, 200, reply.text)
    await get('/models/org%2Fone', { 'anthropic-version': '2023-06-01', 'x-api-key': service.token })
    const [list, one] = stub.received
    assert.deepEqual([list?.method, list?.url], ['GET', '/v1/models?limit=20'])
    assert.equal(list?.headers['authorization'], `Bearer ${upstreamKeys.chat}`)
    assert.equal(list.headers['content-length'], undefined)
    assert.equal(one?.url, '/v1/models/org%2Fone')
    assert.equal(one.headers['x-api-key'], upstreamKeys.messages)
    assert.equal(one.headers['authorization'], undefined)
    const detail = await service.audit.ingress(reply.headers['x-request-id'] ?? '')
    assert.partialDeepStrictEqual(detail, { route: '/v1/models', action: 'allow', outcome: 'forwarded' })
  })

  test('a model name that contains a secret does not go up', async () => {
    stub.forget()
    const email = planter('email')
    assert.equal((await get(`/models/${encodeURIComponent(email.value)}`)).status, 404)
    assert.equal((await get(`/models/${planter('aws_access_key_id').value}`)).status, 403)
    assert.equal(stub.received.length, 0)
  })

  test('a WebSocket is refused with 426 immediately, and other methods with 405', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /api/ingress/v1/responses HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer ${service.token}\r\n\r\n`
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    assert.match(answer.toString('latin1'), /^HTTP\/1\.1 426 /)
    assert.match(answer.toString('latin1'), /websocket_not_served/)
    const reply = await get('/responses')
    assert.equal(reply.status, 405)
    assert.equal(reply.headers['allow'], 'POST')
    const unknown = await get('/images')
    assert.equal(unknown.status, 404)
    assert.match(unknown.text, /\/api\/ingress\/v1/)
  })
})
