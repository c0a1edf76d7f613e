/** What a sidecar reports of calls that never became a row of the service's. */
import { callMetadata, type CallOutcome, type CallRecord } from '../../telemetry/report.ts'
import type { SensorEvent } from '../../protocol/events/event-schema.ts'

/**
 * Kinds of event by how a call ended here. A call that the service answered is the service's to record; one that its
 * client abandoned may be on its way there still.
 */
const kinds: Partial<Readonly<Record<CallOutcome, string>>> = {
  blocked: 'ingress_block',
  refused: 'ingress_refused',
  upstream_failed: 'ingress_unanswered'
}

/** The event of a call, or nothing where the service knows of it. */
export function callEvent(record: CallRecord): SensorEvent | undefined {
  const kind = kinds[record.outcome]
  if (kind === undefined || record.upstreamStatus !== undefined) return undefined
  const { scanMs, durationMs } = callMetadata(record)
  const { modelId, policyRevision, errorCode, traceId } = record
  return {
    kind,
    requestId: record.requestId,
    occurredAt: new Date(record.occurredAt).toISOString(),
    // Only a block is an enforcement; what became of the others stands in the reason.
    ...(record.outcome === 'blocked' ? { action: 'block' as const } : {}),
    riskTier: record.riskTier,
    entitiesMasked: 0,
    entityCounts: { ...record.entityCounts },
    clientSurface: record.clientSurface,
    modelProvider: record.modelProvider,
    ...(modelId === undefined ? {} : { modelId }),
    ...(policyRevision === undefined ? {} : { policyRevision }),
    ...(errorCode === undefined ? {} : { reasonCode: errorCode }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(scanMs === undefined ? {} : { decisionMs: scanMs }),
    ...(durationMs === undefined ? {} : { durationMs })
  }
}
