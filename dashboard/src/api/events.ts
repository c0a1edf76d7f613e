/** Queries for recorded events and audit rows. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { auditPageSchema, eventPageSchema, seriesSchema } from '../../../src/protocol/api/reading-schema.ts'
import { get } from './client.ts'

/** The filters of events, named as in URLs and the API. */
const filterNames = [
  'requestId',
  'kind',
  'origin',
  'action',
  'riskTier',
  'clientSurface',
  'modelProvider',
  'modelId',
  'entityKind',
  'mcpToolName',
  'downstreamServer',
  'sensorId'
] as const
export type FilterName = (typeof filterNames)[number]
export type Filters = Readonly<Partial<Record<FilterName | 'from' | 'to', string>>>

/** The filters in a URL; other parameters are ignored. */
export function filtersOf(parameters: URLSearchParams): Filters {
  const names = [...filterNames, 'from', 'to'] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    })
  )
}

const pageEvents = 50

/** Pages of events, newest first. */
export const eventPages = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['events', 'pages', filters],
    queryFn: ({ pageParam, signal }) =>
      get('/api/events', eventPageSchema, { query: { ...filters, limit: pageEvents, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined
  })

/** Every event of one request, oldest first. */
export const requestEvents = (requestId: string) =>
  queryOptions({
    queryKey: ['events', 'request', requestId],
    queryFn: ({ signal }) =>
      get('/api/events', eventPageSchema, { query: { requestId, order: 'oldest', limit: 1000 }, signal })
  })

export const requestAudit = (requestId: string) =>
  queryOptions({
    queryKey: ['audit', 'request', requestId],
    queryFn: ({ signal }) =>
      get('/api/audit', auditPageSchema, { query: { requestId, order: 'oldest', limit: 1000 }, signal })
  })

export interface SeriesAsked {
  readonly by: string
  readonly step: 'minute' | 'hour' | 'day' | 'all'
  /** A time span back from now, or a time. */
  readonly from: string
  readonly to?: string | undefined
  readonly kind?: string | undefined
}

/** @param refetchMs how often the counts are refreshed while the page is shown */
export const series = (asked: SeriesAsked, refetchMs: number) =>
  queryOptions({
    queryKey: ['events', 'series', asked],
    queryFn: ({ signal }) => get('/api/events/series', seriesSchema, { query: { ...asked }, signal }),
    refetchInterval: refetchMs,
    // Someone who returns to the page has often just done something that it counts. Unlike `refetchOnMount`, this also
    // applies if the page finds only after mounting that there is something to count.
    staleTime: 0,
    // A moving range keeps showing its previous counts until the new ones arrive.
    placeholderData: (before) => before
  })

/** The newest event, to see whether there has ever been one. */
export const newestEvent = queryOptions({
  queryKey: ['events', 'newest'],
  queryFn: async ({ signal }) => {
    const { events, next } = await get('/api/events', eventPageSchema, { query: { limit: 1 }, signal })
    return { event: events[0] ?? null, isEmpty: events.length === 0 && next === null }
  },
  refetchOnMount: 'always'
})

/** Actions that change the policy or the users, newest first. */
export const recentActs = (action: string, from: string) =>
  queryOptions({
    queryKey: ['audit', 'acts', action, from],
    queryFn: ({ signal }) => get('/api/audit', auditPageSchema, { query: { action, from, limit: 20 }, signal })
  })
