/** The events of calls that never became a row in the service's records. */
import { callMetadata, type CallOutcome, type CallRecord } from '../../telemetry/report.ts'
import type { SensorEvent } from '../../protocol/events/event-schema.ts'

/**
 * Event kinds by how a call ended here. A call that the service answered is for the service to record; one that its
 * client abandoned, or that was cut off by a stop, may still be on its way there.
 */
const kinds: Partial<Readonly<Record<CallOutcome, string>>> = {
  blocked: 'ingress_block',
  refused: 'ingress_refused',
  upstream_failed: 'ingress_unanswered'
}

/** The event of a call, or undefined if the service knows about it. */
export function callEvent(record: CallRecord): SensorEvent | undefined {
  const kind = kinds[record.outcome]
  if (kind === undefined || record.upstreamStatus !== undefined || record.errorCode === 'draining') return undefined
  const { scanMs, durationMs } = callMetadata(record)
  const { modelId, policyRevision, errorCode, traceId } = record
  return {
    kind,
    requestId: record.requestId,
    occurredAt: new Date(record.occurredAt).toISOString(),
    // Only a block is an enforcement action; the other outcomes are in the reason.
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
