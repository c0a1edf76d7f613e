/**
 * Client, sidecar, service and upstream, each in a process or server of its own: what a real OTLP receiver gets from
 * them.
 */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { createAuditReader, type AuditReader } from '../support/audit.ts'
import { freePort } from '../support/free-port.ts'
import { call, type Reply } from '../support/http.ts'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts'
import { createPlanter, type Planted } from '../support/planted.ts'
import { occurring } from '../support/search.ts'
import { startSidecarProcess, type SidecarProcess } from '../support/sidecar-process.ts'
import { makeDataDir } from '../support/start-service.ts'
import { startServiceProcess, type ServiceProcess } from '../support/start-service-process.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(4317)
const planted: Planted[] = []
const plant = (kind: 'email' | 'github_token' | 'aws_access_key_id'): Planted => {
  const one = planter(kind)
  planted.push(one)
  return one
}

interface Asking {
  readonly traced?: boolean
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Call {
  readonly requestId: string
  readonly traceId: string
  readonly parentId: string
  readonly reply: Reply
}

/** The labels of the specification, sorted by name. */
const labelNames = [
  'service.client.surface',
  'service.entities.masked',
  'service.ingress.action',
  'service.model.provider',
  'service.request.id'
]

const labelsOf = (attributes: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(attributes)
    .filter((name) => labelNames.includes(name))
    .toSorted()

/** One protocol per process, so that both are decoded. */
const otlp = (receiver: Pick<OtlpReceiver, 'url'>, protocol: string, name?: string): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  SERVICE_LOG_LEVEL: 'info',
  ...(name === undefined ? {} : { OTEL_SERVICE_NAME: name })
})

describe('OpenTelemetry from client to upstream', () => {
  const running = new AsyncDisposableStack()
  let receiver: OtlpReceiver
  let stub: StubUpstream
  let service: ServiceProcess
  let sidecar: SidecarProcess
  let audit: AuditReader
  const calls: Record<'masked' | 'streamed' | 'blocked' | 'refused' | 'failed' | 'direct' | 'sneaky', Call> =
    {} as never

  /** A call of a client that is part of a trace. */
  async function ask(
    base: string,
    body: object | string,
    { traced = true, path = '/chat/completions', headers = {} }: Asking = {}
  ): Promise<Call> {
    const [requestId, traceId, parentId] = [randomUUID(), randomBytes(16).toString('hex'), 'ab'.repeat(8)]
    const trace = { traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'corp=t61rcWkgMzE' }
    const reply = await call(base + path, {
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'x-request-id': requestId,
        'x-service-workspace-token': service.token,
        'x-service-client-surface': 'codex',
        ...(traced ? trace : {}),
        ...headers
      },
      body: typeof body === 'string' ? body : JSON.stringify(body)
    })
    return { requestId, traceId, parentId, reply }
  }

  before(async () => {
    receiver = running.use(await startOtlpReceiver())
    stub = running.use(await startStubUpstream(answers('Read.')))
    const dirs = [await makeDataDir(), await makeDataDir()] as const
    running.defer(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))).then(() => undefined))
    service = await startServiceProcess({ upstream: stub, dataDir: dirs[0], env: otlp(receiver, 'http/protobuf') })
    audit = createAuditReader(service.url, service.auditToken)
    const env = otlp(receiver, 'http/json', 'agent-sidecar')
    sidecar = await startSidecarProcess({ target: service.url, token: service.token, dataDir: dirs[1], env })

    const says = (content: string, more = {}) => ({ model: 'gpt-5', messages: [{ role: 'user', content }], ...more })
    const direct = `${service.url}/api/ingress/v1`
    calls.masked = await ask(sidecar.baseUrl, says(plant('email').sentence))
    calls.streamed = await ask(sidecar.baseUrl, says(plant('email').sentence, { stream: true, max_tokens: 9 }), {
      path: '/messages'
    })
    calls.blocked = await ask(direct, says(plant('github_token').sentence))
    calls.refused = await ask(direct, `{"model":"gpt-5","messages":"${plant('aws_access_key_id').value}`)
    stub.behave((_received, res) => void res.destroy())
    calls.failed = await ask(direct, says('Hello.'))
    stub.behave(answers('Read.'))
    calls.direct = await ask(direct, says(`${plant('email').sentence} Thanks.`), { traced: false })
    // Every part of a call that becomes an attribute.
    const headers = {
      tracestate: `corp=${plant('github_token').value}`,
      'x-service-client-surface': plant('email').value,
      'x-service-model-provider': plant('email').value
    }
    calls.sneaky = await ask(direct, { ...says('Hello.'), model: `gpt ${plant('email').value}` }, { headers })
    for (const { requestId } of Object.values(calls)) await audit.only(requestId)
    // The rest is flushed at shutdown, so the audit rows are read before it.
  })
  after(() => running.disposeAsync())

  let rows: Awaited<ReturnType<AuditReader['only']>>[]
  let events: { readonly requestId: string; readonly sensorMetadata: Readonly<Record<string, unknown>> }[]
  test('both processes stop in good order and flush what is left', async () => {
    rows = await Promise.all(Object.values(calls).map(({ requestId }) => audit.only(requestId)))
    const headers = { 'x-service-workspace-token': service.auditToken }
    const page = await call(`${service.url}/api/events?limit=100`, { method: 'GET', headers })
    events = page.json()['events'] as typeof events
    assert.equal(await sidecar.stop(), 0)
    assert.equal(await service.stop(), 0)
    assert.ok(receiver.requests.length > 0)
    for (const { headers: sent } of receiver.requests) assert.equal(sent['x-tenant'], 'acme')
    const contentTypes = new Set(receiver.requests.map(({ headers: sent }) => String(sent['content-type'])))
    assert.deepEqual([...contentTypes].toSorted(), ['application/json', 'application/x-protobuf'])
  })

  const spansOf = ({ requestId }: Call): ReceivedSpan[] =>
    receiver.spans.filter(({ attributes }) => attributes['service.request.id'] === requestId)
  const span = (of: Call, service_: string, kind: number): ReceivedSpan => {
    const found = spansOf(of).filter((one) => one.resource['service.name'] === service_ && one.kind === kind)
    assert.equal(found.length, 1, `${service_} ${kind}: ${JSON.stringify(spansOf(of))}`)
    return found[0] as ReceivedSpan
  }
  const server = 2
  const client = 3

  for (const name of ['masked', 'streamed'] as const) {
    test(`a call that is ${name} is one trace from the client to the upstream`, () => {
      const one = calls[name]
      assert.equal(one.reply.status, 200, one.reply.text)
      const chain = [
        span(one, 'agent-sidecar', server),
        span(one, 'agent-sidecar', client),
        span(one, 'sluice', server),
        span(one, 'sluice', client)
      ]
      assert.deepEqual(
        chain.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
        chain.map((_, i) => [one.traceId, chain[i - 1]?.spanId ?? one.parentId])
      )
      const sent = stub.received.find(({ headers }) => headers['traceparent']?.includes(one.traceId))
      assert.equal(sent?.headers['traceparent'], `00-${one.traceId}-${chain[3]?.spanId}-01`)
      assert.equal(sent.headers['tracestate'], undefined, 'the vendor was told the tracestate of the client')
      assert.equal(chain[2]?.traceState, 'corp=t61rcWkgMzE', 'the sidecar did not pass the tracestate on')
    })
  }

  test('spans have the five labels, and the client span has the model attributes', () => {
    const [sidecarServer, serviceServer] = [
      span(calls.masked, 'agent-sidecar', server),
      span(calls.masked, 'sluice', server)
    ]
    assert.partialDeepStrictEqual(sidecarServer.attributes, {
      'service.ingress.action': 'mask',
      'service.client.surface': 'codex',
      'service.entities.masked': 1,
      'service.request.id': calls.masked.requestId
    })
    assert.partialDeepStrictEqual(serviceServer, {
      name: 'POST /v1/chat/completions',
      attributes: { 'service.ingress.action': 'allow', 'service.entities.masked': 0, 'http.response.status_code': 200 },
      resource: { 'deployment.environment.name': 'test' }
    })
    for (const one of receiver.spans) {
      // A body that could not be parsed led to no decision.
      const isUndecided = one.attributes['error.type'] === 'invalid_json'
      const expected = isUndecided ? labelNames.filter((name) => name !== 'service.ingress.action') : labelNames
      assert.deepEqual(labelsOf(one.attributes), expected, JSON.stringify(one))
    }
    assert.partialDeepStrictEqual(span(calls.masked, 'sluice', client), {
      name: 'chat gpt-5',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.response.model': 'm',
        'gen_ai.usage.input_tokens': 21,
        'gen_ai.usage.output_tokens': 9,
        'server.address': '127.0.0.1'
      }
    })
    const fromSidecar = span(calls.masked, 'agent-sidecar', client)
    assert.ok(!Object.keys(fromSidecar.attributes).some((name) => name.startsWith('gen_ai.')), 'counted twice')
  })

  test('a block, a refusal and a failure are marked as such, and a call without a trace starts one', () => {
    assert.equal(calls.blocked.reply.status, 403)
    assert.equal(calls.refused.reply.status, 400)
    assert.equal(calls.failed.reply.status, 502)
    const blocked = span(calls.blocked, 'sluice', server)
    assert.equal(blocked.attributes['service.ingress.action'], 'block')
    assert.equal(blocked.attributes['error.type'], 'high_risk_content_blocked')
    assert.equal(spansOf(calls.blocked).length, 1, 'a call that was blocked has no upstream')
    assert.equal(span(calls.refused, 'sluice', server).attributes['service.ingress.action'], undefined)
    assert.equal(span(calls.failed, 'sluice', client).attributes['error.type'], 'upstream_failed')
    const direct = span(calls.direct, 'sluice', server)
    assert.equal(direct.parentSpanId, '')
    const row = rows.find(({ requestId }) => requestId === calls.direct.requestId)
    assert.equal(row?.detail['traceId'], direct.traceId)
  })

  test('trace, event, audit row and log line share the request ID', () => {
    for (const { requestId } of Object.values(calls)) {
      const traces = new Set(
        receiver.spans
          .filter(({ attributes }) => attributes['service.request.id'] === requestId)
          .map(({ traceId }) => traceId)
      )
      assert.equal(traces.size, 1, requestId)
      const [traceId] = traces
      assert.equal(rows.find((row) => row.requestId === requestId)?.detail['traceId'], traceId)
      const ofCall = events.filter((event) => event.requestId === requestId)
      assert.deepEqual(
        ofCall.map(({ sensorMetadata }) => sensorMetadata['traceId']),
        [traceId]
      )
      const logs = receiver.logs.filter(({ attributes }) => attributes['service.request.id'] === requestId)
      assert.ok(logs.length > 0)
      for (const log of logs) assert.equal(log.traceId, traceId)
      const line = service
        .printed()
        .split('\n')
        .find((text) => text.includes(requestId) && text.includes('"ingress call"'))
      assert.partialDeepStrictEqual(JSON.parse(line ?? '{}'), { trace_id: traceId })
    }
  })

  test('log records have the five labels, and metrics all but the request ID', () => {
    const callLogs = receiver.logs.filter(({ eventName }) => eventName === 'service.ingress.call')
    // Seven calls at the service; the two that came through the sidecar are also logged by the sidecar.
    assert.equal(callLogs.length, 9)
    for (const { attributes } of callLogs) {
      const undecided = attributes['service.ingress.outcome'] === 'refused'
      const expected = undecided ? labelNames.filter((name) => name !== 'service.ingress.action') : labelNames
      assert.deepEqual(labelsOf(attributes), expected, JSON.stringify(attributes))
    }
    const names = [...new Set(receiver.metrics.map(({ name }) => name))].toSorted()
    assert.deepEqual(
      names.filter((name) => /^(service|gen_ai)\./.test(name)),
      [
        'gen_ai.client.operation.duration',
        'gen_ai.client.token.usage',
        'service.ingress.calls',
        'service.ingress.duration',
        'service.ingress.scan.duration'
      ]
    )
    const points = receiver.metrics.filter(({ name }) => /^(service|gen_ai)\./.test(name)).flatMap((one) => one.points)
    const ofMetrics = labelNames.filter((name) => name !== 'service.request.id')
    for (const point of points) {
      const undecided = point['service.ingress.action'] === undefined
      const expected = undecided ? ofMetrics.filter((name) => name !== 'service.ingress.action') : ofMetrics
      assert.deepEqual(labelsOf(point), expected, JSON.stringify(point))
    }
    assert.ok(points.some((point) => point['service.ingress.action'] === 'block'))
  })

  test('no planted value is in any exported byte or log line', () => {
    const bytes = Buffer.concat([
      ...receiver.requests.map((request) => request.bytes),
      Buffer.from(service.printed() + sidecar.printed())
    ])
    assert.ok(bytes.length > 5000)
    assert.equal(calls.sneaky.reply.status, 200)
    assert.equal(span(calls.sneaky, 'sluice', server).traceState, '')
    assert.deepEqual(
      [
        ...occurring(
          bytes,
          planted.map(({ needle }) => needle)
        )
      ],
      []
    )
  })
})

test('a collector that is down fails no call, and its address is not logged', async (t) => {
  const gone = { url: `http://127.0.0.1:${await freePort()}` }
  await using stub = await startStubUpstream(answers('Read.'))
  const dataDir = await makeDataDir()
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const env = { ...otlp(gone, 'http/protobuf'), OTEL_BSP_SCHEDULE_DELAY: '1', OTEL_EXPORTER_OTLP_TIMEOUT: '200' }
  const service = await startServiceProcess({ upstream: stub, dataDir, env })
  const reply = await call(`${service.url}/api/ingress/v1/chat/completions`, {
    headers: { 'content-type': 'application/json', 'x-service-workspace-token': service.token },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] })
  })
  assert.equal(reply.status, 200)
  assert.equal(await service.stop(), 0)
  assert.match(service.printed(), /OpenTelemetry is in trouble/)
  assert.ok(!service.printed().includes(gone.url))
})
