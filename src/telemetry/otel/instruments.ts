/** The table of OpenTelemetry metrics; `docs/opentelemetry.md` lists it. */
import type { Meter } from '@opentelemetry/api'
import { genAiMetrics } from '../../protocol/gen-ai.ts'

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** All have the labels of the specification except the request ID; those of `gen_ai` have its attributes as well. */
export const otelMetrics = {
  calls: { type: 'counter', name: 'service.ingress.calls', unit: '{call}', description: 'Model calls.' },
  duration: {
    type: 'histogram',
    name: 'service.ingress.duration',
    unit: 's',
    description: 'Time of a model call, to the end of its answer.',
    bounds: seconds
  },
  added: {
    type: 'histogram',
    name: 'service.ingress.scan.duration',
    unit: 's',
    description: 'Time that scanning and masking added to a model call.',
    bounds: seconds
  },
  decisions: {
    type: 'counter',
    name: 'service.sensor.decisions',
    unit: '{decision}',
    description: 'Decisions of a sensor about tool calls.'
  },
  decisionDuration: {
    type: 'histogram',
    name: 'service.sensor.duration',
    unit: 's',
    description: 'Time of a tool call, as the sensor saw it.',
    bounds: seconds
  },
  genAiDuration: { type: 'histogram', ...genAiMetrics.duration },
  genAiTokens: { type: 'histogram', ...genAiMetrics.tokens }
} as const

/** Creates the instruments of a meter. */
export function createInstruments(meter: Meter) {
  const counter = ({ name, unit, description }: { name: string; unit: string; description: string }) =>
    meter.createCounter(name, { unit, description })
  const histogram = (metric: { name: string; unit: string; description: string; bounds: readonly number[] }) => {
    const { name, unit, description, bounds } = metric
    return meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...bounds] } })
  }
  return {
    calls: counter(otelMetrics.calls),
    duration: histogram(otelMetrics.duration),
    added: histogram(otelMetrics.added),
    decisions: counter(otelMetrics.decisions),
    decisionDuration: histogram(otelMetrics.decisionDuration),
    genAiDuration: histogram(otelMetrics.genAiDuration),
    genAiTokens: histogram(otelMetrics.genAiTokens)
  }
}

export type Instruments = ReturnType<typeof createInstruments>
