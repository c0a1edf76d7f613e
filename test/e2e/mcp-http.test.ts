/**
 * The proxy between a client and an HTTP server: what passes, what the operator sets, what is refused, and disconnects
 * on either side.
 */
import assert from 'node:assert/strict'
import { request as httpRequest, type RequestListener } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import type { ErrorWords } from '../../src/sensor/mcp-proxy/gate-contract.ts'
import { eventually } from '../support/eventually.ts'
import { startGatedRelay } from '../support/mcp/gated-relay.ts'
import { startTestRelay } from '../support/mcp/start-relay.ts'
import { json, ping, post, startUpstream } from '../support/mcp/start-upstream.ts'
import { uploadPastAnswer } from '../support/upload-past-answer.ts'
import { testToken } from '../support/mcp/test-token.ts'

const answered = '{ "jsonrpc":"2.0", "id":1, "result":{"big":12345678901234567890} }'
describe('what passes', () => {
  it('bodies and responses unchanged, the status, and end-to-end headers', async () => {
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(200, { ...json, 'mcp-session-id': 'abc', 'x-rate-limit': '5', 'set-cookie': 'a=b' }).end(answered)
    })
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
    const headers = {
      authorization: 'Bearer of-the-client',
      'mcp-param-region': 'eu',
      'x-custom': 'yes',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      cookie: 'a=b',
      'x-service-workspace-token': testToken
    }
    const { statusCode, headers: got, body } = await post(relay.url, ping, headers)
    assert.equal(statusCode, 200)
    assert.equal(await body.text(), answered)
    assert.equal(got['mcp-session-id'], 'abc')
    assert.equal(got['x-rate-limit'], '5')
    assert.equal(got['set-cookie'], undefined)
    const [up] = upstream.seen
    assert.equal(up?.url, '/some/mcp?tenant=1')
    assert.equal(up?.headers.authorization, 'Bearer of-the-client')
    assert.equal(up?.headers['mcp-param-region'], 'eu')
    assert.equal(up?.headers['x-custom'], 'yes')
    assert.equal(up?.headers['traceparent'], headers.traceparent)
    assert.equal(up?.headers.cookie, undefined)
    assert.ok(!JSON.stringify(up?.headers).includes(testToken))
  })

  it('events one by one as they arrive, with their ids, comments and retry times', async () => {
    const frames = [
      '\uFEFF: hello\n\n',
      'id: 1\nretry: 100\ndata:\n\n',
      `event: message\r\nid: 2\r\ndata: {"jsonrpc":"2.0",\r\ndata: "method":"notifications/x"}\r\n\r\n`,
      `data: ${answered}\n\n`
    ]
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      void (async () => {
        for (const byte of Buffer.from(frames.join(''))) {
          res.write(Buffer.of(byte))
          if (byte === 0x0a) await sleep(1)
        }
        res.end()
      })()
    })
    const judged: string[] = []
    const gate = {
      open: () => ({
        fromClient: (message: Uint8Array) => ({ forward: message }),
        fromServer(message: Uint8Array) {
          judged.push(Buffer.from(message).toString())
          return { forward: message }
        },
        errorWords: ({ bytes }: ErrorWords) => bytes,
        close: () => undefined
      }),
      close: async () => undefined
    }
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' }, { gate })
    const { body } = await post(relay.url)
    // The byte order mark is removed, or the gate would read something else after it than a client does.
    assert.equal(await body.text(), frames.join('').slice(1))
    assert.deepEqual(judged, ['{"jsonrpc":"2.0",\n"method":"notifications/x"}', answered])
  })

  it('GET with Last-Event-ID, DELETE, and the errors of the server with their text', async () => {
    await using upstream = await startUpstream((req, res) => {
      if (req.method === 'GET') res.writeHead(200, { 'content-type': 'text/event-stream' }).end(': resumed\n\n')
      else if (req.method === 'DELETE') res.writeHead(405, { allow: 'GET, POST' }).end()
      else res.writeHead(418, { 'content-type': 'text/plain', 'retry-after': '7' }).end('a teapot')
    })
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
    const headers = { 'mcp-session-id': 'abc', 'last-event-id': '17', accept: 'text/event-stream' }
    const got = await request(relay.url, { method: 'GET', headers })
    assert.equal(await got.body.text(), ': resumed\n\n')
    assert.equal(upstream.seen[0]?.headers['last-event-id'], '17')
    const deleted = await request(relay.url, { method: 'DELETE', headers })
    assert.deepEqual([deleted.statusCode, deleted.headers.allow], [405, 'GET, POST'])
    await deleted.body.dump()
    const failed = await post(relay.url)
    assert.deepEqual([failed.statusCode, failed.headers['retry-after']], [418, '7'])
    assert.equal(await failed.body.text(), 'a teapot')
  })
})

describe('an error of the server', () => {
  const session = '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}'
  const login = '{"error":"invalid_token","error_description":"Sign in."}'
  const authenticate = { 'www-authenticate': 'Bearer resource_metadata="x"' }
  const first = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'

  it('arrives with its status and headers, whatever its text, because clients act on them', async () => {
    const answers = [
      [404, session, {}],
      [401, login, authenticate]
    ] as const
    for (const [status, text, more] of answers) {
      await using upstream = await startUpstream(
        (_req, res) => void res.writeHead(status, { ...json, ...more }).end(text)
      )
      await using relay = await startGatedRelay({ url: upstream.url, listen: '0' })
      const { statusCode, headers, body } = await post(relay.url, first, { 'mcp-session-id': 'gone' })
      assert.equal(await body.text(), text)
      assert.deepEqual([statusCode, headers['www-authenticate']], [status, more['www-authenticate' as never]])
    }
  })

  it('cannot contain a response that was not requested', async () => {
    const text = '{"jsonrpc":"2.0","id":7,"Result":{"content":[]}}'
    await using upstream = await startUpstream((_req, res) => void res.writeHead(400, json).end(text))
    await using relay = await startGatedRelay({ url: upstream.url, listen: '0' })
    const { statusCode, body } = await post(relay.url, first)
    assert.equal(statusCode, 502)
    assert.ok(!(await body.text()).includes('content'))
  })
})

describe('the credential of the operator', () => {
  it('replaces that of the client, and a login for it is never requested from the client', async () => {
    let status = 200
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(status, { ...json, 'www-authenticate': 'Bearer resource_metadata="x"' }).end(answered)
    })
    const headers = ['Authorization: Bearer ${UPSTREAM_SECRET}']
    const env = { UPSTREAM_SECRET: 'of-the-operator' }
    await using relay = await startTestRelay({ url: upstream.url, headers, listen: '0' }, { env })
    await (await post(relay.url, ping, { authorization: 'Bearer of-the-client' })).body.dump()
    assert.equal(upstream.seen[0]?.headers.authorization, 'Bearer of-the-operator')
    status = 401
    const refused = await post(relay.url)
    assert.equal(refused.statusCode, 502)
    assert.equal(refused.headers['www-authenticate'], undefined)
    assert.match(await refused.body.text(), /"id":1,.*does not accept the configured credential/)
  })
})

describe('a body', () => {
  it('reaches the server as the gate read it, whatever content type and encoding the client declares', async () => {
    const bodies: string[] = []
    await using upstream = await startUpstream(async (req, res) => {
      bodies.push(Buffer.concat(await Array.fromAsync(req as AsyncIterable<Buffer>)).toString())
      res.writeHead(200, json).end(answered)
    })
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
    // `+ACI-` is a quote in UTF-7, which some frameworks decode: it could hide another tool name.
    const odd = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"+ACI-"}}'
    await (await post(relay.url, odd, { 'content-type': 'application/json; charset=utf-7' })).body.dump()
    await (await post(relay.url, gzipSync(ping), { 'content-encoding': 'gzip' })).body.dump()
    assert.deepEqual(bodies, [odd, ping])
    for (const { headers } of upstream.seen)
      assert.deepEqual([headers['content-type'], headers['content-encoding']], ['application/json', undefined])
  })
})

describe('an answer', () => {
  const note = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}'

  it('reaches the client as the gate read it, whatever content type the server declares', async () => {
    // In UTF-7 `+AAoACg-` is an empty line: in a text, what follows it would be an event of its own.
    for (const charset of ['utf-7', '"UTF-16"', 'cp037'])
      for (const type of ['text/event-stream', 'application/json']) {
        const body = type === 'application/json' ? answered : `data: ${answered}\n\n`
        const headers = { 'content-type': `${type}; charset=${charset}` }
        await using upstream = await startUpstream((_req, res) => void res.writeHead(200, headers).end(body))
        await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
        const got = await post(relay.url)
        assert.equal(got.headers['content-type'], type, charset)
        assert.equal(await got.body.text(), body)
      }
  })

  it('keeps the charset in which it was read', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    await using upstream = await startUpstream((_req, res) => void res.writeHead(200, headers).end(answered))
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
    const got = await post(relay.url)
    assert.equal(got.headers['content-type'], headers['content-type'])
    await got.body.dump()
  })

  it('hides no event from clients that end lines at further characters', async () => {
    const hidden = `data: ${note}`
    for (const end of ['\u2028', '\u2029', '\u0085', '\v', '\f', '\x1c', '\x1d', '\x1e']) {
      const odd = `${end}${end}${hidden}${end}${end}`
      const events = [
        `: ${odd}\n\n`,
        `event: message${odd}\nid: 7\ndata: ${answered}\n\n`,
        `id: 8${odd}\r\ndata:\r\n\r\n`
      ]
      await using upstream = await startUpstream((_req, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''))
      })
      await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
      const { body } = await post(relay.url)
      assert.equal(await body.text(), `:\n\n:\nid: 7\ndata: ${answered}\n\n:\r\ndata:\r\n\r\n`)
    }
  })
})

describe('what is refused', () => {
  it('a host, a web page and a method that are not allowed, what is not JSON, what is too long', async () => {
    await using upstream = await startUpstream((_req, res) => void res.writeHead(200, json).end(answered))
    const env = { SERVICE_MCP_MESSAGE_BYTES_MAX: '8192', SERVICE_MCP_PROXY_HOSTS: 'proxy.example' }
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' }, { env })
    const { port } = new URL(relay.url)
    const raw = (headers: Record<string, string>, method = 'POST', path = '/mcp', body = ping): Promise<number> =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, method, path, headers: { ...json, ...headers } }
        httpRequest(options, (res) => resolve(res.resume().statusCode ?? 0))
          .on('error', reject)
          .end(method === 'GET' ? undefined : body)
      })
    assert.equal(await raw({ host: `evil.example:${port}` }), 403)
    assert.equal(await raw({ host: 'localhost:1' }), 403)
    assert.equal(await raw({ host: `localhost:${port}`, origin: 'http://evil.example' }), 403)
    assert.equal(await raw({ host: `localhost:${port}`, origin: 'null' }), 403)
    assert.equal(await raw({ host: `localhost:${port}`, 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await raw({ host: `localhost:${port}`, 'content-type': 'text/plain' }), 415)
    assert.equal(await raw({ host: `localhost:${port}` }, 'PUT'), 405)
    assert.equal(await raw({ host: `localhost:${port}` }, 'POST', '/'), 404)
    assert.equal(await raw({ host: `localhost:${port}` }, 'POST', '/mcp', 'x'.repeat(20_000)), 413)
    const head = ['POST /mcp HTTP/1.1', 'content-type: application/json']
    const early = await uploadPastAnswer(Number(port), head)
    assert.match(early, /^HTTP\/1\.1 413 [^]*"body_too_large"/)
    assert.equal(upstream.seen.length, 0)
    assert.equal(await raw({ host: `localhost:${port}`, origin: 'http://localhost:6274' }), 200)
    assert.equal(await raw({ host: 'proxy.example', origin: 'https://proxy.example' }), 200)
  })

  it('of the server: a redirect, an encoding, a response that is no message, one above the limit', async () => {
    const answers: Readonly<Record<string, RequestListener>> = {
      redirect: (_req, res) => void res.writeHead(307, { location: 'http://elsewhere.example/mcp' }).end(),
      encoding: (_req, res) => void res.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('x'),
      page: (_req, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end(answered),
      long: (_req, res) => void res.writeHead(200, json).end('x'.repeat(20_000)),
      'long event': (_req, res) =>
        void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${'x'.repeat(20_000)}\n\n`),
      gone: (req) => void req.socket.destroy()
    }
    let way = ''
    await using upstream = await startUpstream((req, res) => answers[way]?.(req, res))
    const env = { SERVICE_MCP_MESSAGE_BYTES_MAX: '8192' }
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' }, { env })
    for (way of Object.keys(answers)) {
      const { statusCode, body } = await post(relay.url)
      const text = await body.text()
      assert.equal(statusCode, way === 'long event' ? 200 : 502, way)
      assert.match(text, /"id":1,"error":\{"code":-3[0-9]+,"message":"[^"]{30,}/, way)
      assert.ok(!text.includes('elsewhere.example'))
    }
  })

  it('a call to a server that is down: the 502 says so, and the proxy keeps running', async () => {
    await using relay = await startTestRelay({ url: 'http://127.0.0.1:1/mcp', listen: '0' })
    const { statusCode, body } = await post(relay.url)
    assert.equal(statusCode, 502)
    assert.match(await body.text(), /cannot be reached: no connection could be made/)
  })
})

describe('a session', () => {
  it('has its ids free again after the proxy itself responded', async () => {
    await using relay = await startGatedRelay({ url: 'http://127.0.0.1:1/mcp', listen: '0' })
    for (let i = 0; i < 2; i++) {
      const { statusCode, body } = await post(relay.url, ping, { 'mcp-session-id': 'abc' })
      assert.equal(statusCode, 502)
      assert.match(await body.text(), /"id":1,.*cannot be reached/)
    }
  })

  it('of the server outlives the idle limit of the proxy, because the gate must know what its client can do', async () => {
    let closed = 0
    const gate = {
      open: () => ({
        fromClient: (message: Uint8Array) => ({ forward: message }),
        fromServer: (message: Uint8Array) => ({ forward: message }),
        errorWords: ({ bytes }: ErrorWords) => bytes,
        close: () => void closed++
      }),
      close: async () => undefined
    }
    await using upstream = await startUpstream((_req, res) => void res.writeHead(200, json).end(answered))
    const env = { SERVICE_MCP_SESSION_IDLE_MS: '1000' }
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' }, { env, gate })
    await (await post(relay.url, ping, { 'mcp-session-id': 'abc' })).body.dump()
    await sleep(1700)
    assert.equal(closed, 0)
  })
})

describe('when one side disconnects', () => {
  it('a client that disconnects ends its request at the server, before and during the response', async () => {
    for (const begins of [false, true]) {
      let isGone = false
      await using upstream = await startUpstream((_req, res) => {
        if (begins) res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
        res.on('close', () => void (isGone = true))
      })
      await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
      const controller = new AbortController()
      const call = request(relay.url, { method: 'POST', body: ping, headers: json, signal: controller.signal })
      const settled = call.then(async ({ body }) => body.text()).catch(() => 'aborted')
      await eventually('the request', () => (upstream.seen.length > 0 ? true : undefined))
      if (begins) await call
      controller.abort()
      assert.equal(await settled, 'aborted')
      await eventually('the end of the request', () => (isGone ? true : undefined))
    }
  })

  it('a stop of the proxy is told to calls that take too long, also in their stream', async () => {
    await using upstream = await startUpstream((_req, res) => {
      if (upstream.seen.length > 1) res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n')
    })
    const relay = await startTestRelay({ url: upstream.url, listen: '0' })
    const unanswered = post(relay.url, ping)
    await eventually('the first call', () => upstream.seen.length === 1 || undefined)
    const begun = await post(relay.url, ping.replace('"id":1', '"id":2'))
    await relay[Symbol.asyncDispose]()
    for (const { body } of [await unanswered, begun]) assert.match(await body.text(), /"proxy_stopping"/)
  })

  it('a stream that the server breaks off also breaks off for the client, which may resume it', async () => {
    let breakOff = (): void => assert.fail('nothing was asked yet')
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 7\ndata:\n\n')
      breakOff = () => void res.destroy()
    })
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
    const { body } = await post(relay.url)
    breakOff()
    await assert.rejects(body.text())
  })
})
