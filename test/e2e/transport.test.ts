/** Unusual ways of sending and ending a call: chunked and slow uploads, odd responses, a shutdown under load. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dialectNames, userBody, vendorError } from '../support/dialects.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { uploadPastAnswer } from '../support/upload-past-answer.ts'
import * as upstream from '../support/upstream-behaviours.ts'

const planter = createPlanter(73)

describe('transport', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(upstream.answers()))
    const env = { SERVICE_INGRESS_UPLOAD_TIMEOUT_MS: '300', SERVICE_INGRESS_BODY_BYTES_MAX: '65536' }
    service = running.use(await startTestService({ upstream: stub, env }))
  })
  after(() => running.disposeAsync())

  /** Writes raw bytes on a separate connection. @returns everything received until the service closed it */
  async function exchange(head: readonly string[], rest: string): Promise<string> {
    const socket = connect(service.running.port, '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8').on('data', (piece: string) => void (received += piece))
    socket.on('error', () => undefined)
    const lines = [
      'POST /api/ingress/v1/messages HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      `x-service-workspace-token: ${service.token}`,
      ...head
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n${rest}`)
    await once(socket, 'close')
    return received
  }

  test('a chunked upload is masked, wherever the chunks are split', async () => {
    const { value, needle } = planter('email')
    const body = userBody('messages', `I am ${value}.`)
    const cut = body.indexOf(needle) + 4
    const chunks = [body.slice(0, cut), body.slice(cut)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
    const answer = await exchange(['transfer-encoding: chunked', 'connection: close'], `${chunks.join('')}0\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.ok(!stub.lastBody().includes(needle))
    assert.match(stub.lastBody(), /I am EMAIL_[A-Z2-7]{10}\./)
  })

  test('a request with two hosts is refused and not forwarded', async () => {
    const body = userBody('messages', 'Hello.')
    const before = stub.received.length
    const answer = await exchange(['host: elsewhere', `content-length: ${body.length}`, 'connection: close'], body)
    assert.match(answer, /^HTTP\/1\.1 400 [^]*"code":"invalid_http"/)
    assert.equal(stub.received.length, before)
  })

  test('a request without a host is refused in a form that SDKs read', async () => {
    const socket = connect(service.running.port, '127.0.0.1')
    socket.write('POST /api/ingress/v1/messages HTTP/1.1\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}')
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1\.1 400 [^]*^x-request-id: [^]*has no `Host` header[^]*"code":"invalid_http"/m)
  })

  test('a call with an unknown expectation is served like any other', async () => {
    const { value, needle } = planter('email')
    const body = userBody('messages', `I am ${value}.`)
    const answer = await exchange(['expect: the-moon', `content-length: ${body.length}`, 'connection: close'], body)
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.ok(!stub.lastBody().includes(needle))
  })

  test('a client that sends Expect: 100-continue is told to continue', async () => {
    const body = userBody('messages', 'Hello.')
    const answer = await exchange(['expect: 100-continue', `content-length: ${body.length}`, 'connection: close'], body)
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  for (const [code, status, header] of [
    ['body_too_large', 413, 'content-length: 70000'],
    ['token_conflict', 401, 'content-length: 9\r\nx-api-key: svw_other']
  ] as const) {
    test(`one whose call is refused anyway is not (${code})`, async () => {
      const answer = await exchange(['expect: 100-continue', header], '')
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(answer, /^connection: close\r$/im)
      assert.ok(answer.includes(`"${code}"`), answer)
    })
  }

  test('an upload that stalls is a 408, and its connection is closed', async () => {
    const received = stub.received.length
    const answer = await exchange(['content-length: 500'], '{"messages":[')
    assert.match(answer, /^HTTP\/1\.1 408 /)
    assert.match(answer, /"error_code":"upload_timeout"/)
    assert.equal(stub.received.length, received)
  })

  test('a request with two content lengths is refused and never forwarded', async () => {
    const received = stub.received.length
    const body = userBody('messages', 'Hello.')
    const answer = await exchange([`content-length: ${body.length}`, 'transfer-encoding: chunked'], `0\r\n\r\n${body}`)
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.equal(stub.received.length, received)
  })

  test('a chunked upload above the limit is a 413 that the client sees', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    const answer = await exchange(['transfer-encoding: chunked'], `${chunk.repeat(8)}0\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.match(answer, /"error_code":"body_too_large"/)
  })

  for (const [status, code, target, token] of [
    [413, 'body_too_large', 'POST /api/ingress/v1/messages', 'good'],
    [401, 'invalid_token', 'POST /api/ingress/v1/chat/completions', 'unknown'],
    [413, 'body_too_large', 'POST /api/events', 'good'],
    [401, 'invalid_token', 'PUT /api/workspace/policy', 'unknown']
  ] as const) {
    test(`${target}: a client that is refused during its upload can read why (${status})`, async () => {
      const answer = await uploadPastAnswer(service.running.port, [
        `${target} HTTP/1.1`,
        'content-type: application/json',
        `x-service-workspace-token: ${token === 'good' ? service.token : token}`
      ])
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(answer, /^connection: close\r$/im)
      assert.ok(answer.includes(`"${code}"`), answer)
    })
  }

  test('a redirect of the upstream is neither followed nor passed on', async () => {
    await using elsewhere = await startStubUpstream(upstream.answers())
    stub.behave((_, res) => void res.writeHead(307, { location: `${elsewhere.url}/v1/messages` }).end())
    for (const dialect of dialectNames) {
      const reply = await service.send(dialect, userBody(dialect, 'Hello.'))
      assert.equal(reply.status, 502, reply.text)
      assert.match(vendorError(dialect, reply).message, /^The upstream redirects elsewhere.* set its base address /)
      assert.equal(reply.headers['location'], undefined)
    }
    assert.deepEqual(elsewhere.received, [])
    stub.behave(upstream.answers())
  })
})

test('a shutdown lets an active stream end, and refuses new calls meanwhile', async () => {
  await using stub = await startStubUpstream(async (received, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of upstream.streamFrames(received, ['One', ' two', ' three'])) {
      res.write(frame)
      await sleep(60)
    }
    res.end()
  })
  await using service = await startTestService({ upstream: stub })
  const streaming = service.send('messages', userBody('messages', 'Hello.', { stream: true }))
  await stub.arrived(1)
  const closing = service.running.close()
  const late = await service.send('messages', userBody('messages', 'Hello.')).then(
    ({ status }) => status,
    () => 'refused'
  )
  assert.ok(late === 503 || late === 'refused', String(late))
  const reply = await streaming
  assert.equal(reply.status, 200)
  assert.match(reply.text, /message_stop/)
  await closing
  assert.equal(stub.received.length, 1)
})
