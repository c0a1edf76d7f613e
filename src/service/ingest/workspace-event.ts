/** From a judged event of a sensor to the records that are stored: the event, and its audit row where it decided. */
import { toolCallKind } from '../../protocol/event-schema.ts'
import type { SensorEvent } from '../../protocol/event.ts'
import type { AuditEntry, WorkspaceEvent } from '../../store/store.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import type { Principal } from '../tokens.ts'

/** How far from the time of arrival a sensor's own time is believed. Spools replay days later; nothing comes early. */
export const pastMsMax = 7 * 86_400_000
export const futureMsMax = 5 * 60_000

export interface StoredForm {
  readonly event: WorkspaceEvent
  /** Present for enforcement events, which the audit tells of. */
  readonly audit: AuditEntry | null
  readonly warnings: readonly string[]
}

/**
 * Makes the records of one event.
 * @param now milliseconds since 1970 at which it arrived
 */
export function toWorkspaceEvent(
  sensorEvent: SensorEvent,
  principal: Principal,
  requestId: string,
  now: number
): StoredForm {
  const { workspaceId, tokenId, lineageId } = principal
  const { eventId, occurredAt, ...fields } = sensorEvent
  const time = believedTime(occurredAt, now)
  const sensorMetadata = time.skewMs === undefined ? fields : { ...fields, clockSkewMs: time.skewMs }
  const shared = { workspaceId, requestId: fields.requestId ?? requestId, tokenId }
  const { kind, ...detail } = sensorMetadata
  const isDecision = kind === toolCallKind || fields.action !== undefined
  return {
    event: {
      ...shared,
      eventId: eventId ?? timeOrderedId(),
      lineageId,
      kind,
      origin: 'sensor',
      occurredAt: time.at,
      receivedAt: now,
      policyRevision: fields.policyRevision ?? null,
      sensorMetadata
    },
    audit: isDecision ? { ...shared, at: now, actor: `token:${tokenId}`, action: kind, detail } : null,
    warnings: time.skewMs === undefined ? [] : [skewWarning]
  }
}

const skewWarning = 'occurredAt lies too far from the time of arrival, which stands in its place; see clockSkewMs.'

/** A time too far off is replaced by that of arrival; `skewMs` then says by how much it was ahead (negative: behind). */
function believedTime(occurredAt: string | undefined, now: number): { readonly at: number; readonly skewMs?: number } {
  if (occurredAt === undefined) return { at: now }
  const at = Date.parse(occurredAt)
  const skewMs = at - now
  return skewMs <= futureMsMax && -skewMs <= pastMsMax ? { at } : { at: now, skewMs }
}
