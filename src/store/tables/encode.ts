/**
 * Batches in the form in which they are passed to an engine: one array per column. That is the fastest to copy between
 * threads, and what an insert from arrays needs. Faulty records are detected here, so that only their caller fails.
 */
import { auditPayload } from '../audit/chain.ts'
import {
  addedMsBucket,
  entitiesMaskedOf,
  entityCountsOf,
  facetColumns,
  facetText,
  isStorableText,
  toolRuleOf
} from './facets.ts'
import { jsonText } from './rows.ts'
import { type AuditColumns, type EventColumns } from './schema.ts'
import {
  appendRowsMax,
  eventFacets,
  StoreError,
  type AppendBatch,
  type AuditEntry,
  type WorkspaceEvent
} from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

/** Rows as one array per column. */
export type Columns<Row> = { readonly [Name in keyof Row]: Row[Name][] }

/** All columns except the sequence, which is assigned at the commit. Arrays are of equal length. */
export type EncodedEvents = Columns<Omit<EventColumns, 'sequence'>> & {
  /** For rollups, in addition to the columns. */
  readonly entitiesMasked: number[]
  readonly entityCounts: ([kind: string, count: number][] | null)[]
  readonly addedMsBucket: number[]
  readonly toolRule: (string | null)[]
}

/** All columns except the sequences and the chain, which are assigned at the commit. */
export type EncodedAudit = Columns<
  Pick<AuditColumns, 'workspace_id' | 'day' | 'at' | 'request_id' | 'token_id' | 'actor' | 'action' | 'payload'>
> & {
  /** Index of the event on which the row depends, -1 for none. */
  readonly eventIndex: number[]
}

export interface EncodedBatch {
  readonly events: EncodedEvents
  readonly audit: EncodedAudit
}

/** The year 10000. A later time is a mistake, and would create a partition that retention never reaches. */
const timeEnd = 253_402_300_800_000

/** @throws StoreError `invalid` */
function dayOf(time: number): number {
  if (!(time >= 0 && time < timeEnd)) throw new StoreError('invalid', 'The time of a record is out of range.')
  return Math.floor(time / dayMs)
}

/**
 * Checks a text that gets a column of its own.
 * @throws StoreError `invalid` if it is missing, or not every engine can store it
 */
export function checkedText(text: string): string {
  if (typeof text !== 'string') throw new StoreError('invalid', 'The record lacks a field.')
  if (!isStorableText(text)) throw new StoreError('invalid', 'The record holds text that the store cannot hold.')
  return text
}

/** The same for a text that may be absent. */
export const checkedOptional = (text: string | null): string | null => (text === null ? null : checkedText(text))

/** @throws StoreError `invalid` for what 64 bits cannot hold */
function checkedTime(time: number): number {
  if (!(Math.abs(time) < 2 ** 63)) {
    throw new StoreError('invalid', 'The time of a record is out of range.')
  }
  return Math.trunc(time)
}

function encodeEvents(events: readonly WorkspaceEvent[]): EncodedEvents {
  const facetOf = (facet: (typeof eventFacets)[number]) =>
    events.map(({ sensorMetadata }) => facetText(sensorMetadata[facet]))
  const facets = Object.fromEntries(eventFacets.map((facet) => [facetColumns[facet], facetOf(facet)])) as Pick<
    EncodedEvents,
    (typeof facetColumns)[keyof typeof facetColumns]
  >
  return {
    workspace_id: events.map(({ workspaceId }) => checkedText(workspaceId)),
    day: events.map(({ receivedAt }) => dayOf(receivedAt)),
    event_id: events.map(({ eventId }) => checkedText(eventId)),
    lineage_id: events.map(({ lineageId }) => checkedText(lineageId ?? '')),
    kind: events.map(({ kind }) => checkedText(kind)),
    origin: events.map(({ origin }) => checkedText(origin) as typeof origin),
    request_id: events.map(({ requestId }) => checkedOptional(requestId)),
    token_id: events.map(({ tokenId }) => checkedOptional(tokenId)),
    occurred_at: events.map(({ occurredAt }) => checkedTime(occurredAt)),
    received_at: events.map(({ receivedAt }) => checkedTime(receivedAt)),
    policy_revision: events.map(({ policyRevision }) => checkedOptional(policyRevision)),
    ...facets,
    sensor_metadata: events.map(({ sensorMetadata }) => jsonText(sensorMetadata)),
    entitiesMasked: events.map(({ sensorMetadata }) => entitiesMaskedOf(sensorMetadata)),
    entityCounts: events.map(({ sensorMetadata }) => entityCountsOf(sensorMetadata)),
    addedMsBucket: events.map(({ sensorMetadata }) => addedMsBucket(sensorMetadata)),
    toolRule: events.map(({ sensorMetadata }) => toolRuleOf(sensorMetadata))
  }
}

/**
 * Encodes the audit rows of a batch with `events` events.
 * @throws StoreError `invalid`, RangeError for an `eventIndex` out of range
 */
export function encodeAudit(entries: readonly AuditEntry[], events: number): EncodedAudit {
  return {
    workspace_id: entries.map(({ workspaceId }) => checkedText(workspaceId)),
    day: entries.map(({ at }) => dayOf(at)),
    at: entries.map(({ at }) => checkedTime(at)),
    request_id: entries.map(({ requestId }) => checkedOptional(requestId)),
    token_id: entries.map(({ tokenId }) => checkedOptional(tokenId)),
    actor: entries.map(({ actor }) => checkedText(actor)),
    action: entries.map(({ action }) => checkedText(action)),
    payload: entries.map(auditPayload),
    eventIndex: entries.map(({ eventIndex = -1 }) => {
      if (eventIndex >= events) throw new RangeError('eventIndex must be the place of an event of the batch')
      return eventIndex
    })
  }
}

/** @throws StoreError `invalid`, RangeError for too many rows or an `eventIndex` out of range */
export function encodeBatch({ events, audit }: AppendBatch): EncodedBatch {
  if (events.length > appendRowsMax || audit.length > appendRowsMax) {
    throw new RangeError(`one append takes at most ${appendRowsMax} events and as many audit rows`)
  }
  return { events: encodeEvents(events), audit: encodeAudit(audit, events.length) }
}
