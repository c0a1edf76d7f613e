/** What can be asked of events: one set of filters for reading, following and exporting. */
import { kindPattern } from '../../protocol/event-schema.ts'
import { eventFacets, type EventFacet, type EventQuery, type StoredEvent } from '../../store/store.ts'
import { grants, type Principal } from '../tokens.ts'
import { queryRules, readQuery } from './read-query.ts'
import { z } from 'zod'

const facetRules = Object.fromEntries(eventFacets.map((facet) => [facet, queryRules.text(256).optional()])) as Record<
  EventFacet,
  z.ZodOptional<z.ZodString>
>

/** Filters of events, by the names that the fields have in an event. */
export const eventFilterRules = {
  kind: z.string('must be given once').regex(kindPattern, `must be of the form ${kindPattern.source}`).optional(),
  origin: z.enum(['service', 'sensor'], 'must be service or sensor').optional(),
  requestId: queryRules.uuid,
  ...facetRules
}

export type EventFilter = Pick<EventQuery, 'kind' | 'origin' | 'requestId' | 'facets'>

const pageRules = {
  ...eventFilterRules,
  from: queryRules.time,
  to: queryRules.time,
  order: queryRules.order,
  limit: queryRules.limit,
  cursor: queryRules.cursor
}

type FilterInput = { readonly [Name in keyof typeof eventFilterRules]?: z.output<(typeof eventFilterRules)[Name]> }

/** The filter that parameters describe. */
export function eventFilter(given: FilterInput): EventFilter {
  const facets = eventFacets.flatMap((facet) => (given[facet] === undefined ? [] : [[facet, given[facet]]]))
  const { kind, origin, requestId } = given
  return { kind, origin, requestId, ...(facets.length > 0 ? { facets: Object.fromEntries(facets) } : {}) }
}

/** Rows that a token may see: all of its workspace with `audit:read`, else those of its own calls and events. */
export function visibleRows({ workspaceId, tokenId, scopes }: Principal): Pick<EventQuery, 'workspaceId' | 'tokenId'> {
  return grants(scopes, 'audit:read') ? { workspaceId } : { workspaceId, tokenId }
}

/** @throws Refused `invalid_value` */
export function readEventQuery(query: unknown, principal: Principal): EventQuery {
  const given = readQuery(pageRules, query)
  const { from, to, order, limit, cursor } = given
  return { ...visibleRows(principal), ...eventFilter(given), from, to, order, limit, cursor }
}

/** Whether an event passes a filter: the same judgement as the store's, for events that are followed. */
export function matches(event: StoredEvent, filter: EventFilter & Pick<EventQuery, 'tokenId'>): boolean {
  const facets = Object.entries(filter.facets ?? {})
  return (
    (filter.kind === undefined || event.kind === filter.kind) &&
    (filter.origin === undefined || event.origin === filter.origin) &&
    (filter.requestId === undefined || event.requestId === filter.requestId) &&
    (filter.tokenId === undefined || event.tokenId === filter.tokenId) &&
    facets.every(([facet, value]) => event.sensorMetadata[facet] === value)
  )
}

/** An event as it goes over the wire. */
export function eventBody(event: StoredEvent) {
  const { sequence, eventId, kind, origin, requestId, tokenId, policyRevision, sensorMetadata } = event
  return {
    sequence,
    eventId,
    kind,
    origin,
    requestId,
    tokenId,
    occurredAt: new Date(event.occurredAt).toISOString(),
    receivedAt: new Date(event.receivedAt).toISOString(),
    policyRevision,
    sensorMetadata
  }
}
