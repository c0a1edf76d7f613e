/** Converts a stored event to the log record for a collector. Metadata only, like the event itself. */
import { SeverityNumber, type Attributes, type HrTime } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { version } from '../../config/version.ts'
import { actions } from '../../protocol/events/event-schema.ts'
import { genAiAttributes } from '../../protocol/gen-ai.ts'
import { callLabels } from '../../protocol/otel-labels.ts'
import { isTraceId } from '../../protocol/trace-context.ts'
import type { Vocabularies } from '../../protocol/vocabularies.ts'
import type { JsonObject, StoredEvent } from '../../store/store.ts'

export interface RecordRules {
  readonly resource: Resource
  readonly vocabularies: Vocabularies
  /** Whether attributes of the GenAI conventions are written. */
  readonly genAi: boolean
}

const instrumentationScope = { name: 'sluice.events', version: version() }

export function toLogRecord(event: StoredEvent, { resource, vocabularies, genAi }: RecordRules): ReadableLogRecord {
  const { kind, sensorMetadata, sequence, eventId, origin, workspaceId, tokenId, policyRevision } = event
  const severityNumber = sensorMetadata['action'] === 'block' ? SeverityNumber.WARN : SeverityNumber.INFO
  const traceId = textOf(sensorMetadata, 'traceId')
  return {
    hrTime: toHrTime(event.occurredAt),
    hrTimeObserved: toHrTime(event.receivedAt),
    severityNumber,
    severityText: SeverityNumber[severityNumber],
    eventName: kind,
    body: sensorMetadata,
    resource,
    instrumentationScope,
    attributes: {
      ...labelsOf(event, vocabularies),
      'service.event.id': eventId,
      'service.event.kind': kind,
      'service.event.origin': origin,
      'service.event.sequence': sequence,
      'service.workspace.id': workspaceId,
      ...(tokenId === null ? {} : { 'service.token.id': tokenId }),
      ...(policyRevision === null ? {} : { 'service.policy.revision': policyRevision }),
      ...(genAi ? genAiAttributes(modelCall(sensorMetadata)) : {})
    },
    droppedAttributesCount: 0,
    // An event belongs to a trace, but to none of its spans.
    ...(traceId !== undefined && isTraceId(traceId) ? { spanContext: { traceId, spanId: '', traceFlags: 0 } } : {})
  }
}

function labelsOf({ sensorMetadata, requestId }: StoredEvent, vocabularies: Vocabularies): Attributes {
  return callLabels(
    {
      action: actions.find((action) => action === sensorMetadata['action']),
      clientSurface: textOf(sensorMetadata, 'clientSurface'),
      modelProvider: textOf(sensorMetadata, 'modelProvider'),
      entitiesMasked: countOf(sensorMetadata, 'entitiesMasked'),
      requestId: requestId ?? undefined
    },
    vocabularies
  )
}

/** Empty if the event is not a model call, since such an event has no route. */
const modelCall = (metadata: JsonObject) => ({
  route: textOf(metadata, 'route'),
  modelProvider: textOf(metadata, 'modelProvider'),
  modelId: textOf(metadata, 'modelId'),
  inputTokens: countOf(metadata, 'inputTokens'),
  outputTokens: countOf(metadata, 'outputTokens'),
  cachedInputTokens: countOf(metadata, 'cachedInputTokens')
})

function textOf(metadata: JsonObject, name: string): string | undefined {
  const value = metadata[name]
  return typeof value === 'string' ? value : undefined
}

function countOf(metadata: JsonObject, name: string): number | undefined {
  const value = metadata[name]
  return typeof value === 'number' ? value : undefined
}

const toHrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]
