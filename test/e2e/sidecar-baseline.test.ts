/** What a sidecar does with a baseline policy before it has received one, and the content of its `/metrics`. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { createSensor } from '../../src/sdk/index.ts'
import { revisionId } from '../../src/policy/revision.ts'
import { eventually } from '../support/eventually.ts'
import { storedEvents } from '../support/events.ts'
import { call, type Reply } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { startTestSidecar } from '../support/start-sidecar.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { startTcpRelay } from '../support/tcp-relay.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(504)

function ask(url: string, text: string): Promise<Reply> {
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: text }] })
  return call(`${url}/v1/messages`, { headers: { 'content-type': 'application/json' }, body })
}
const get = (url: string): Promise<Reply> => call(url, { method: 'GET' })

describe('a baseline', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  test('is enforced and reported until there has been a policy, and never again afterwards', async () => {
    const dataDir = await makeDataDir()
    const env = { SERVICE_SIDECAR_BASELINE: 'standard' }
    // This token may make calls but not read the policy: the service is reachable, and the policy is not.
    const mute = (await service.createToken({ scopes: ['ingress:write', 'events:write'] })).token
    try {
      {
        await using sidecar = await startTestSidecar({ target: service.url, token: mute, env })
        await eventually('the cause', () => (sidecar.running.policy.status.problem === 'forbidden' ? true : undefined))
        const { sentence, needle } = planter('email')
        const masked = await ask(sidecar.url, sentence)
        assert.equal(masked.status, 200, masked.text)
        assert.match(String(masked.headers['x-service-policy-revision']), /^baseline-[0-9a-f]{16}$/)
        assert.ok(!stub.lastBody().includes(needle))
        assert.equal((await ask(sidecar.url, planter('aws_access_key_id').sentence)).status, 403)
        const ready = await get(`${sidecar.url}/readyz`)
        assert.equal(ready.status, 200)
        const policy = { state: 'baseline', problem: 'forbidden' }
        assert.partialDeepStrictEqual(ready.json(), { status: 'degraded', checks: { policy } })
        assert.match((await get(`${sidecar.url}/metrics`)).text, /^sluice_sidecar_policy_state\{state="baseline"\} 1$/m)
      }
      await using relay = await startTcpRelay(() => service.running.port)
      const settings = { target: `http://127.0.0.1:${relay.port}`, token: service.token, dataDir, env }
      {
        await using sidecar = await startTestSidecar(settings)
        await sidecar.running.policy.ready()
        const { headers } = await ask(sidecar.url, 'Hello.')
        assert.match(String(headers['x-service-policy-revision']), /^1-/)
      }
      relay.mode = 'blackhole'
      await using sidecar = await startTestSidecar(settings)
      await sidecar.running.policy.ready()
      // The service does not respond any more: what the sidecar says by itself must name the policy of its file.
      const blocked = await ask(sidecar.url, planter('aws_access_key_id').sentence)
      assert.match(String(blocked.headers['x-service-policy-revision']), /^1-/)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('metrics count calls by outcome, and masked values', async () => {
    await using sidecar = await startTestSidecar({ target: service.url, token: service.token })
    await sidecar.running.policy.ready()
    await ask(sidecar.url, planter('email').sentence)
    await ask(sidecar.url, planter('jwt').sentence)
    const page = await eventually('both calls', async () => {
      const reply = await get(`${sidecar.url}/metrics`)
      const counted = ['forwarded', 'blocked'].every((how) => reply.text.includes(`outcome="${how}"} 1\n`))
      return counted ? reply : undefined
    })
    assert.match(String(page.headers['content-type']), /^text\/plain; version=0\.0\.4/)
    assert.match(page.text, /^sluice_sidecar_calls_total\{outcome="blocked"\} 1$/m)
    assert.match(page.text, /^sluice_sidecar_entities_masked_total 1$/m)
    assert.match(page.text, /^sluice_sidecar_policy_state\{state="fresh"\} 1$/m)
    for (const line of page.text.trimEnd().split('\n'))
      assert.match(line, /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="[\w.]+"\})? [0-9.e+-]+)$/)
  })

  test('a policy older than the one in force is rejected, and the one in force stays', async () => {
    const dataDir = await makeDataDir()
    try {
      const newest = await publishProfile(service, { actions: { kinds: { email_address: 'block' } } })
      {
        await using sidecar = await startTestSidecar({ target: service.url, token: service.token, dataDir })
        await sidecar.enforces(Number.parseInt(newest, 10))
      }
      // A service restored from an old backup streams revision 1 again.
      await using old = await startStubUpstream((_request, response) => {
        const documents = { mcpToolPolicy: { version: 1 }, redactionProfile: { version: 1 } }
        const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
        const data = JSON.stringify({ revision: revisionId(1, documents, sha256), ...documents })
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`event: policy\ndata: ${data}\n\n`)
      })
      await using sidecar = await startTestSidecar({ target: old.url, token: service.token, dataDir })
      await eventually('the refusal', () => (sidecar.running.policy.status.problem === 'rejected' ? true : undefined))
      const blocked = await ask(sidecar.url, planter('email').sentence)
      assert.deepEqual([blocked.status, blocked.headers['x-service-policy-revision']], [403, newest])
      const ready = (await get(`${sidecar.url}/readyz`)).json()
      assert.partialDeepStrictEqual(ready, { status: 'degraded', checks: { policy: { problem: 'rejected' } } })
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('a clock that is a day fast or slow loses no event and stops no policy', async () => {
    for (const [index, skewMs] of [86_400_000, -8 * 86_400_000].entries()) {
      const wallMs = (): number => Date.now() + skewMs
      await using sensor = createSensor({ target: service.url, token: service.token, env: {}, wallMs })
      await sensor.policy.ready()
      assert.equal(sensor.policy.state.state, 'fresh')
      assert.ok(sensor.report({ kind: `skewed_${index}` }).ok)
      const [event] = await eventually('the event', async () => {
        const found = await storedEvents(service, { kind: `skewed_${index}` })
        return found.length > 0 ? found : undefined
      })
      assert.ok(Math.abs(Number(event?.sensorMetadata['clockSkewMs']) - skewMs) < 60_000)
      assert.ok(Math.abs(Number(event?.occurredAt) - Date.now()) < 60_000)
    }
  })
})
