/** The OpenTelemetry labels of a decision, by the names that traces, logs, metrics and audit rows share. */
import type { actions } from '../protocol/event-schema.ts'
import { isUuid } from '../protocol/headers.ts'
import { builtInVocabularies, resolveLabel, type Vocabularies } from '../protocol/vocabularies.ts'

/** What labels are made of; a report, a tool verdict or a masking has these fields. */
export interface LabelledDecision {
  readonly action: (typeof actions)[number]
  readonly clientSurface?: string | undefined
  readonly modelProvider?: string | undefined
  readonly entitiesMasked?: number | undefined
  /** UUID. */
  readonly requestId?: string | undefined
}

/** Labels for a metric: every combination of their values is a series of its own, so the request id is not among them. */
export interface MetricLabels {
  readonly 'service.ingress.action': string
  readonly 'service.client.surface': string
  readonly 'service.model.provider': string
  readonly 'service.entities.masked': number
}

/** Labels for a span or a log record. */
export interface SpanLabels extends MetricLabels {
  /** Absent where the decision has no request id, or one that is no UUID. */
  readonly 'service.request.id'?: string
}

/**
 * The labels of a decision for spans and log records, as the attributes of an OpenTelemetry API. No text of the
 * caller's passes: a name outside its vocabulary is `unknown`.
 * @param vocabularies with the names that the service's configuration adds
 */
export function labelsFor(decision: LabelledDecision, vocabularies: Vocabularies = builtInVocabularies): SpanLabels {
  const { requestId } = decision
  const labels = metricLabelsFor(decision, vocabularies)
  return requestId !== undefined && isUuid(requestId)
    ? { ...labels, 'service.request.id': requestId.toLowerCase() }
    : labels
}

/** The same for metrics. */
export function metricLabelsFor(
  { action, clientSurface, modelProvider, entitiesMasked = 0 }: LabelledDecision,
  vocabularies: Vocabularies = builtInVocabularies
): MetricLabels {
  return {
    'service.ingress.action': action,
    'service.client.surface': resolveLabel(clientSurface, vocabularies.surfaces).label,
    'service.model.provider': resolveLabel(modelProvider, vocabularies.providers).label,
    'service.entities.masked': Number.isSafeInteger(entitiesMasked) && entitiesMasked > 0 ? entitiesMasked : 0
  }
}
