import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { auditOf, eventOf, noon } from '../contract/samples.contract.ts'
import { databaseFile } from './database-file.ts'
import { openStore } from './sqlite.ts'
import { appendRowsMax, type StoreError } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-limits-'))
after(() => rmSync(root, { recursive: true, force: true }))
const freshDir = (): string => join(mkdtempSync(join(root, 'case-')), 'data')

describe('the limits of the SQLite store', () => {
  it('apply to a search for a request through many rows, which continues on the next page', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))
    const event = eventOf({ receivedAt: noon, requestId: 'wanted' })
    await store.append({ events: [event], audit: [] })
    // Days as registered with 100 million rows each.
    const db = new DatabaseSync(databaseFile(dataDir))
    const hours = db.prepare(`insert into record_hours values ('acme', 'events', ?, 100000000, ?, ?)`)
    const rows = 100_000_000
    for (let n = 0; n < 5; n++) hours.run((noon + (n + 1) * dayMs) / 3_600_000, n * rows + 10, n * rows + rows)
    db.close()
    const query = { workspaceId: 'acme', requestId: 'wanted', limit: 10 }
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = await store.findEvents({ ...query, ...(cursor === undefined ? {} : { cursor }) })
      found.push(page.rows.length)
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
    // A day with so many rows has 12,208 stretches, so one page covers two of them.
    assert.deepEqual(found, [0, 0, 1])
  })

  it('let a search for a request with other conditions pass over the days that do not have it', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))
    const tokenId = 'reader'
    await store.append({ events: [eventOf({ receivedAt: noon, requestId: 'wanted', tokenId })], audit: [] })
    // Days as registered with a million rows each.
    const db = new DatabaseSync(databaseFile(dataDir))
    const hours = db.prepare(`insert into record_hours values ('acme', 'events', ?, 1000000, ?, ?)`)
    const rows = 1_000_000
    for (let n = 0; n < 30; n++) hours.run((noon + (n + 1) * dayMs) / 3_600_000, n * rows + 10, n * rows + rows)
    db.close()
    const page = await store.findEvents({ workspaceId: 'acme', requestId: 'wanted', tokenId, limit: 10 })
    assert.deepEqual([page.rows.length, page.next], [1, null])
  })

  it('apply to a search through many days, however few rows each has', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))
    const days = 500
    const db = new DatabaseSync(databaseFile(dataDir))
    const hours = db.prepare(`insert into record_hours values ('acme', 'events', ?, 1, ?, ?)`)
    db.exec('begin')
    for (let day = 0; day < days; day++) hours.run(day * 24, day + 1, day + 1)
    db.exec('commit')
    db.close()
    const query = { workspaceId: 'acme', kind: 'none', limit: 10 }
    const first = await store.findEvents(query)
    assert.ok(first.next !== null, 'a page covers 400 days at most')
    assert.deepEqual(await store.findEvents({ ...query, cursor: first.next }), { rows: [], next: null })
  })

  it('refuse at once what the queue cannot hold, and write everything accepted', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const audit = Array.from({ length: appendRowsMax }, () => auditOf({ requestId: 'bulk' }))
    const results = await Promise.allSettled(Array.from({ length: 14 }, () => store.append({ events: [], audit })))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as StoreError] : []))
    assert.ok(refused.length > 0 && refused.length < results.length)
    assert.ok(refused.every(({ code }) => code === 'overloaded'))
    const [head] = await store.auditHeads('acme')
    assert.equal(head?.rows, 1 + (results.length - refused.length) * appendRowsMax)
  })
})
