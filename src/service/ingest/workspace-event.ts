/**
 * Converts a sensor's validated event to the records that are stored: the event, and an audit row if it made a
 * decision.
 */
import { eventFields, toolCallKind, type EventField } from '../../protocol/events/event-schema.ts'
import type { SensorEvent } from '../../protocol/events/event.ts'
import type { AuditEntry, JsonObject, WorkspaceEvent } from '../../store/store.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import type { Principal } from '../tokens/tokens.ts'

/** How far a sensor's time may be from the time of arrival. Spools replay days later; nothing arrives early. */
export const pastMsMax = 7 * 86_400_000
export const futureMsMax = 5 * 60_000

/** The fields in the metadata of an event: all that do not have a column of their own. */
const metadataFields = ([...eventFields] as EventField[]).filter((field) => !['eventId', 'occurredAt'].includes(field))
/** The fields of an audit row's detail, in the order in which the row is written. */
const detailFields = metadataFields.filter((field) => field !== 'kind').sort()

function pick(event: SensorEvent, fields: readonly EventField[], skewMs: number | undefined): JsonObject {
  const picked: Record<string, JsonObject[string]> = {}
  for (const field of fields) {
    const value = event[field]
    if (value !== undefined) picked[field] = value
  }
  if (skewMs !== undefined) picked['clockSkewMs'] = skewMs
  return picked
}

interface StoredForm {
  readonly event: WorkspaceEvent
  /** Present for enforcement events, which the audit trail contains. */
  readonly audit: AuditEntry | null
  readonly warnings: readonly string[]
}

/**
 * Creates the records of one event.
 * @param now when it arrived, in milliseconds since 1970
 */
export function toWorkspaceEvent(
  sensorEvent: SensorEvent,
  principal: Principal,
  requestId: string,
  now: number
): StoredForm {
  const { workspaceId, tokenId, lineageId } = principal
  const { kind } = sensorEvent
  const time = believedTime(sensorEvent.occurredAt, now)
  const requestIdOfEvent = sensorEvent.requestId ?? requestId
  const isDecision = kind === toolCallKind || sensorEvent.action !== undefined
  return {
    event: {
      workspaceId,
      requestId: requestIdOfEvent,
      tokenId,
      eventId: sensorEvent.eventId ?? timeOrderedId(),
      lineageId,
      kind,
      origin: 'sensor',
      occurredAt: time.at,
      receivedAt: now,
      policyRevision: sensorEvent.policyRevision ?? null,
      sensorMetadata: pick(sensorEvent, metadataFields, time.skewMs)
    },
    audit: isDecision
      ? {
          workspaceId,
          requestId: requestIdOfEvent,
          tokenId,
          at: now,
          actor: `token:${tokenId}`,
          action: kind,
          detail: pick(sensorEvent, detailFields, time.skewMs)
        }
      : null,
    warnings: time.skewMs === undefined ? [] : [skewWarning]
  }
}

const skewWarning = 'occurredAt lies too far from the time of arrival, which stands in its place; see clockSkewMs.'

/**
 * A time that is too far off is replaced by that of arrival; `skewMs` is then how far it was ahead (negative: behind).
 */
function believedTime(occurredAt: string | undefined, now: number): { readonly at: number; readonly skewMs?: number } {
  if (occurredAt === undefined) return { at: now }
  const at = Date.parse(occurredAt)
  const skewMs = at - now
  return skewMs <= futureMsMax && -skewMs <= pastMsMax ? { at } : { at: now, skewMs }
}
