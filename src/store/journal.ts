/** The reading side of events and audit rows. Every query names its workspace and its limit. */
import type { Kysely } from 'kysely'
import { checkedLimit } from './registers.ts'
import { toAuditRow, toEvent } from './rows.ts'
import type { Tables } from './schema.ts'
import type { LatestQuery, RequestQuery, RowQuery, Store } from './store.ts'

export type Journal = Pick<Store, 'latestEvents' | 'eventsOfRequest' | 'latestAudit' | 'auditOfRequest'>

export function createJournal(reader: Kysely<Tables>): Journal {
  const events = ({ workspaceId, tokenId, limit }: RowQuery) => {
    const rows = reader
      .selectFrom('events')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .limit(checkedLimit(limit))
    return tokenId === undefined ? rows : rows.where('token_id', '=', tokenId)
  }
  const audit = ({ workspaceId, tokenId, limit }: RowQuery) => {
    const rows = reader
      .selectFrom('audit')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .limit(checkedLimit(limit))
    return tokenId === undefined ? rows : rows.where('token_id', '=', tokenId)
  }
  const last = Number.MAX_SAFE_INTEGER
  return {
    latestEvents: async (query: LatestQuery) => {
      const rows = events(query)
        .where('sequence', '<', query.before ?? last)
        .orderBy('sequence', 'desc')
      return (await rows.execute()).map(toEvent)
    },
    eventsOfRequest: async (query: RequestQuery) => {
      const rows = events(query).where('request_id', '=', query.requestId).orderBy('sequence')
      return (await rows.execute()).map(toEvent)
    },
    latestAudit: async (query: LatestQuery) => {
      const rows = audit(query)
        .where('sequence', '<', query.before ?? last)
        .orderBy('sequence', 'desc')
      return (await rows.execute()).map(toAuditRow)
    },
    auditOfRequest: async (query: RequestQuery) => {
      const rows = audit(query).where('request_id', '=', query.requestId).orderBy('sequence')
      return (await rows.execute()).map(toAuditRow)
    }
  }
}
