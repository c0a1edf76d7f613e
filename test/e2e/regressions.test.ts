/** Regression tests for faults that were found once. Each test names the correct behaviour. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, before, test } from 'node:test'
import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { userBody } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { startTestService, upstreamKeys, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers, hangs, stallsMidStream } from '../support/upstream-behaviours.ts'

const plant = createPlanter(4711)
const awsKey = plant('aws_access_key_id').value
const base64 = (bytes: string | Buffer): string => Buffer.from(bytes as string).toString('base64')

let upstream: StubUpstream
let service: TestService
before(async () => {
  upstream = await startStubUpstream(answers())
  service = await startTestService({ upstream, env: { UPSTREAM_IDLE_TIMEOUT_MS: '1000' } })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

const document = (media_type: string, data: string): string =>
  JSON.stringify({
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'base64', media_type, data } }] }]
  })

test('a secret in a document is found however the document is encoded', async () => {
  const text = `id=${awsKey} and more words to read\n`
  const utf16be = Buffer.from(text, 'utf16le').swap16()
  const spellings: Record<string, string> = {
    canonical: base64(text),
    'a line break behind the padding': `${base64(text)}\n`,
    'lines of 76': base64(text.repeat(4)).replace(/.{76}/g, '$&\n'),
    'a leading blank': ` ${base64(text)}`,
    'UTF-16 with a byte order mark': base64(Buffer.from(`\ufeff${text}`, 'utf16le')),
    'UTF-16 without one': base64(Buffer.from(text, 'utf16le')),
    'big-endian UTF-16': base64(Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be])),
    'UTF-16 that is cut in the middle of a letter': base64(Buffer.from(`\ufeff${text}x`, 'utf16le').subarray(0, -1)),
    'UTF-16 behind another script': base64(Buffer.from(`${'\u6f22\u5b57'.repeat(1500)}${text}`, 'utf16le')),
    'big-endian UTF-16 behind another script': base64(
      Buffer.from(`${'\u6f22\u5b57'.repeat(1500)}${text}`, 'utf16le').swap16()
    ),
    'UTF-32': base64(Buffer.from([...text].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]))),
    'big-endian UTF-32': base64(Buffer.from([...text].flatMap((letter) => [0, 0, 0, letter.charCodeAt(0)]))),
    'Latin-1 with a control character': base64(Buffer.from(`caf\xe9 \x01 ${text}`, 'latin1')),
    'padded runs one behind the other': `${base64('some text: ')}${base64(`id=${awsKey} and more`)}`,
    'not base64 at all': awsKey
  }
  for (const [label, data] of Object.entries(spellings)) {
    for (const mediaType of ['text/plain', 'application/octet-stream']) {
      const answer = await service.send('messages', document(mediaType, data))
      assert.equal(answer.status, 403, `${label}, ${mediaType}`)
    }
  }
})

test('JSON escapes inside a base64 document hide nothing', async () => {
  const body = document('text/plain', base64(`id=${awsKey} >>>???`))
    .replace(/\+/g, '\\u002B')
    .replace(/\//g, '\\u002F')
  assert.equal((await service.send('messages', body)).status, 403)
})

test('a raw secret in a field for base64 is found', async () => {
  const file = (file_data: string): string =>
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: [{ type: 'file', file: { file_data } }] }] })
  for (const data of [awsKey, `data:text/plain;base64,${awsKey}`]) {
    assert.equal((await service.send('chat-completions', file(data))).status, 403, data.slice(0, 10))
  }
})

test('a long model name that is a secret is not recorded, not even in part', async () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'x'.repeat(900) })}.${'Ab1_'.repeat(12)}`
  const answer = await service.send('chat-completions', JSON.stringify({ model: jwt, messages: [] }))
  assert.equal(answer.status, 403)
  const rows = await call(`${service.url}/api/audit?requestId=${answer.headers['x-request-id']}`, {
    method: 'GET',
    headers: { 'x-service-workspace-token': service.token }
  })
  assert.equal(rows.status, 200)
  assert.match(rows.text, /"outcome":"blocked"/)
  assert.equal(rows.text.includes(jwt.slice(0, 20)), false)
})

test('many findings in one text do not block the event loop', async () => {
  const mails = Array.from({ length: 60_000 }, (_, i) => `person${i}@acme-corp.dev`).join(' ')
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: mails }] })
  const turnMs = 5
  const delay = monitorEventLoopDelay({ resolution: turnMs })
  delay.enable()
  const startedAt = performance.now()
  const answer = await service.send('chat-completions', body)
  const turnsInTime = (performance.now() - startedAt) / turnMs
  delay.disable()
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['x-service-entities-masked'], '60000')
  // A slow machine takes long enough for many turns of the loop; a fast one loses few of those that fit the time.
  const turnsMin = Math.min(20, turnsInTime / 4)
  assert.ok(delay.count > turnsMin, `the loop had ${delay.count} turns of ${turnMs} ms, and not ${turnsMin}`)
  assert.equal(upstream.lastBody().includes('@acme-corp.dev'), false)
})

test('a client that does not read its response loses its connection, and the call is recorded', async () => {
  upstream.behave((_received, res) => {
    res.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(1_048_576, ' ')
    const more = (): void => {
      while (!res.destroyed && res.write(chunk)) continue
      if (!res.destroyed) res.once('drain', more)
    }
    more()
  })
  const requestId = '01934c1e-0000-7000-8000-00000000abcd'
  const body = '{"model":"m","messages":[]}'
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(
    `POST /api/ingress/v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-service-workspace-token: ${service.token}\r\n` +
      `x-request-id: ${requestId}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
  await upstream.lost(1)
  socket.destroy()
  assert.equal((await service.audit.ingress(requestId)).outcome, 'abandoned')
  upstream.behave(answers())
})

test('a response with two content-type headers passes', async () => {
  upstream.behave((_received, res) => {
    res.socket?.end(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
    )
  })
  const answer = await service.send('chat-completions', '{"model":"m","messages":[]}')
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '{}')
  upstream.behave(answers())
})

test("an upstream's error that repeats our credential does not reach the client", async () => {
  const error = JSON.stringify({ error: { message: `the key ${upstreamKeys.chat} may not do this` } })
  for (const [encoding, body] of [
    ['identity', error],
    ['gzip', gzipSync(error)]
  ] as const) {
    upstream.behave((_received, res) => {
      res.writeHead(403, { 'content-type': 'application/json', 'content-encoding': encoding })
      res.end(body)
    })
    const answer = await service.send('chat-completions', '{"model":"m","messages":[]}')
    assert.equal(answer.status, 502, encoding)
    assert.match(answer.text, /"code":"upstream_credentials"/)
    assert.equal(answer.text.includes(upstreamKeys.chat), false, encoding)
  }
  upstream.behave((_received, res) => {
    res.writeHead(429, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    res.end(gzipSync('{"error":{"message":"Too many."}}'))
  })
  const passed = await service.send('chat-completions', '{"model":"m","messages":[]}')
  assert.equal(passed.status, 429)
  assert.match(gunzipSync(passed.bytes).toString(), /Too many/)
  upstream.behave(answers())
})

test("an upstream's error whose text may not pass keeps its status, and says when to call again", async () => {
  const error = JSON.stringify({ error: { message: `the key ${upstreamKeys.chat} is over its quota` } })
  const long = JSON.stringify({ error: { message: randomBytes(200_000).toString('hex') } })
  for (const [status, encoding, body] of [
    [429, undefined, error],
    [529, 'deflate', deflateRawSync(error)],
    [503, 'gzip', gzipSync(long)],
    [429, 'gzip', '{"error":{"message":"Too many."}}'],
    [403, 'compress', error]
  ] as const) {
    upstream.behave((_received, res) => {
      const headers = { 'retry-after': '17', 'x-should-retry': 'true', 'request-id': 'req_7', 'x-private': 'account' }
      const encoded = encoding === undefined ? {} : { 'content-encoding': encoding }
      res.writeHead(status, { 'content-type': 'text/plain', ...headers, ...encoded })
      res.end(body)
    })
    const answer = await service.send('chat-completions', '{"model":"m","messages":[]}')
    assert.equal(answer.status, status, String(encoding))
    assert.equal(answer.text.includes(upstreamKeys.chat), false, String(encoding))
    const { message, code } = (JSON.parse(answer.text) as { error: { message: string; code: string } }).error
    assert.equal(code, 'upstream_failed')
    assert.match(message, RegExp(`^The upstream answered with status ${status}\\. Its text is withheld`))
    const { headers } = answer
    assert.equal(headers['retry-after'], '17')
    assert.equal(headers['x-should-retry'], 'true')
    assert.equal(headers['request-id'], 'req_7')
    assert.equal(headers['x-private'], undefined)
    assert.equal(headers['content-encoding'], undefined)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
  }
  upstream.behave((_received, res) => void res.writeHead(500, { 'content-encoding': 'compress' }).end('x'))
  const bare = await service.send('chat-completions', '{"model":"m","messages":[]}')
  assert.equal(bare.status, 500)
  assert.equal(bare.headers['retry-after'], undefined, 'nothing that the upstream did not say')
  upstream.behave(answers())
})

test('a stream that announced a length and breaks off still ends with an error of its dialect', async () => {
  upstream.behave((_received, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '1000' })
    res.write('data: {"id":"x","choices":[]}\n\n', () => res.destroy())
  })
  const answer = await service.send('chat-completions', '{"model":"m","stream":true,"messages":[]}')
  assert.match(answer.text, /^data: \{"id":"x","choices":\[\]\}\n\ndata: \{"error"/)
  upstream.behave(answers())
})

async function heldBytesOf(url: string): Promise<number> {
  const { text } = await call(`${url}/metrics`, { method: 'GET' })
  return Number(/^sluice_ingress_held_bytes (\d+)/m.exec(text)?.[1])
}

test('a request counts among the bytes that are held until its answer begins, and no longer', async () => {
  await using stub = await startStubUpstream(hangs)
  await using shared = await startTestService({ upstream: stub })
  const body = userBody('messages', 'x'.repeat(100_000), { stream: true })
  const headers = { 'content-type': 'application/json', 'x-service-workspace-token': shared.token }
  const ask = async (signal: AbortSignal) =>
    await fetch(`${shared.url}/api/ingress/v1/messages`, { method: 'POST', headers, body, signal })
  const [first, second] = [new AbortController(), new AbortController()]
  const waiting = ask(first.signal).catch(() => undefined)
  await stub.arrived(1)
  assert.ok((await heldBytesOf(shared.url)) >= body.length)
  first.abort()
  await waiting
  await eventually('nothing is held', async () => (await heldBytesOf(shared.url)) === 0 || undefined)
  stub.behave(stallsMidStream)
  const answer = await ask(second.signal)
  assert.ok((await answer.body?.getReader().read())?.value)
  assert.equal(await heldBytesOf(shared.url), 0)
  second.abort()
})

test('one token with many slow uploads leaves the share of another', async () => {
  const mib = 1_048_576
  await using shared = await startTestService({
    upstream,
    env: { SERVICE_INGRESS_BYTES_IN_FLIGHT_MAX: String(8 * mib), SERVICE_INGRESS_BODY_BYTES_MAX: String(mib) }
  })
  const other = await shared.createToken()
  await using undo = new AsyncDisposableStack()
  const heldBytes = mib - 1
  for (let count = 1; count <= 6; count++) {
    const socket = connect(shared.running.port, '127.0.0.1').on('error', () => {})
    undo.defer(() => void socket.destroy())
    socket.write(
      `POST /api/ingress/v1/messages HTTP/1.1\r\nhost: a\r\nx-service-workspace-token: ${shared.token}\r\n` +
        `content-length: ${mib}\r\n\r\n`
    )
    socket.write(Buffer.alloc(heldBytes, 0x20))
    await eventually(`upload ${count}`, async () => (await heldBytesOf(shared.url)) === count * heldBytes || undefined)
  }
  const body = userBody('messages', 'x'.repeat(400_000))
  assert.equal((await shared.send('messages', body)).status, 503)
  assert.equal((await shared.send('messages', body, { token: other.token })).status, 200)
  const events = (token: string) =>
    call(`${shared.url}/api/events`, {
      headers: { 'content-type': 'application/json', 'x-service-workspace-token': token },
      body: '{"kind":"still_here"}'
    })
  assert.equal((await events(shared.token)).status, 503)
  assert.equal((await events(other.token)).status, 202)
})

test('a custom kind named like a property of every object is counted, and breaks nothing', async () => {
  await using own = await startTestService({ upstream })
  const custom = [{ id: 'constructor', pattern: 'PROJ-[0-9]{6}', tier: 'medium', tests: { match: ['PROJ-123456'] } }]
  await publishProfile(own, { custom })
  const answer = await own.send('messages', userBody('messages', 'About PROJ-123456 and PROJ-654321.'))
  assert.deepEqual([answer.status, answer.headers['x-service-entities-masked']], [200, '2'])
  const row = await own.audit.only(answer.headers['x-request-id'] ?? '')
  assert.deepEqual(row.detail['entityCounts'], { constructor: 2 })
})

test('the model name is recorded without control characters and lone surrogates', async () => {
  const model = 'm\u0000\u001b[2J\u009b1m\r\nx\ud800'
  const answer = await service.send('messages', JSON.stringify({ model, max_tokens: 1, messages: [] }))
  assert.equal(answer.status, 200)
  assert.equal(upstream.lastBody(), JSON.stringify({ model, max_tokens: 1, messages: [] }), 'it goes up as it is')
  const row = await service.audit.only(answer.headers['x-request-id'] ?? '')
  assert.equal(row.detail['modelId'], 'm  [2J 1m  x\ufffd')
})
