/** The OpenTelemetry labels of a decision, under the names that traces, logs, metrics and audit rows share. */
import type { actions } from './events/event-schema.ts'
import { isUuid } from './headers.ts'
import { builtInVocabularies, resolveLabel, type Vocabularies } from './vocabularies.ts'

/** The five names, as the specification defines them. */
export const labelNames = {
  action: 'service.ingress.action',
  clientSurface: 'service.client.surface',
  modelProvider: 'service.model.provider',
  entitiesMasked: 'service.entities.masked',
  requestId: 'service.request.id'
} as const

/** What labels are derived from; a report, a tool verdict or a masking has these fields. */
export interface LabelledDecision {
  readonly action: (typeof actions)[number]
  readonly clientSurface?: string | undefined
  readonly modelProvider?: string | undefined
  readonly entitiesMasked?: number | undefined
  /** UUID. */
  readonly requestId?: string | undefined
}

/** The same for a call that may have ended before a decision. */
type LabelledCall = Omit<LabelledDecision, 'action'> & {
  readonly action?: LabelledDecision['action'] | undefined
}

/** Labels of a metric: every combination of their values is a separate series, so they exclude the request ID. */
export interface MetricLabels {
  readonly [labelNames.action]: string
  readonly [labelNames.clientSurface]: string
  readonly [labelNames.modelProvider]: string
  readonly [labelNames.entitiesMasked]: number
}

/** Labels of a span or a log record. */
export interface SpanLabels extends MetricLabels {
  /** Absent if the decision has no request ID, or one that is not a UUID. */
  readonly [labelNames.requestId]?: string
}

/** Labels as attributes; the action is absent if nothing was decided. */
export type Labels = Readonly<Record<string, string | number>>

/**
 * The labels of a decision for spans and log records, as OpenTelemetry attributes. No text of the caller passes: a name
 * outside its vocabulary becomes `unknown`.
 * @param vocabularies including the names that the service's configuration adds
 */
export function labelsFor(decision: LabelledDecision, vocabularies: Vocabularies = builtInVocabularies): SpanLabels {
  return callLabels(decision, vocabularies) as unknown as SpanLabels
}

/** The same for metrics. */
export function metricLabelsFor(
  decision: LabelledDecision,
  vocabularies: Vocabularies = builtInVocabularies
): MetricLabels {
  return callMetricLabels(decision, vocabularies) as unknown as MetricLabels
}

/** The labels of a call, decided or not. */
export function callLabels(call: LabelledCall, vocabularies: Vocabularies): Labels {
  const { requestId } = call
  const labels = callMetricLabels(call, vocabularies)
  return requestId !== undefined && isUuid(requestId)
    ? { ...labels, [labelNames.requestId]: requestId.toLowerCase() }
    : labels
}

/** The same for metrics. */
export function callMetricLabels(
  { action, clientSurface, modelProvider, entitiesMasked = 0 }: LabelledCall,
  vocabularies: Vocabularies
): Labels {
  return {
    ...(action === undefined ? {} : { [labelNames.action]: action }),
    [labelNames.clientSurface]: resolveLabel(clientSurface, vocabularies.surfaces).label,
    [labelNames.modelProvider]: resolveLabel(modelProvider, vocabularies.providers).label,
    [labelNames.entitiesMasked]: Number.isSafeInteger(entitiesMasked) && entitiesMasked > 0 ? entitiesMasked : 0
  }
}
