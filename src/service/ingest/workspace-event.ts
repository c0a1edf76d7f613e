/** From a judged event of a sensor to the records that are stored: the event, and its audit row where it decided. */
import { eventFields, toolCallKind, type EventField } from '../../protocol/events/event-schema.ts'
import type { SensorEvent } from '../../protocol/events/event.ts'
import type { AuditEntry, JsonObject, WorkspaceEvent } from '../../store/store.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import type { Principal } from '../tokens/tokens.ts'

/** How far from the time of arrival a sensor's own time is believed. Spools replay days later; nothing comes early. */
export const pastMsMax = 7 * 86_400_000
export const futureMsMax = 5 * 60_000

/** What stands in the metadata of an event: all that is not a column of its own alone. */
const metadataFields = ([...eventFields] as EventField[]).filter((field) => !['eventId', 'occurredAt'].includes(field))
/** What an audit row tells beside its action, in the order in which the row is written. */
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

/** A time too far off is replaced by that of arrival; `skewMs` then says by how much it was ahead (negative: behind). */
function believedTime(occurredAt: string | undefined, now: number): { readonly at: number; readonly skewMs?: number } {
  if (occurredAt === undefined) return { at: now }
  const at = Date.parse(occurredAt)
  const skewMs = at - now
  return skewMs <= futureMsMax && -skewMs <= pastMsMax ? { at } : { at: now, skewMs }
}
