/** Reads events and audit rows: queries, and following a workspace by its sequences. */
import type { Kysely } from 'kysely'
import { dayOfHour, readInSequence, readUnlessDropped, type RecordSource } from './day-spans.ts'
import { countsEntity, facetColumns } from '../tables/facets.ts'
import { readPage } from './journal-page.ts'
import { hoursOf, type Conditions } from './journal-walk.ts'
import { checkedLimit } from './limit.ts'
import { eventReadColumns, toAuditRow, toEvent } from '../tables/rows.ts'
import type { AuditColumns, EventColumns, RecordKind, Tables } from '../tables/schema.ts'
import { eventFacets, type AuditQuery, type EventQuery, type Page, type PageQuery, type Store } from '../store.ts'

type Journal = Pick<Store, 'findEvents' | 'findAudit' | 'eventsAfter' | 'lastEventSequence'>

export function createJournal(source: RecordSource): Journal {
  const { reader, tables } = source
  const page = <Row>(records: RecordKind, query: PageQuery, conditions: Conditions) =>
    readPage({ ...source, records, query, conditions }) as Promise<Page<Row>>
  return {
    findEvents: async (query) => {
      const { rows, next } = await page<EventColumns>('events', query, eventConditions(query))
      const { entityKind } = query
      const events = rows.map(toEvent)
      if (entityKind === undefined) return { rows: events, next }
      return { rows: events.filter(({ sensorMetadata }) => countsEntity(sensorMetadata, entityKind)), next }
    },
    findAudit: async (query) => {
      const { rows, next } = await page<AuditColumns>('audit', query, auditConditions(query))
      return { rows: rows.map(toAuditRow), next }
    },
    eventsAfter: async ({ workspaceId, sequence, limit }) => {
      checkedLimit(limit)
      const rows = await readInSequence({
        spans: await eventSpansAfter(reader, workspaceId, sequence),
        limit,
        sequenceOf: (row) => row.sequence,
        read: (day: number) => {
          const rows = tables.events(reader, day).select(eventReadColumns).where('workspace_id', '=', workspaceId)
          const next = rows.where('sequence', '>', sequence).orderBy('sequence').limit(limit)
          return readUnlessDropped(source, 'events', day, () => next.execute())
        }
      })
      return rows.map(toEvent)
    },
    lastEventSequence: async (workspaceId) => {
      const hours = hoursOf(reader, workspaceId, 'events')
      const newest = hours.select((row) => row.fn.max('last_sequence').as('last'))
      return (await newest.executeTakeFirst())?.last ?? 0
    }
  }
}

const given = (values: Readonly<Record<string, string | undefined>>): Conditions =>
  Object.entries(values).flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]))

const auditConditions = ({ requestId: request_id, tokenId: token_id, action, actor }: AuditQuery): Conditions =>
  given({ request_id, token_id, action, actor })

function eventConditions(query: EventQuery): Conditions {
  const { requestId: request_id, tokenId: token_id, facets = {}, kind, origin, entityKind } = query
  const columns = eventFacets.map((facet) => [facetColumns[facet], facets[facet]] as const)
  const equal = given({ request_id, token_id, ...Object.fromEntries(columns), kind, origin })
  // The text may name the kind elsewhere, or another of the same length with another character for an underscore:
  // matches are checked again. But most rows that do not count it are not read.
  return entityKind === undefined ? equal : [...equal, ['sensor_metadata', `%"${entityKind}":%`, 'like']]
}

async function eventSpansAfter(reader: Kysely<Tables>, workspaceId: string, sequence: number) {
  return await hoursOf(reader, workspaceId, 'events')
    .where('last_sequence', '>', sequence)
    .select((row) => [dayOfHour.as('day'), row.fn.min<number>('first_sequence').as('first')])
    .groupBy(dayOfHour)
    .execute()
}
