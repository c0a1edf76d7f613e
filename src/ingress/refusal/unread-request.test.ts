import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { takeExpectations } from '../body/expectation.ts'
import { answerUnread, noteAnswer, refuseUnclearHost, unrefused } from './unread-request.ts'

/** Sends `first`, and `then` once an answer has begun. @returns everything received until the connection closed */
async function exchange(listener: RequestListener, first: string, then?: string): Promise<string> {
  const serve: RequestListener = (req, res) => {
    noteAnswer(req, res)
    if (!refuseUnclearHost(req, res)) listener(req, res)
  }
  const server = createServer(unrefused, serve)
  takeExpectations(server, serve)
  server.on('clientError', answerUnread).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => void (received += text))
  socket.on('error', () => undefined)
  if (then !== undefined) socket.once('data', () => void socket.write(then))
  socket.write(first)
  await once(socket, 'close')
  server.close()
  return received
}

const canary = 'canary-4711'
const never: RequestListener = () => assert.fail('this is no request')

for (const [what, sent, status, code] of [
  [
    'headers that are too long',
    `POST / HTTP/1.1\r\nhost: a\r\nx: ${canary.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large'
  ],
  ['bytes that are none of HTTP', `${canary}\r\n\r\n`, 400, 'invalid_http'],
  ['a handshake of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001', 400, 'invalid_http'],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400, 'invalid_http']
] as const) {
  test(`${what} gets one answer that both programs and SDKs can read`, async () => {
    const received = await exchange(never, sent)
    const [head = '', text = ''] = received.split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} [A-Z][^]*content-type: application/problem\\+json`))
    assert.match(head, /^x-should-retry: false$/m)
    const body = JSON.parse(text) as Record<string, unknown>
    assert.deepEqual([body['status'], body['code']], [status, code])
    const { error } = body as { error: Record<string, unknown> }
    assert.equal(error['code'], code)
    assert.ok(String(error['message']).includes(String(body['requestId'])))
    assert.match(head, new RegExp(`^x-request-id: ${String(body['requestId'])}$`, 'm'))
    assert.ok(!received.includes(canary))
  })
}

for (const [what, header] of [
  ['two tokens on two lines', `x-token: a\r\n${canary}\r\n`],
  ['a line feed in the middle', `x-token: a\n${canary}\r\n`],
  ['a control character', `x-token: a\u0001${canary}\r\n`]
] as const) {
  test(`a header with ${what}: the answer says what to look for, without repeating it`, async () => {
    const received = await exchange(never, `GET / HTTP/1.1\r\nhost: a\r\n${header}\r\n`)
    const body = JSON.parse(received.split('\r\n\r\n')[1] ?? '') as Record<string, unknown>
    assert.deepEqual([body['status'], body['code']], [400, 'invalid_http'])
    assert.match(String(body['detail']), /header/)
    const { message } = body['error'] as { message: string }
    assert.match(message, /header of the request is broken.*line break/)
    assert.doesNotMatch(message, /TLS/)
    assert.ok(!received.includes(canary))
  })
}

test('several Host headers are refused, and the connection serves the next request', async () => {
  const paths: unknown[] = []
  const received = await exchange(
    (req, res) => {
      paths.push(req.url)
      res.end('fine')
    },
    `GET /first HTTP/1.1\r\nhost: a\r\nHOST: ${canary}\r\n\r\n`,
    'GET /second HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
  )
  assert.deepEqual(paths, ['/second'])
  assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n[^]*more than one `Host` header[^]*HTTP\/1\.1 200 OK[^]*fine/)
  assert.match(received, /"code":"invalid_http"/)
  assert.ok(!received.includes(canary))
})

test('several Host headers are refused before an upload has arrived, and the connection then closes', async () => {
  const received = await exchange(
    never,
    'POST / HTTP/1.1\r\nhost: a\r\nhost: b\r\ncontent-length: 10\r\n\r\n12345',
    '67890'
  )
  assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n[^]*^connection: close\r$/im)
})

test('a request without a Host header is refused in the same words, but not one of HTTP/1.0', async () => {
  const refused = await exchange(never, `GET /${canary} HTTP/1.1\r\nconnection: close\r\n\r\n`)
  assert.match(refused, /^HTTP\/1\.1 400 Bad Request\r\n[^]*^x-request-id: [^]*has no `Host` header/m)
  assert.match(refused, /"code":"invalid_http"/)
  assert.ok(!refused.includes(canary))
  const served = await exchange((_req, res) => void res.end('fine'), 'GET / HTTP/1.0\r\n\r\n')
  assert.match(served, /^HTTP\/1\.1 200 OK\r\n[^]*fine$/)
})

test('an expectation that nobody knows is ignored', async () => {
  const received = await exchange(
    (_req, res) => void res.end('fine'),
    'GET / HTTP/1.1\r\nhost: a\r\nexpect: the-moon\r\nconnection: close\r\n\r\n'
  )
  assert.match(received, /^HTTP\/1\.1 200 OK\r\n[^]*fine$/)
})

test('a connection that was used before is answered as well', async () => {
  const received = await exchange(
    (_req, res) => void res.end('first'),
    'GET / HTTP/1.1\r\nhost: a\r\n\r\n',
    'junk\r\n\r\n'
  )
  assert.match(received, /^HTTP\/1\.1 200 OK[^]*first[^]*HTTP\/1\.1 400 Bad Request[^]*"invalid_http"/)
})

test('nothing is written into an answer in progress', async () => {
  const received = await exchange(
    (_req, res) => void res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
    'GET / HTTP/1.1\r\nhost: a\r\n\r\n',
    'junk\r\n\r\n'
  )
  assert.match(received, /data: 1/)
  assert.ok(!received.includes('invalid_http'), received)
})
