/** Filters of events, shared by reading, following and exporting. */
import { tiers } from '../../detection/findings.ts'
import { actions, entityKindPattern, kindPattern } from '../../protocol/events/event-schema.ts'
import { countsEntity } from '../../store/tables/facets.ts'
import { eventFacets, type EventFacet, type EventQuery, type StoredEvent } from '../../store/store.ts'
import type { Caller } from '../access.ts'
import { queryRules, readQuery } from './read-query.ts'
import { z } from 'zod'
import { isoTime } from '../../timing/iso-time.ts'

const facetRules = Object.fromEntries(eventFacets.map((facet) => [facet, queryRules.text(256).optional()])) as Record<
  EventFacet,
  z.ZodOptional<z.ZodString>
>

/** Filters of events, named like the fields of an event. */
export const eventFilterRules = {
  kind: z.string('must be given once').regex(kindPattern, `must be of the form ${kindPattern.source}`).optional(),
  origin: z.enum(['service', 'sensor'], 'must be service or sensor').optional(),
  requestId: queryRules.uuid,
  entityKind: z
    .string('must be given once')
    .regex(entityKindPattern, `must be of the form ${entityKindPattern.source}`)
    .optional(),
  ...facetRules,
  action: z.enum(actions, `must be one of ${actions.join(', ')}`).optional(),
  riskTier: z.enum(tiers, `must be one of ${tiers.join(', ')}`).optional()
}

export type EventFilter = Pick<EventQuery, 'kind' | 'origin' | 'requestId' | 'facets' | 'entityKind'>

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
  const { kind, origin, requestId, entityKind } = given
  return { kind, origin, requestId, entityKind, ...(facets.length > 0 ? { facets: Object.fromEntries(facets) } : {}) }
}

/** Rows that a caller may see: all of the workspace, or those of a token's own calls and events. */
export function visibleRows({ workspaceId, tokenId, seesAll }: VisibleTo): Pick<EventQuery, 'workspaceId' | 'tokenId'> {
  if (seesAll) return { workspaceId }
  if (tokenId === null) throw new TypeError('only a token has rows of its own')
  return { workspaceId, tokenId }
}

type VisibleTo = Pick<Caller, 'workspaceId' | 'tokenId' | 'seesAll'>

/** @throws Refused `invalid_value` */
export function readEventQuery(query: unknown, caller: VisibleTo): EventQuery {
  const given = readQuery(pageRules, query)
  const { from, to, order, limit, cursor } = given
  return { ...visibleRows(caller), ...eventFilter(given), from, to, order, limit, cursor }
}

/** Whether an event passes a filter: the same result as in the store, for events that are followed. */
export function matches(event: StoredEvent, filter: EventFilter & Pick<EventQuery, 'tokenId'>): boolean {
  const facets = Object.entries(filter.facets ?? {})
  return (
    (filter.kind === undefined || event.kind === filter.kind) &&
    (filter.origin === undefined || event.origin === filter.origin) &&
    (filter.requestId === undefined || event.requestId === filter.requestId) &&
    (filter.entityKind === undefined || countsEntity(event.sensorMetadata, filter.entityKind)) &&
    (filter.tokenId === undefined || event.tokenId === filter.tokenId) &&
    facets.every(([facet, value]) => event.sensorMetadata[facet] === value)
  )
}

/** An event in an API answer. */
export function eventBody(event: StoredEvent) {
  const { sequence, eventId, kind, origin, requestId, tokenId, policyRevision, sensorMetadata } = event
  return {
    sequence,
    eventId,
    kind,
    origin,
    requestId,
    tokenId,
    occurredAt: isoTime(event.occurredAt),
    receivedAt: isoTime(event.receivedAt),
    policyRevision,
    sensorMetadata
  }
}
