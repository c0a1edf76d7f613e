/**
 * A sidecar while policy, service and network change: it masks or refuses, and never lets anything through unmasked.
 */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { eventually } from '../support/eventually.ts'
import { storedEvents } from '../support/events.ts'
import { freePort } from '../support/free-port.ts'
import { call, type Reply } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { startTestSidecar, type TestSidecar } from '../support/start-sidecar.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { startTcpRelay } from '../support/tcp-relay.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(503)

/** A call to a sidecar, or to what claims to be one, as an agent without an SDK makes it. */
function ask(url: string, text: string, headers: Record<string, string> = {}, path = '/v1/messages'): Promise<Reply> {
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: text }] })
  return call(url + path, { headers: { 'content-type': 'application/json', ...headers }, body })
}

/** The code of a refusal, which must have the error format of its API. */
function codeOf(reply: Reply): string {
  const { error } = reply.json() as { error: { code?: string; details?: { error_code?: string } } }
  return error.code ?? error.details?.error_code ?? ''
}

/** Nobody listens there. */
const deadUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`

describe('a sidecar', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  test('refuses calls until it has had a policy, and says why', async () => {
    await using sidecar = await startTestSidecar({ target: await deadUrl(), token: service.token })
    const expected = /The sidecar has no policy yet, so it forwards nothing: the service cannot be reached\./
    await eventually('the cause', () => (sidecar.running.policy.status.problem === 'unreachable' ? true : undefined))
    for (const path of ['/v1/messages', '/v1/chat/completions', '/v1/v1/messages', '/chat/completions']) {
      const reply = await ask(sidecar.url, 'Hello.', {}, path)
      assert.equal(reply.status, 503)
      assert.equal(codeOf(reply), 'policy_unavailable')
      assert.match(reply.text, expected)
      assert.equal(reply.headers['retry-after'], '5')
    }
    assert.equal((await call(`${sidecar.url}/livez`, { method: 'GET' })).status, 200)
    const ready = await call(`${sidecar.url}/readyz`, { method: 'GET' })
    assert.equal(ready.status, 503)
    assert.partialDeepStrictEqual(ready.json(), { checks: { policy: { state: 'unresolved', problem: 'unreachable' } } })
  })

  test('follows the policy of the service', async () => {
    await using sidecar = await startTestSidecar({ target: service.url, token: service.token })
    await sidecar.running.policy.ready()
    const { sentence, needle } = planter('email')
    assert.equal((await ask(sidecar.url, sentence)).headers['x-service-action'], 'mask')
    const revision = await publishProfile(service, { actions: { kinds: { email_address: 'block' } } })
    await sidecar.enforces(Number.parseInt(revision, 10))
    stub.forget()
    const refused = await ask(sidecar.url, sentence)
    assert.equal(refused.status, 403)
    assert.equal(refused.headers['x-service-policy-revision'], revision)
    assert.equal(stub.received.length, 0)
    await sidecar.enforces(Number.parseInt(await publishProfile(service, { preset: 'standard' }), 10))
    const masked = await ask(sidecar.url, sentence)
    assert.equal(masked.status, 200)
    assert.ok(!stub.lastBody().includes(needle))
  })

  test('enforces the last policy while the service is away, also after a restart, and reports afterwards, once', async () => {
    const dataDir = await makeDataDir()
    const serviceDir = await makeDataDir()
    try {
      const port = String(await freePort())
      const first = await startTestService({ upstream: stub, dataDir: serviceDir, env: { PORT: port } })
      const { token, url: target } = first
      const settings = { target, token, dataDir }
      const masked = planter('email')
      const secret = planter('aws_access_key_id')
      const refusedIds: string[] = []
      {
        await using sidecar = await startTestSidecar(settings)
        await sidecar.running.policy.ready()
        assert.equal((await ask(sidecar.url, masked.sentence)).status, 200)
        await first[Symbol.asyncDispose]()
        const away = await ask(sidecar.url, masked.sentence)
        assert.equal(away.status, 502)
        assert.equal(codeOf(away), 'upstream_unreachable')
        assert.match(away.text, /The service that this sidecar forwards to cannot be reached\./)
        refusedIds.push(away.headers['x-request-id'] ?? '')
      }
      await using sidecar = await startTestSidecar(settings)
      await sidecar.running.policy.ready()
      const ready = await call(`${sidecar.url}/readyz`, { method: 'GET' })
      assert.equal(ready.status, 200)
      assert.equal(ready.json()['status'], 'degraded')
      const blocked = await ask(sidecar.url, secret.sentence)
      assert.equal(blocked.status, 403)
      refusedIds.push(blocked.headers['x-request-id'] ?? '')

      await using second = await startTestService({ upstream: stub, dataDir: serviceDir, env: { PORT: port } })
      assert.equal((await ask(sidecar.url, masked.sentence)).status, 200)
      await eventually('a fresh policy', () => (sidecar.running.policy.status.state === 'fresh' ? true : undefined))
      for (const [index, kind] of ['ingress_unanswered', 'ingress_block'].entries()) {
        const requestId = refusedIds[index] ?? ''
        const events = await eventually(`the ${kind}`, async () => {
          const found = await storedEvents(second, { requestId })
          return found.length > 0 ? found : undefined
        })
        assert.deepEqual(
          events.map((event) => event.kind),
          [kind]
        )
      }
      assert.ok(stub.received.every(({ body }) => !body.includes(masked.needle) && !body.includes(secret.needle)))
    } finally {
      for (const dir of [dataDir, serviceDir]) await rm(dir, { recursive: true, force: true })
    }
  })

  test('a service that is silent, resets or sends garbage is a 504 or 502, and says nothing to the upstream', async () => {
    await using relay = await startTcpRelay(() => service.running.port)
    const target = `http://127.0.0.1:${relay.port}`
    const env = { UPSTREAM_HEADERS_TIMEOUT_MS: '500' }
    await using sidecar = await startTestSidecar({ target, token: service.token, env })
    await sidecar.running.policy.ready()
    relay.mode = 'blackhole'
    const silent = await ask(sidecar.url, 'Hello.')
    assert.equal(silent.status, 504)
    assert.equal(codeOf(silent), 'upstream_timeout')
    // The connection of the previous call was abandoned, so this call opens a new one.
    const before = relay.connections()
    const asking = ask(sidecar.url, 'Hello.')
    await eventually('the call', () => (relay.connections() > before ? true : undefined))
    relay.reset()
    assert.ok([502, 504].includes((await asking).status))

    await using nonsense = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('HELLO 42\r\n\r\n'))
    })
    await new Promise<void>((resolve) => nonsense.listen(0, '127.0.0.1', resolve))
    const dataDir = await makeDataDir()
    try {
      await learnPolicy(dataDir)
      const other = `http://127.0.0.1:${(nonsense.address() as AddressInfo).port}`
      await using lost = await startTestSidecar({ target: other, token: service.token, dataDir })
      await lost.running.policy.ready()
      const reply = await ask(lost.url, 'Hello.')
      assert.equal(reply.status, 502)
      assert.equal(codeOf(reply), 'upstream_failed')
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('a target that redirects, or repeats the token of the sidecar, is not the service, and the error says so', async () => {
    const dataDir = await makeDataDir()
    try {
      await learnPolicy(dataDir)
      await using other = await startStubUpstream((_, res) => void res.writeHead(301, { location: service.url }).end())
      await using lost = await startTestSidecar({ target: other.url, token: service.token, dataDir })
      await lost.running.policy.ready()
      const redirected = await ask(lost.url, 'Hello.')
      assert.equal(redirected.status, 502)
      assert.match(
        redirected.text,
        /The service that this sidecar forwards to redirects .* set SERVICE_INGRESS_TARGET to/
      )
      assert.equal(redirected.headers['location'], undefined)
      other.behave(({ headers }, res) => void res.writeHead(401).end(JSON.stringify(headers)))
      const repeated = await ask(lost.url, 'Hello.')
      assert.equal(repeated.status, 502)
      assert.match(
        repeated.text,
        /The service that this sidecar forwards to .* sent an answer that cannot be passed on\./
      )
      assert.ok(!repeated.text.includes(service.token))
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  /** Lets a sidecar with the service's token receive the policy, so that another one can start from its file. */
  async function learnPolicy(dataDir: string): Promise<void> {
    await using sidecar = await startTestSidecar({ target: service.url, token: service.token, dataDir })
    await sidecar.running.policy.ready()
  }

  test('a target that is a sidecar is refused as a loop', async () => {
    const dataDir = await makeDataDir()
    try {
      await learnPolicy(dataDir)
      await using last = await startTestSidecar({ target: service.url, token: service.token })
      const target = `http://127.0.0.1:${last.running.port}/v1`
      await using sidecar = await startTestSidecar({ target, token: service.token, dataDir })
      await sidecar.running.policy.ready()
      const reply = await ask(sidecar.url, 'Hello.')
      assert.equal(reply.status, 508)
      assert.equal(codeOf(reply), 'loop_detected')
      assert.equal(reply.headers['x-should-retry'], 'false')
      assert.match(reply.text, /SERVICE_INGRESS_TARGET/)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('a token that expires or is revoked is a 401 for the client, and the policy stays', async () => {
    for (const code of ['expired_token', 'revoked_token'] as const) {
      const { token, id } = await service.createToken()
      await using sidecar = await startTestSidecar({ target: service.url, token })
      await sidecar.running.policy.ready()
      if (code === 'revoked_token') await service.revokeToken(id)
      else await service.running.tokens.rotate({ workspaceId: defaultWorkspaceId, id, overlapMs: 300 }, 'test')
      const reply = await eventually(code, async () => {
        const now = await ask(sidecar.url, 'Hello.')
        return now.status === 200 ? undefined : now
      })
      assert.equal(reply.status, 401)
      assert.equal(codeOf(reply), code)
      assert.equal(reply.headers['x-should-retry'], 'false')
      assert.equal((await ask(sidecar.url, planter('jwt').sentence)).status, 403)
    }
  })

  describe('access control', () => {
    let sidecar: TestSidecar
    before(async () => {
      const env = { SERVICE_SIDECAR_HOSTS: 'sidecar.internal, other:99' }
      sidecar = running.use(await startTestSidecar({ target: service.url, token: service.token, env }))
      await sidecar.running.policy.ready()
    })

    test('allows the names of this machine and configured ones, with their ports', async () => {
      const { port } = sidecar.running
      const good = [`localhost:${port}`, `LOCALHOST:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]
      for (const host of [...good, 'sidecar.internal', 'sidecar.internal:1234', 'other:99'])
        assert.equal((await ask(sidecar.url, 'Hello.', { host })).status, 200, host)
      const bad = ['localhost', `localhost:${port + 1}`, `attacker.example:${port}`, 'other:98', `localhost.x:${port}`]
      for (const host of bad) {
        const reply = await ask(sidecar.url, 'Hello.', { host })
        assert.equal(reply.status, 403, host)
        assert.equal(codeOf(reply), 'host_not_allowed')
        assert.ok(!reply.text.includes('attacker'), 'a message repeats no value')
      }
    })

    test('rejects web pages, and bodies that a page can send without a preflight request', async () => {
      for (const headers of [
        { origin: 'null' },
        { origin: 'http://localhost:3000' },
        { 'sec-fetch-site': 'same-site' }
      ]) {
        const reply = await ask(sidecar.url, 'Hello.', headers)
        assert.equal(reply.status, 403)
        assert.equal(codeOf(reply), 'browser_not_allowed')
      }
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])
        assert.equal((await ask(sidecar.url, 'Hello.', { 'content-type': type })).status, 415, type)
      assert.equal((await ask(sidecar.url, 'Hi.', { 'content-type': 'application/json; charset=utf-8' })).status, 200)
      const preflight = await call(`${sidecar.url}/v1/messages`, {
        method: 'OPTIONS',
        headers: { origin: 'http://a.b' }
      })
      assert.equal(preflight.status, 403)
      assert.equal(preflight.headers['access-control-allow-origin'], undefined)
    })

    test('rejects malformed tokens, two tokens, and unknown paths, in the error format of the API', async () => {
      const other = (await service.createToken()).token
      const conflict = await ask(sidecar.url, 'Hello.', {
        'x-service-workspace-token': service.token,
        authorization: `Bearer ${other}`
      })
      assert.equal(codeOf(conflict), 'token_conflict')
      const bad = await ask(sidecar.url, 'Hello.', { 'x-service-workspace-token': `${other}x` })
      assert.equal(codeOf(bad), 'invalid_token')
      const missing = await ask(sidecar.url, 'Hello.', {}, '/v1/complete')
      assert.equal(missing.status, 404)
      assert.match(missing.text, /There is no model API at this path\. Served below \/v1, /)
    })

    test('allows both loopback addresses, as far as the machine has them', async () => {
      const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
        addresses.map(({ address }) => address)
      )
      for (const host of own.includes('::1') ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'])
        assert.equal((await ask(`http://${host}:${sidecar.running.port}`, 'Hello.')).status, 200)
    })
  })
})
