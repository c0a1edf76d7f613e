/** Clients that use the address of a sidecar or a service as an HTTP proxy: nothing is forwarded, and they are told. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { createPlanter } from '../support/planted.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startTestSidecar, type TestSidecar } from '../support/start-sidecar.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const { sentence } = createPlanter(504)('jwt')
const content = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: sentence }] })

interface Told {
  readonly status: number
  readonly text: string
}

/** What a client with `HTTP_PROXY` sends: the absolute URL in the request line, and its host as `Host`. */
async function throughProxy(port: number, url: string, headers: Record<string, string> = {}): Promise<Told> {
  const { host } = new URL(url)
  const all = { 'content-type': 'application/json', host, ...headers }
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: url, headers: all, agent: false })
  sent.end(content)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, text: await text(answer) }
}

/** What a client with `HTTPS_PROXY` sends. */
async function tunnel(port: number): Promise<Told> {
  const sent = request({ host: '127.0.0.1', port, method: 'CONNECT', path: 'api.example:443', agent: false })
  sent.end()
  const [answer, socket, head] = (await once(sent, 'connect')) as [IncomingMessage, NodeJS.ReadableStream, Buffer]
  return { status: answer.statusCode ?? 0, text: head.toString() + (await text(socket)) }
}

describe('an address that is mistaken for a proxy', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  let sidecar: TestSidecar
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
    sidecar = running.use(await startTestSidecar({ target: service.url, token: service.token }))
    await sidecar.running.policy.ready()
  })
  after(() => running.disposeAsync())

  test('of a sidecar says so in the error format of the API, and names the base URL', async () => {
    const { port } = sidecar.running
    for (const told of [
      await throughProxy(port, 'http://api.example/v1/messages'),
      await throughProxy(port, 'http://api.example/v1/chat/completions'),
      await throughProxy(port, 'http://api.example/'),
      await throughProxy(port, 'http://api.example/metrics'),
      // Whatever `Host` says: the client wants the URL in the request line.
      await throughProxy(port, 'http://api.example/v1/messages', { host: `localhost:${port}` }),
      await tunnel(port)
    ]) {
      assert.equal(told.status, 421, told.text)
      assert.match(told.text, /"(?:error_)?code":"not_a_proxy"/)
      assert.ok(told.text.includes(`http://localhost:${port}/v1`) && told.text.includes('HTTP_PROXY'), told.text)
      assert.ok(!told.text.includes('api.example'), 'a message repeats no value')
    }
    assert.equal(stub.received.length, 0)
  })

  test('of a sidecar serves requests for the sidecar itself', async () => {
    const { port } = sidecar.running
    const own = await throughProxy(port, `http://LOCALHOST:${port}/v1/messages`, { 'content-type': 'text/plain' })
    assert.equal(own.status, 415, 'it is judged like any other request')
    const told = await throughProxy(port, `http://localhost:${port}/v1/messages`)
    assert.match(told.text, /high_risk_content_blocked/)
  })

  test('of a service says so if it has no such path', async () => {
    const { port } = service.running
    for (const told of [await throughProxy(port, 'http://api.example/v1/chat/completions'), await tunnel(port)]) {
      assert.equal(told.status, 421, told.text)
      assert.match(told.text, /"code":"not_a_proxy"/)
      assert.ok(told.text.includes('not an HTTP proxy') && !told.text.includes('api.example'), told.text)
    }
    assert.equal(stub.received.length, 0)
  })
})
