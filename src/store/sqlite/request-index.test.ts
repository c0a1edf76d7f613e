import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { Kysely, type CompiledQuery } from 'kysely'
import { auditOf, eventOf, noon } from '../contract/samples.contract.ts'
import { createJournal } from '../queries/journal.ts'
import type { Tables } from '../tables/schema.ts'
import { stretchColumn } from './day-table.ts'
import { threadDialect } from './dialect.ts'
import { ThreadKeeper } from './keeper.ts'
import { databaseFile } from './database-file.ts'
import { openStore } from './sqlite.ts'
import { sqliteTables } from './tables.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-requests-'))
after(() => rmSync(root, { recursive: true, force: true }))
const freshDir = (): string => join(mkdtempSync(join(root, 'case-')), 'data')

describe('the index of requests', () => {
  it('finds rows in every stretch of a day, on every page', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const batch = () => {
      const events = Array.from({ length: 4000 }, () => eventOf({ receivedAt: noon }))
      return { events, audit: events.map(({ requestId }) => auditOf({ at: noon, requestId })) }
    }
    const batches = [batch(), batch(), batch()]
    for (const each of batches) await store.append(each)
    const again = batches[0]?.events[0]?.requestId ?? ''
    await store.append({ events: [eventOf({ receivedAt: noon, requestId: again })], audit: [] })
    for (const { events } of batches) {
      for (const event of [events[1], events.at(-1)]) {
        const query = { workspaceId: 'acme', requestId: event?.requestId ?? '', limit: 10 }
        const ids = (await store.findEvents(query)).rows.map(({ eventId }) => eventId)
        assert.deepEqual(ids, [event?.eventId])
        assert.equal((await store.findAudit(query)).rows.length, 1)
      }
    }
    const query = { workspaceId: 'acme', requestId: again, limit: 1 }
    const newest = await store.findEvents(query)
    const next = await store.findEvents({ ...query, cursor: newest.next ?? '' })
    assert.equal(next.rows[0]?.eventId, batches[0]?.events[0]?.eventId)
    using db = new DatabaseSync(databaseFile(dataDir), { readOnly: true })
    const [table] = db
      .prepare(`select name from sqlite_schema where name glob 'events_[0-9]*' and type = 'table'`)
      .all()
    const plan = db
      .prepare(
        `explain query plan select 1 from ${String(table?.['name'])}
          where workspace_id = 'acme' and ${stretchColumn} in (0, 1) and request_id = 'x'`
      )
      .all()
    assert.match(String(plan[0]?.['detail']), /_by_request \(workspace_id=\? AND <expr>=\? AND request_id=\?\)/)
  })
})

describe('a search for a request with other conditions', () => {
  it('is led by the index of requests, since others lead through a whole day', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))
    const audit = [auditOf({ at: noon, requestId: 'wanted' })]
    await store.append({ events: [eventOf({ receivedAt: noon, requestId: 'wanted', tokenId: 'reader' })], audit })
    const thread = await ThreadKeeper.start({
      path: databaseFile(dataDir),
      role: 'reader',
      busyTimeoutMs: 1000,
      writerId: ''
    })
    const asked: CompiledQuery[] = []
    const reader = new Kysely<Tables>({
      dialect: threadDialect(thread),
      log: ({ query }) => void (query.sql.includes('request_id') && asked.push(query))
    })
    const journal = createJournal({ reader, tables: sqliteTables })
    const query = { workspaceId: 'acme', requestId: 'wanted', limit: 10 }
    const facets = { action: 'mask', riskTier: 'high' }
    assert.equal((await journal.findEvents({ ...query, tokenId: 'reader' })).rows.length, 1)
    await journal.findEvents({ ...query, tokenId: 'reader', facets, kind: 'ingress_proxy' })
    await journal.findAudit({ ...query, tokenId: 'reader', action: 'ingress_proxy', actor: 'service' })
    await thread.close(1000)
    using db = new DatabaseSync(databaseFile(dataDir), { readOnly: true })
    assert.equal(asked.length, 3)
    for (const { sql, parameters } of asked) {
      const plan = db.prepare(`explain query plan ${sql}`).all(...(parameters as string[]))
      assert.match(plan.map(({ detail }) => String(detail)).join('\n'), /SEARCH \w+ USING INDEX \w+_by_request /)
    }
  })
})
