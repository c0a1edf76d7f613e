/** Sensors report which policy they enforce or reject, and the service lists it. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  createPolicySubscriber,
  type PolicySubscriber,
  type SubscriberOptions
} from '../../src/policy-stream/subscriber.ts'
import { post, receipt } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { denyTool, type PolicyApi, policyApi, problemOf } from '../support/policy-api.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'

const running = new AsyncDisposableStack()
let folder: string
let service: TestService
let api: PolicyApi
let auditor: PolicyApi

before(async () => {
  folder = await makeDataDir()
  running.defer(() => rm(folder, { recursive: true, force: true }))
  service = running.use(await startTestService())
  const { token } = await service.createToken({ scopes: ['policy:read', 'policy:write', 'events:write'] })
  api = policyApi({ url: service.url, token })
  auditor = policyApi({ url: service.url, token: (await service.createToken({ scopes: ['audit:read'] })).token })
})
after(() => running.disposeAsync())

interface Said {
  readonly revision: string | null
  readonly reasonCode: string | null
  readonly at: string
}

interface Shown {
  readonly sensorId: string | null
  readonly tokenId: string | null
  readonly platform: string | null
  readonly isCurrent: boolean
  readonly applied: Said | null
  readonly rejected: Said | null
}

async function sensors(): Promise<{ revision: string; sensors: Shown[]; isCut: boolean }> {
  const reply = await auditor.ask('GET', '/policy/sensors')
  assert.equal(reply.status, 200, reply.text)
  return reply.json() as Awaited<ReturnType<typeof sensors>>
}

/** The listed state of a sensor once it satisfies the condition. */
const until = (what: string, sensorId: string, isSo: (shown: Shown) => boolean): Promise<Shown> =>
  eventually(`${sensorId}: ${what}`, async () => {
    const shown = (await sensors()).sensors.find((one) => one.sensorId === sensorId)
    return shown && isSo(shown) ? shown : undefined
  })

interface Sensor extends AsyncDisposable {
  readonly subscriber: PolicySubscriber<null>
}

/** A sensor that sends its acknowledgements to the service. */
function startSensor(sensorId: string, options: Partial<SubscriberOptions<null>> = {}): Sensor {
  const sent: Promise<unknown>[] = []
  const subscriber = createPolicySubscriber<null>({
    target: service.url,
    token: service.token,
    validate: () => null,
    report: (event) =>
      sent.push(post(service, { ...event, sensorId, platform: 'sdk' }).then((reply) => receipt(reply))),
    ...options,
    timings: { backoffMinMs: 10, backoffMaxMs: 50, ...options.timings }
  })
  return {
    subscriber,
    async [Symbol.asyncDispose]() {
      await subscriber.close()
      await Promise.all(sent)
    }
  }
}

const denying = (tool: string) => ({ mcpToolPolicy: denyTool(tool) })

describe('GET /api/workspace/policy/sensors', () => {
  test('shows the newest policy that each sensor has applied, and which sensors lag behind', async () => {
    const first = await api.publish(denying('one'))
    await using leaving = startSensor('leaving')
    await using staying = startSensor('staying')
    for (const { subscriber } of [leaving, staying]) await subscriber.ready()
    await until('applied', 'leaving', ({ applied }) => applied?.revision === first)
    await leaving.subscriber.close()
    const second = await api.publish(denying('two'))
    const shown = await until('applied', 'staying', ({ applied }) => applied?.revision === second)
    assert.deepEqual([shown.isCurrent, shown.platform, shown.rejected], [true, 'sdk', null])
    assert.equal(shown.tokenId, service.token.slice(4, 12))
    assert.equal(shown.applied?.reasonCode, 'stream')
    assert.ok(Math.abs(Date.parse(shown.applied?.at ?? '') - Date.now()) < 60_000)
    const all = await sensors()
    assert.equal(all.revision, second)
    assert.equal(all.isCut, false)
    const left = all.sensors.find(({ sensorId }) => sensorId === 'leaving')
    assert.deepEqual([left?.isCurrent, left?.applied?.revision], [false, first])
  })

  test('shows a rejection while it is the latest report of a sensor', async () => {
    const good = await api.publish(denying('three'))
    let isPicky = true
    await using picky = startSensor('picky', {
      validate: ({ revision }) => {
        if (isPicky && revision !== good) throw new Error('not with me')
        return null
      }
    })
    await picky.subscriber.ready()
    const bad = await api.publish(denying('four'))
    const shown = await until('refused', 'picky', ({ rejected }) => rejected?.revision === bad)
    assert.deepEqual(
      [shown.rejected?.reasonCode, shown.applied?.revision, shown.isCurrent],
      ['invalid_policy', good, false]
    )
    isPicky = false
    const mended = await api.publish(denying('five'))
    await until('mended', 'picky', ({ rejected, applied }) => rejected === null && applied?.revision === mended)
  })

  test('distinguishes the same id under two tokens, and merges sensors without an id into one', async () => {
    const { token } = await service.createToken()
    const event = { kind: 'policy_applied', policyRevision: '1-0000000000000000' }
    for (const sender of [service, { url: service.url, token }]) {
      for (const sensorId of ['twin', undefined, undefined]) receipt(await post(sender, { ...event, sensorId }))
    }
    const all = (await sensors()).sensors
    assert.equal(all.filter(({ sensorId }) => sensorId === 'twin').length, 2)
    assert.equal(all.filter(({ sensorId }) => sensorId === null).length, 2)
  })

  test('is bounded with more sensors than it shows', async () => {
    const events = Array.from({ length: 1100 }, (_, index) => ({ kind: 'policy_applied', sensorId: `many-${index}` }))
    for (let from = 0; from < events.length; from += 100) receipt(await post(service, events.slice(from, from + 100)))
    const all = await sensors()
    assert.deepEqual([all.sensors.length, all.isCut], [1000, true])
    assert.equal(all.sensors[0]?.applied?.revision, null)
  })

  test('requires a token that may read the audit', async () => {
    assert.equal(problemOf(await api.ask('GET', '/policy/sensors'), 403).code, 'missing_scope')
  })
})

describe('a sensor rejects and reports', () => {
  test('a policy file that was changed', async () => {
    const file = join(folder, 'changed')
    {
      await using sensor = startSensor('changed', { file })
      await sensor.subscriber.ready()
    }
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('enforce', 'observe'))
    await using sensor = startSensor('changed', { file, target: 'http://127.0.0.1:9' })
    await until('refused', 'changed', ({ rejected }) => rejected?.reasonCode === 'file_forged')
    assert.equal(sensor.subscriber.policy, undefined, 'without the service there is no policy, and not the changed one')
  })

  test('a policy file that is too old by the wall clock, until the service confirms it', async () => {
    const file = join(folder, 'old')
    {
      await using sensor = startSensor('old', { file })
      await sensor.subscriber.ready()
    }
    const clock = { monotonicMs: () => performance.now(), wallMs: () => Date.now() + 8 * 86_400_000 }
    await using away = startSensor('old', { file, clock, target: 'http://127.0.0.1:9' })
    await until('refused', 'old', ({ rejected }) => rejected?.reasonCode === 'file_expired')
    assert.equal(away.subscriber.policy, undefined)
    await using back = startSensor('old', { file, clock })
    await back.subscriber.ready()
    await until('applied', 'old', ({ rejected, isCurrent }) => rejected === null && isCurrent)
  })

  test('no policy because its clock was set back: the age is never negative, and the policy is stale', async () => {
    const file = join(folder, 'back')
    {
      await using sensor = startSensor('back', { file })
      await sensor.subscriber.ready()
    }
    const clock = { monotonicMs: () => performance.now(), wallMs: () => Date.now() - 365 * 86_400_000 }
    await using sensor = startSensor('back', { file, clock, target: 'http://127.0.0.1:9' })
    await sensor.subscriber.ready()
    assert.equal(sensor.subscriber.status.state, 'stale')
    assert.ok((sensor.subscriber.status.ageMs ?? -1) >= 0)
  })

  test('documents that do not match their revision, and keeps its policy', async () => {
    const before = await api.publish(denying('honest'))
    const tampering = await startTamperingProxy()
    try {
      await using sensor = startSensor('tampered', { target: tampering.url })
      await sensor.subscriber.ready()
      tampering.isOn = true
      const changed = await api.publish(denying('strict_one'))
      const shown = await until('refused', 'tampered', ({ rejected }) => rejected?.revision === changed)
      assert.equal(shown.rejected?.reasonCode, 'hash_mismatch')
      assert.equal(sensor.subscriber.policy?.frame.revision, before)
      assert.deepEqual([sensor.subscriber.status.state, sensor.subscriber.status.problem], ['stale', 'rejected'])
    } finally {
      tampering.close()
    }
  })
})

/** A proxy between sensor and service that turns a denial of a tool into an allowance. */
async function startTamperingProxy() {
  async function relay(path: string, response: ServerResponse): Promise<void> {
    const answer = await fetch(service.url + path, { headers: { 'x-service-workspace-token': service.token } })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      const text = Buffer.from(chunk).toString()
      response.write(tampering.isOn ? text.replace('"effect":"deny"', '"effect":"allow"') : text)
    }
    response.end()
  }
  const proxy = createServer((request, response) => {
    relay(request.url ?? '/', response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const tampering = {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    isOn: false,
    close(): void {
      proxy.closeAllConnections()
      proxy.close()
    }
  }
  return tampering
}
