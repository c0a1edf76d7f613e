/**
 * The five OpenTelemetry labels by which exported telemetry is joined with audit rows. Spans and log records carry all
 * of them; metrics carry all but the request id, which would make a time series of every call.
 */
import { isUuid } from './headers.ts'
import { unknownLabel } from './vocabularies.ts'

/** Outcomes of enforcement, as the label, `action` and `x-service-action` state them. */
export const actions = ['mask', 'block', 'allow'] as const
export type Action = (typeof actions)[number]

export const otelLabels = {
  action: 'service.ingress.action',
  clientSurface: 'service.client.surface',
  modelProvider: 'service.model.provider',
  entitiesMasked: 'service.entities.masked',
  requestId: 'service.request.id'
} as const

export interface LabelValues {
  readonly action: Action
  /** A word of the vocabulary; see {@link resolveLabel}. */
  readonly clientSurface?: string
  readonly modelProvider?: string
  readonly entitiesMasked: number
  /** UUID. */
  readonly requestId: string
}

/**
 * Labels of a span or a log record.
 * @throws RangeError for a count that is no whole number from 0, or a request id that is no UUID
 */
export function spanLabels(values: LabelValues): Record<string, string | number> {
  if (!isUuid(values.requestId)) throw new RangeError(`${otelLabels.requestId} must be a UUID`)
  return { ...metricLabels(values), [otelLabels.requestId]: values.requestId }
}

/** Labels of a metric: the same without the request id. */
export function metricLabels(values: Omit<LabelValues, 'requestId'>): Record<string, string | number> {
  if (!Number.isSafeInteger(values.entitiesMasked) || values.entitiesMasked < 0) {
    throw new RangeError(`${otelLabels.entitiesMasked} must be a whole number from 0`)
  }
  return {
    [otelLabels.action]: values.action,
    [otelLabels.clientSurface]: values.clientSurface ?? unknownLabel,
    [otelLabels.modelProvider]: values.modelProvider ?? unknownLabel,
    [otelLabels.entitiesMasked]: values.entitiesMasked
  }
}
