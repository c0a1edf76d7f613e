/** One function for each business event. None of them throws or waits, so reporting cannot fail or slow a call. */
import type { Logger } from 'pino'
import type { Tier } from '../detection/findings.ts'
import type { DialectName, TokenUsage } from '../dialects/dialect.ts'
import type { FindingAction } from '../policy/redaction/profile.ts'
import type { SidecarCounts } from '../protocol/sidecar-header.ts'
import type { EventWriter } from './event-writer.ts'
import type { Metrics } from './metrics.ts'

/**
 * How an ingress call ended. `forwarded`: the upstream's answer went to the client whole. `blocked`: high-risk content.
 * `refused`: another fault of the request or of this service. `upstream_failed`: no answer, or one that broke off.
 * `abandoned`: the client went away first.
 */
export type CallOutcome = 'forwarded' | 'blocked' | 'refused' | 'upstream_failed' | 'abandoned'

/** What one authenticated ingress call leaves behind: metadata only. Filled in step by step as the call goes on. */
export interface CallRecord {
  readonly requestId: string
  readonly workspaceId: string
  readonly tokenId: string
  readonly occurredAt: number
  readonly route: string
  readonly dialect: DialectName
  outcome: CallOutcome
  /** Code of the error catalogue where the answer was ours. */
  errorCode?: string
  action?: FindingAction
  riskTier: Tier
  entitiesMasked: number
  /** Values put back into the answer, and placeholders of older turns that stayed in it. */
  entitiesRestored?: number
  placeholdersLeft?: number
  entityCounts: Readonly<Record<string, number>>
  passedCounts: Readonly<Record<string, number>>
  clientSurface: string
  modelProvider: string
  modelId?: string
  stream?: boolean
  mediaParts?: number
  /** Content blocks and items of a type that the dialect does not know. Counted in the metrics alone. */
  unknownBlocks?: number
  /** Bytes of the body that were not searched, since an earlier call showed what they hold. Counted in the metrics alone. */
  knownBytes?: number
  policyRevision?: string
  upstreamStatus?: number
  /** Why there was no answer, as the system or TLS has it: `ECONNREFUSED`. */
  upstreamFault?: string | undefined
  scanMs?: number
  /** From sending the request to the upstream's response headers. */
  upstreamMs?: number
  durationMs?: number
  requestBytes?: number
  responseBytes?: number
  usage?: TokenUsage
  /** The model as the answer names it; read only where OpenTelemetry is told of it. Bounded and scrubbed. */
  responseModel?: string
  /** Of the trace that the call is part of: the client's, or one that began here. 32 hexadecimal digits. */
  traceId?: string
  /** Of the call's own span, where it has one. 16 hexadecimal digits. */
  spanId?: string
  /** What a sidecar that the call came through says of it, in its own words: a claim of the client's side. */
  sidecar?: SidecarCounts
}

/** Times in events are rounded to a hundredth of a millisecond. */
const rounded = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 100) / 100

/** The metadata of a call as it stands under `sensorMetadata`, with the names that sensor events use. JSON leaves out what is undefined. */
export function callMetadata(record: CallRecord) {
  const { usage } = record
  // In the order of the audit's form of JSON, which is then written in one go.
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
export interface ReportTargets {
  readonly events: Pick<EventWriter, 'record'>
  readonly metrics: Pick<Metrics, 'ingressCall'>
  readonly log: Logger
  newId(): string
}

/** Writes the one `ingress_proxy` event of a call, its audit row, its numbers and its log line. */
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

/** Names the trace in a log line by the names that log collectors look for; empty where there is none. */
export function traceFields({ traceId, spanId }: Pick<CallRecord, 'traceId' | 'spanId'>) {
  return {
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...(spanId === undefined ? {} : { span_id: spanId })
  }
}

/**
 * Commits the decision about a call to the audit before the call goes on, as `SERVICE_AUDIT_MODE=strict` asks for. The
 * call's one event follows at its end as ever.
 * @throws StoreError when the row is not on disk
 */
export async function commitDecision(record: CallRecord, events: Pick<EventWriter, 'recordDurably'>): Promise<void> {
  const { requestId, workspaceId, tokenId } = record
  // How the call ends is not known yet, and what stands in the record for it is a placeholder.
  const { outcome: _, ...detail } = callMetadata(record)
  const who = { workspaceId, requestId, tokenId, actor: `token:${tokenId}` }
  await events.recordDurably({ events: [], audit: [{ ...who, at: Date.now(), action: 'ingress_decision', detail }] })
}
