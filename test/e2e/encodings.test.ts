/**
 * Bodies as they arrive over the wire: with each content encoding, chunked, after `Expect: 100-continue`; truncated,
 * damaged, and as decompression bombs. On every route.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as startRequest, type IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { call, type Reply } from '../support/http.ts'
import { assertOnlyMasked } from '../support/placeholder.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(307)

const encoders: Record<string, (text: string | Buffer) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync
}

/** The smallest body of each route with one text in it. */
const routes: Record<string, (text: string) => object> = {
  '/chat/completions': (content) => ({ model: 'm', messages: [{ role: 'user', content }] }),
  '/messages': (content) => ({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }),
  '/messages/count_tokens': (content) => ({ model: 'm', messages: [{ role: 'user', content }] }),
  '/responses': (input) => ({ model: 'm', input }),
  '/responses/compact': (input) => ({ model: 'm', input }),
  '/embeddings': (input) => ({ model: 'm', input })
}

const inflatedBytesMax = 262_144

describe('encodings', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    const env = {
      SERVICE_INGRESS_INFLATED_BYTES_MAX: String(inflatedBytesMax),
      // Little more than one bomb may use: the bytes held for a refused body must be released.
      SERVICE_INGRESS_BYTES_IN_FLIGHT_MAX: String(32 * 1024 * 1024)
    }
    service = running.use(await startTestService({ upstream: stub, env }))
  })
  after(() => running.disposeAsync())

  const headersOf = (encoding: string): Record<string, string> => ({
    'content-type': 'application/json',
    'content-encoding': encoding,
    'x-service-workspace-token': service.token
  })
  const send = (route: string, encoding: string, body: Buffer): Promise<Reply> =>
    call(service.sdkBaseUrl + route, { headers: headersOf(encoding), body })

  for (const [encoding, encode] of Object.entries(encoders)) {
    for (const [route, bodyOf] of Object.entries(routes)) {
      test(`${encoding} on ${route}: decoded, masked, and forwarded byte for byte as plain JSON`, async () => {
        stub.forget()
        const { value, needle, sentence } = planter('email')
        const body = JSON.stringify(bodyOf(sentence))
        const reply = await send(route, encoding, encode(body))
        assert.equal(reply.status, 200, reply.text)
        const [received] = stub.received
        assert.ok(received)
        assert.equal(received.headers['content-encoding'], undefined)
        assert.equal(received.headers['content-length'], String(received.body.length))
        assert.ok(!received.body.includes(needle))
        assertOnlyMasked(body, received.body.toString(), [value])
      })
    }

    test(`${encoding}: truncated anywhere, damaged, empty or followed by junk, it never leaks and never hangs`, async () => {
      stub.forget()
      const { needle, sentence } = planter('email')
      const whole = encode(JSON.stringify(routes['/messages']?.(sentence)))
      const places = Array.from({ length: 12 }, (_, i) => Math.floor((whole.length * i) / 12))
      for (const end of places) {
        const reply = await send('/messages', encoding, whole.subarray(0, end))
        assert.equal(reply.status, 400, `${end} of ${whole.length} bytes: ${reply.text}`)
        assert.match(reply.text, /"error_code":"invalid_(encoding|json|body)"/)
        assert.ok(!reply.text.includes(needle))
      }
      assert.equal(stub.received.length, 0, 'a body that is cut short was forwarded')
      for (const at of places.slice(1)) {
        const damaged = Buffer.from(whole)
        damaged.writeUInt8(damaged.readUInt8(at) ^ 0x5a, at)
        const { status, text } = await send('/messages', encoding, damaged)
        assert.ok([200, 400, 413].includes(status), text)
      }
      await send('/messages', encoding, Buffer.concat([whole, Buffer.from(sentence)]))
      assert.ok(!stub.received.some(({ body }) => body.includes(needle)))
    })

    test(`${encoding}: many concurrent bombs are refused, and release their memory`, async () => {
      stub.forget()
      const bomb = encode(Buffer.alloc(48 * 1024 * 1024, ' '))
      assert.ok(bomb.length < 100_000)
      const replies = await Promise.all(Array.from({ length: 24 }, () => send('/messages', encoding, bomb)))
      for (const { status, text } of replies) {
        assert.equal(status, 413, text)
        assert.match(text, /"error_code":"inflated_too_large"/)
      }
      const fits = routes['/messages']?.('x'.repeat(inflatedBytesMax - 200))
      const reply = await send('/messages', encoding, encode(JSON.stringify(fits)))
      assert.equal(reply.status, 200, reply.text)
      assert.equal(stub.received.length, 1)
    })

    test(`${encoding} in chunks, after 100-continue: accepted first, then masked`, async () => {
      stub.forget()
      const { needle, sentence } = planter('email')
      const body = encode(JSON.stringify(routes['/responses']?.(sentence)))
      const headers = { ...headersOf(encoding), expect: '100-continue', 'transfer-encoding': 'chunked' }
      const req = startRequest(`${service.sdkBaseUrl}/responses`, { method: 'POST', headers })
      req.flushHeaders()
      await once(req, 'continue')
      const half = body.length >> 1
      req.write(body.subarray(0, half))
      req.end(body.subarray(half))
      const [res] = (await once(req, 'response')) as [IncomingMessage]
      res.resume()
      assert.equal(res.statusCode, 200)
      await once(res, 'end')
      assert.equal(stub.received.length, 1)
      assert.ok(!stub.lastBody().includes(needle))
    })
  }
})
