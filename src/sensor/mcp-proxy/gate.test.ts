import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SpanStatusCode } from '@opentelemetry/api'
import { LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { pino } from 'pino'
import { builtInVocabularies } from '../../protocol/vocabularies.ts'
import { createTelemetry } from '../../telemetry/otel/telemetry.ts'
import { bytesOf, callOf, refusalOf } from './gate/gate.fixture.ts'
import { startGate } from './gate.ts'

it('a decision is a span in the trace that the client sent', async () => {
  const spans = new InMemorySpanExporter()
  const telemetry = createTelemetry(
    {
      tracerProvider: new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
      loggerProvider: new LoggerProvider({ processors: [] }),
      meterProvider: new MeterProvider({ readers: [] }),
      close: () => Promise.resolve()
    },
    { vocabularies: builtInVocabularies, genAi: true }
  )
  const gate = startGate({
    target: 'http://127.0.0.1:9',
    token: 'svw_' + 'a',
    dir: undefined,
    spoolDir: undefined,
    vocabularies: builtInVocabularies,
    stamp: {},
    log: pino({ level: 'silent' }),
    telemetry,
    timings: { policyWaitMs: 1 }
  })
  const [traceId, spanId] = ['ab'.repeat(16), 'cd'.repeat(8)]
  try {
    const session = gate.open({ command: ['files'] }, { transport: 'stdio' })
    const call = callOf(1, 'read', {}, { _meta: { traceparent: `00-${traceId}-${spanId}-01` } })
    assert.equal(refusalOf(await session.fromClient(bytesOf(call))).code, 'no_policy')
  } finally {
    await gate.close()
  }
  const [span] = spans.getFinishedSpans()
  assert.equal(span?.name, 'tools/call read')
  assert.equal(span.spanContext().traceId, traceId)
  assert.equal(span.parentSpanContext?.spanId, spanId)
  assert.equal(span.attributes['service.ingress.action'], 'block')
  assert.equal(span.attributes['error.type'], 'no_policy')
  assert.equal(span.status.code, SpanStatusCode.ERROR)
})
