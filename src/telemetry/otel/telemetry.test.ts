/** Uses in-memory exporters; processes and network formats are tested in test/e2e. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SpanStatusCode } from '@opentelemetry/api'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader
} from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type Sampler
} from '@opentelemetry/sdk-trace'
import { builtInVocabularies } from '../../protocol/vocabularies.ts'
import type { CallRecord } from '../report.ts'
import { createTelemetry } from './telemetry.ts'

const requestId = '0b8f7a52-3c1d-4e5f-9a6b-7c8d9e0f1a2b'
const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: true }

function inMemory(genAi = true, sampler?: Sampler) {
  const [spans, logs] = [new InMemorySpanExporter(), new InMemoryLogRecordExporter()]
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const meterProvider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: metrics })] })
  const telemetry = createTelemetry(
    {
      tracerProvider: new TracerProvider({
        spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
        ...(sampler ? { sampler } : {})
      }),
      loggerProvider: new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter: logs })] }),
      meterProvider,
      close: () => Promise.resolve()
    },
    { vocabularies: builtInVocabularies, genAi }
  )
  const points = async () => {
    await meterProvider.forceFlush()
    const scopes = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
    return scopes.flatMap((scope) =>
      scope.metrics.flatMap((metric) =>
        metric.dataPoints.map(({ attributes }) => ({ name: metric.descriptor.name, attributes }))
      )
    )
  }
  return {
    telemetry,
    points,
    spans: () => spans.getFinishedSpans(),
    logs: () => logs.getFinishedLogRecords(),
    stop: () => meterProvider.shutdown()
  }
}

const record = (more: Partial<CallRecord> = {}): CallRecord => ({
  requestId,
  workspaceId: 'w',
  tokenId: 't',
  occurredAt: 1,
  route: '/v1/messages',
  dialect: 'messages',
  outcome: 'forwarded',
  action: 'mask',
  riskTier: 'medium',
  entitiesMasked: 2,
  entityCounts: {},
  passedCounts: {},
  clientSurface: 'codex',
  modelProvider: 'mistral',
  modelId: 'm-1',
  upstreamStatus: 200,
  durationMs: 20,
  usage: { inputTokens: 7, outputTokens: 3 },
  ...more
})

it('a decision about a tool is a span below its caller’s, a log record and metrics', async (t) => {
  const { telemetry, spans, logs, points, stop } = inMemory()
  t.after(stop)
  const context = telemetry.tellDecision({
    action: 'block',
    clientSurface: 'cursor',
    modelProvider: 'what was said',
    entitiesMasked: 0,
    requestId,
    mcpToolName: 'read_file',
    startedAt: 1_700_000_000_000,
    durationMs: 5,
    parent
  })
  const labels = {
    'service.ingress.action': 'block',
    'service.client.surface': 'cursor',
    'service.model.provider': 'unknown',
    'service.entities.masked': 0
  }
  const [span] = spans()
  assert.equal(span?.name, 'tools/call read_file')
  assert.equal(span.spanContext().traceId, parent.traceId)
  assert.equal(span.parentSpanContext?.spanId, parent.spanId)
  assert.deepEqual(context, { traceId: parent.traceId, spanId: span.spanContext().spanId, isSampled: true })
  assert.deepEqual(span.attributes, {
    ...labels,
    'service.request.id': requestId,
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'read_file',
    'mcp.method.name': 'tools/call'
  })
  assert.partialDeepStrictEqual(logs()[0]?.attributes, { ...labels, 'service.request.id': requestId })
  assert.equal(logs()[0]?.spanContext?.spanId, context.spanId)
  const told = await points()
  assert.deepEqual(told, [
    { name: 'service.sensor.decisions', attributes: labels },
    { name: 'service.sensor.duration', attributes: labels }
  ])
})

it('the switch omits the attributes and metrics of the GenAI conventions', async (t) => {
  for (const genAi of [true, false]) {
    const { telemetry, spans, points, stop } = inMemory(genAi)
    t.after(stop)
    const call = telemetry.beginCall({ method: 'POST', route: '/v1/messages', requestId })
    call.beginUpstream({ origin: 'https://api.anthropic.com', method: 'POST', isService: false })
    call.end(record(), 200)
    const names = [
      ...spans().flatMap(({ attributes }) => Object.keys(attributes)),
      ...(await points()).map((p) => p.name)
    ]
    assert.equal(
      names.some((name) => name.startsWith('gen_ai.')),
      genAi
    )
    const client = spans().find(({ name }) => name === (genAi ? 'chat m-1' : 'POST'))
    assert.equal(client?.attributes['server.port'], 443)
    assert.equal(client.attributes['gen_ai.provider.name'], genAi ? 'mistral_ai' : undefined)
  }
})

it('a call that is not sampled has ids to pass on, a log record and metrics', async (t) => {
  const { telemetry, spans, logs, points, stop } = inMemory(true, new AlwaysOffSampler())
  t.after(stop)
  const call = telemetry.beginCall({ method: 'POST', route: '/v1/messages', requestId, parent })
  assert.equal(call.context.traceId, parent.traceId)
  assert.equal(call.context.isSampled, false)
  call.end(record({ outcome: 'blocked', action: 'block' }), 403)
  assert.equal(spans().length, 0)
  assert.equal(logs().length, 1)
  assert.ok((await points()).some(({ name }) => name === 'service.ingress.calls'))
})

it('for an unknown caller there is only a span with the request ID', async (t) => {
  const { telemetry, spans, logs, points, stop } = inMemory()
  t.after(stop)
  telemetry.beginCall({ method: 'POST', route: '/v1/messages', requestId }).end(undefined, 401)
  assert.deepEqual(spans()[0]?.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/messages',
    'http.response.status_code': 401,
    'service.request.id': requestId
  })
  assert.deepEqual([logs().length, await points()], [0, []])
})

it('a call is an error of the server if the server, or what it called, failed', (t) => {
  const cases = [
    [undefined, 401, SpanStatusCode.UNSET],
    [record({ outcome: 'refused' }), 400, SpanStatusCode.UNSET],
    [record({ outcome: 'refused' }), 503, SpanStatusCode.ERROR],
    [undefined, 500, SpanStatusCode.ERROR],
    [record({ outcome: 'upstream_failed' }), 200, SpanStatusCode.ERROR]
  ] as const
  for (const [ended, status, code] of cases) {
    const { telemetry, spans, stop } = inMemory()
    t.after(stop)
    telemetry.beginCall({ method: 'POST', route: '/v1/messages', requestId }).end(ended, status)
    assert.equal(spans()[0]?.status.code, code, `${ended?.outcome} ${status}`)
  }
})
