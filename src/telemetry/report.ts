/**
 * One function per business event. None of them throws or waits, so reporting can neither fail nor slow down a call.
 */
import type { Logger } from 'pino'
import type { Tier } from '../detection/findings.ts'
import type { DialectName, TokenUsage } from '../dialects/dialect.ts'
import type { FindingAction } from '../policy/redaction/profile.ts'
import type { SidecarCounts } from '../protocol/sidecar-header.ts'
import type { EventWriter } from './event-writer.ts'
import type { Metrics } from './metrics.ts'

/**
 * How an ingress call ended. `forwarded`: the upstream's answer reached the client in full. `blocked`: high-risk
 * content. `refused`: another fault of the request or of this service, which includes its stop. `upstream_failed`: no
 * answer, or one that broke off. `abandoned`: the client left first.
 */
export type CallOutcome = 'forwarded' | 'blocked' | 'refused' | 'upstream_failed' | 'abandoned'

/** What one authenticated ingress call leaves behind: metadata only. Filled in step by step during the call. */
export interface CallRecord {
  readonly requestId: string
  readonly workspaceId: string
  readonly tokenId: string
  readonly occurredAt: number
  readonly route: string
  readonly dialect: DialectName
  outcome: CallOutcome
  /** Code of the error catalogue if the answer was ours. */
  errorCode?: string
  action?: FindingAction
  riskTier: Tier
  entitiesMasked: number
  /** Values restored in the answer, and placeholders of earlier turns that stayed in it. */
  entitiesRestored?: number
  placeholdersLeft?: number
  entityCounts: Readonly<Record<string, number>>
  passedCounts: Readonly<Record<string, number>>
  clientSurface: string
  modelProvider: string
  modelId?: string
  stream?: boolean
  mediaParts?: number
  /** Content blocks and items of a type that the dialect does not know. Only counted in metrics. */
  unknownBlocks?: number
  /** Bytes of the body that were not scanned, since an earlier call had scanned them. Only counted in metrics. */
  knownBytes?: number
  policyRevision?: string
  upstreamStatus?: number
  /** Why there was no answer, as named by the system or TLS: `ECONNREFUSED`. */
  upstreamFault?: string | undefined
  scanMs?: number
  /** Time from sending the request to the upstream's response headers. */
  upstreamMs?: number
  durationMs?: number
  requestBytes?: number
  responseBytes?: number
  usage?: TokenUsage
  /** The model named in the answer; only read if OpenTelemetry is configured. Limited in length and scrubbed. */
  responseModel?: string
  /** Id of the call's trace: the client's, or one that began here. 32 hexadecimal digits. */
  traceId?: string
  /** Id of the call's own span, if it has one. 16 hexadecimal digits. */
  spanId?: string
  /** What a sidecar on the way reports about the call: a claim from the client's side. */
  sidecar?: SidecarCounts
}

/** Times in events are rounded to a hundredth of a millisecond. */
const rounded = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 100) / 100

/**
 * The metadata of a call as stored under `sensorMetadata`, with the names of sensor events. JSON omits undefined
 * members.
 */
export function callMetadata(record: CallRecord) {
  const { usage } = record
  // In canonical order, so that the audit can serialise it in one go.
  return {
    action: record.action,
    cachedInputTokens: usage?.cachedInputTokens,
    clientSurface: record.clientSurface,
    dialect: record.dialect,
    durationMs: rounded(record.durationMs),
    entitiesMasked: record.entitiesMasked,
    entitiesRestored: record.entitiesRestored,
    entityCounts: record.entityCounts,
    errorCode: record.errorCode,
    inputTokens: usage?.inputTokens,
    mediaParts: record.mediaParts,
    modelId: record.modelId,
    modelProvider: record.modelProvider,
    outcome: record.outcome,
    outputTokens: usage?.outputTokens,
    passedCounts: record.passedCounts,
    placeholdersLeft: record.placeholdersLeft,
    platform: 'ingress',
    policyRevision: record.policyRevision,
    requestBytes: record.requestBytes,
    responseBytes: record.responseBytes,
    riskTier: record.riskTier,
    route: record.route,
    scanMs: rounded(record.scanMs),
    sidecar: record.sidecar && { ...record.sidecar },
    stream: record.stream,
    traceId: record.traceId,
    upstreamFault: record.upstreamFault,
    upstreamMs: rounded(record.upstreamMs),
    upstreamStatus: record.upstreamStatus
  }
}

/** Where the report of a call goes. */
interface ReportTargets {
  readonly events: Pick<EventWriter, 'record'>
  readonly metrics: Pick<Metrics, 'ingressCall'>
  readonly log: Logger
  newId(): string
}

/** Writes a call's single `ingress_proxy` event, its audit row, its metrics and its log line. */
export function reportIngressCall(record: CallRecord, to: ReportTargets): void {
  const metadata = callMetadata(record)
  const now = Date.now()
  const { requestId, workspaceId, tokenId } = record
  to.events.record(
    {
      eventId: to.newId(),
      workspaceId,
      lineageId: null,
      kind: 'ingress_proxy',
      origin: 'service',
      requestId,
      tokenId,
      occurredAt: record.occurredAt,
      receivedAt: now,
      policyRevision: record.policyRevision ?? null,
      sensorMetadata: metadata
    },
    { workspaceId, at: now, requestId, tokenId, actor: `token:${tokenId}`, action: 'ingress_proxy', detail: metadata }
  )
  to.metrics.ingressCall(record)
  if (to.log.isLevelEnabled('info'))
    to.log.info({ requestId, workspaceId, tokenId, ...traceFields(record), ...metadata }, 'ingress call')
}

/** The trace fields of a log line, under the names that log collectors recognise; empty if there is no trace. */
export function traceFields({ traceId, spanId }: Pick<CallRecord, 'traceId' | 'spanId'>) {
  return {
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...(spanId === undefined ? {} : { span_id: spanId })
  }
}

/**
 * Commits the decision about a call to the audit before the call continues, as `SERVICE_AUDIT_MODE=strict` demands. The
 * call's single event still follows at its end.
 * @throws StoreError if the row is not on disk
 */
export async function commitDecision(record: CallRecord, events: Pick<EventWriter, 'recordDurably'>): Promise<void> {
  const { requestId, workspaceId, tokenId } = record
  // How the call ends is not known yet; the record's outcome is a placeholder.
  const { outcome: _, ...detail } = callMetadata(record)
  const who = { workspaceId, requestId, tokenId, actor: `token:${tokenId}` }
  await events.recordDurably({ events: [], audit: [{ ...who, at: Date.now(), action: 'ingress_decision', detail }] })
}
