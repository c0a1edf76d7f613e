/** What other programs import as `sluice/sensor`: everything for a sensor of their own, and no server code. */
export { createSensor, type Sensor, type SensorOptions, type SensorStats } from './sensor.ts'
export { downstreamServerOf, vocabulariesOf } from './environment.ts'
export {
  labelsFor,
  metricLabelsFor,
  type LabelledDecision,
  type MetricLabels,
  type SpanLabels
} from '../protocol/otel-labels.ts'
export type { MaskCounts, Masked, MaskedJson } from './compiled-policy.ts'
export type { MaskJsonVerdict, MaskVerdict, ToolCallInput, ToolVerdict } from './sensor-policy.ts'
export type { PolicyState, SubscriberProblem, SubscriberStatus } from '../policy-stream/subscriber.ts'
export type { SensorEvent } from '../protocol/events/event-schema.ts'
export type { DeliveryProblem, EventInput, Report } from '../sensor/spool/reporter.ts'
export type { DiskProblem, Kept } from '../sensor/spool/spool.ts'
