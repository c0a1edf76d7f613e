/** Heartbeats: what sidecars and sensors report about themselves, and what `GET /api/sensors` makes of it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { createSensor } from '../../src/sdk/index.ts'
import { sensorHeartbeatKind } from '../../src/protocol/events/event-schema.ts'
import { builtInVocabularies } from '../../src/protocol/vocabularies.ts'
import { startGate, type RunningGate } from '../../src/sensor/mcp-proxy/gate.ts'
import { eventually } from '../support/eventually.ts'
import { post, receipt, storedAudit, storedEvents } from '../support/events.ts'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestSidecar } from '../support/start-sidecar.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'

interface Sensor {
  readonly sensorId: string | null
  readonly tokenId: string
  readonly lastSeenAt: string
  readonly [field: string]: unknown
}

describe('sensors', () => {
  const running = new AsyncDisposableStack()
  let service: TestService
  let reader: string
  before(async () => {
    service = running.use(await startTestService())
    reader = (await service.createToken({ scopes: ['audit:read'] })).token
  })
  after(() => running.disposeAsync())

  const list = async (token = reader): Promise<readonly Sensor[]> => {
    const headers = { 'x-service-workspace-token': token }
    const reply = await call(`${service.url}/api/sensors`, { method: 'GET', headers })
    assert.equal(reply.status, 200, reply.text)
    return reply.json()['sensors'] as Sensor[]
  }
  const find = (id: string, state: string): Promise<Sensor> =>
    eventually(`${id}, ${state}`, async () =>
      (await list()).find(({ sensorId, state: now }) => sensorId === id && now === state)
    )

  test('a sidecar and an SDK sensor are listed with the policy they enforce, and heartbeats are not stored as events', async () => {
    const timings = { heartbeat: { soonMs: 20 } }
    await using sidecar = await startTestSidecar({
      target: service.url,
      token: service.token,
      env: { SERVICE_SENSOR_ID: 'edge-1' },
      heartbeat: timings.heartbeat
    })
    const options = { target: service.url, token: service.token, stamp: { sensorId: 'sdk-1', sensorVersion: '7' } }
    await using sensor = createSensor({ ...options, env: {}, timings })
    await Promise.all([sidecar.running.policy.ready(), sensor.policy.ready()])
    const one = await find('edge-1', 'fresh')
    assert.partialDeepStrictEqual(one, {
      platform: 'sidecar',
      isCurrent: true,
      isSilent: false,
      dropped: 0
    })
    assert.match(String(one['policyRevision']), /^1-[0-9a-f]{16}$/)
    assert.match(String(one['sensorVersion']), /^[0-9]+\./)
    assert.ok(Number(one['policyAgeMs']) >= 0)
    assert.partialDeepStrictEqual(await find('sdk-1', 'fresh'), { platform: 'sdk', sensorVersion: '7' })
    assert.equal((await storedEvents(service, { kind: sensorHeartbeatKind })).length, 0)
    assert.ok((await storedAudit(service)).every(({ action }) => action !== sensorHeartbeatKind))
  })

  test('a sensor whose disk fails reports the reason, and recovers once the disk works again', async () => {
    const dir = await makeDataDir()
    try {
      // A file occupies the path of the events folder.
      await writeFile(join(dir, 'events'), '')
      const timings = { heartbeat: { soonMs: 20 }, diskRetryMs: 20 }
      const stamp = { sensorId: 'no-disk' }
      await using sensor = createSensor({ target: service.url, token: service.token, env: {}, dir, stamp, timings })
      await sensor.policy.ready()
      sensor.report({ kind: 'noted' })
      const withProblem = (wanted: string | null) =>
        eventually(`the disk: ${wanted}`, async () =>
          (await list()).find(({ sensorId, spoolProblem }) => sensorId === 'no-disk' && spoolProblem === wanted)
        )
      assert.partialDeepStrictEqual(await withProblem('failed'), { platform: 'sdk' })
      await rm(join(dir, 'events'))
      sensor.report({ kind: 'noted' })
      await withProblem(null)
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  })

  test('a sidecar reports a disk that begins to fail, without waiting for the next regular heartbeat', async () => {
    const dataDir = await makeDataDir()
    try {
      const { url: target, token } = service
      const env = { SERVICE_SENSOR_ID: 'edge-2' }
      const heartbeat = { soonMs: 20, intervalMs: 3_600_000 }
      await using sidecar = await startTestSidecar({ target, token, env, dataDir, heartbeat })
      await find('edge-2', 'fresh')
      const spool = join(dataDir, 'sidecar', 'spool')
      await rm(spool, { recursive: true })
      // A file occupies the path of the folder, so no event can be written there.
      await writeFile(spool, '')
      const content = createPlanter(505)('jwt').sentence
      const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] })
      const refused = await call(`${sidecar.url}/v1/messages`, {
        headers: { 'content-type': 'application/json' },
        body
      })
      assert.match(refused.text, /high_risk_content_blocked/)
      await eventually('the disk of the sidecar', async () =>
        (await list()).find(({ sensorId, spoolProblem }) => sensorId === 'edge-2' && spoolProblem === 'failed')
      )
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('an MCP proxy is listed by its name, and one without a name is not', async () => {
    const open = (stamp: { readonly sensorId?: string }): RunningGate =>
      startGate({
        target: service.url,
        token: service.token,
        dir: undefined,
        spoolDir: undefined,
        vocabularies: builtInVocabularies,
        stamp,
        log: pino({ level: 'silent' })
      })
    const nameless = open({})
    try {
      await nameless.policy.ready()
      const named = open({ sensorId: 'laptop/mcp-proxy-0' })
      try {
        // The other would have reported first.
        assert.equal((await find('laptop/mcp-proxy-0', 'fresh'))['platform'], 'mcp-proxy')
        assert.equal((await list()).filter(({ platform }) => platform === 'mcp-proxy').length, 1)
      } finally {
        await named.close()
      }
    } finally {
      await nameless.close()
    }
  })

  test('a heartbeat replaces the previous one, also among events that are stored', async () => {
    const sign = { kind: sensorHeartbeatKind, sensorId: 'own', policyState: 'fresh', dropped: 3, spooled: 2 }
    const stored = { kind: 'tool_call_enforcement', action: 'allow', mcpToolName: 'read' }
    const both = receipt(await post(service, [sign, stored, { ...sign, policyState: 'stale' }, stored]))
    assert.deepEqual([both.accepted, both.results.map(({ status }) => status)], [4, Array(4).fill('accepted')])
    assert.partialDeepStrictEqual(await find('own', 'stale'), { dropped: 3, spooled: 2, isCurrent: false })
    const ids = (await storedEvents(service, { kind: 'tool_call_enforcement' })).map(({ eventId }) => eventId)
    assert.deepEqual(ids.toReversed(), [both.results[1]?.eventId, both.results[3]?.eventId])
    const [known, fresh] = [
      { ...stored, eventId: both.results[1]?.eventId },
      { ...stored, eventId: randomUUID() }
    ]
    const again = receipt(await post(service, [sign, known, sign, fresh]))
    assert.deepEqual(
      again.results.map(({ status }) => status),
      ['accepted', 'duplicate', 'accepted', 'accepted']
    )
    const checked = await post(service, { ...sign, sensorId: 'only-checked' }, {}, '?validate=1')
    assert.equal(checked.status, 200)
    const bad = receipt(await post(service, { ...sign, policyState: 'wild' }), 400)
    assert.match(String(bad.results[0]?.message), /^\/policyState must be one of unresolved, /)
    const wildDisk = receipt(await post(service, { ...sign, spoolProblem: 'wild' }), 400)
    assert.match(String(wildDisk.results[0]?.message), /^\/spoolProblem must be one of in_use, /)
    receipt(await post(service, { ...sign, policyState: 'expired' }))
    await find('own', 'expired')
    assert.ok((await list()).every(({ sensorId }) => sensorId !== 'only-checked'))
  })

  test('the list covers only the own workspace, for those who may read it', async () => {
    const headers = { 'x-service-workspace-token': service.token }
    assert.equal((await call(`${service.url}/api/sensors`, { method: 'GET', headers })).status, 403)
    assert.equal((await call(`${service.url}/api/sensors`, { method: 'GET' })).status, 401)
  })
})
