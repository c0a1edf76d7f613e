import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Kysely, sql } from 'kysely'
import type { Tables } from '../tables/schema.ts'
import { threadDialect } from './dialect.ts'
import { ThreadKeeper } from './keeper.ts'
import { reclaimPages, usedBytes } from './space.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-space-'))
after(() => rmSync(root, { recursive: true, force: true }))

const bytesPerPage = 4096
const pagesPerStep = 256

/**
 * Uses a database of which some pages are free, as dropping old records leaves them.
 * @param options.pages about how many it has, besides those by which SQLite finds others
 */
async function withFreePages(
  { pages, free }: { readonly pages: number; readonly free: number },
  use: (db: Kysely<Tables>) => Promise<void>
): Promise<void> {
  const path = join(mkdtempSync(join(root, 'case-')), 'sluice.db')
  const writer = await ThreadKeeper.start({ path, role: 'writer', busyTimeoutMs: 5000, writerId: 'space' })
  const db = new Kysely<Tables>({ dialect: threadDialect(writer) })
  try {
    for (const [table, count] of [
      ['kept', pages - free],
      ['dropped', free]
    ] as const) {
      await sql.raw(`create table ${table} (page blob)`).execute(db)
      await sql
        .raw(
          `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
          insert into ${table} select zeroblob(${bytesPerPage - 100}) from n`
        )
        .execute(db)
    }
    await sql.raw('drop table dropped').execute(db)
    await use(db)
  } finally {
    await writer.close(5000)
  }
}

async function pagesOf(db: Kysely<Tables>): Promise<{ pages: number; free: number }> {
  const count = async (pragma: string): Promise<number> => {
    const { rows } = await sql<Record<string, number>>`${sql.raw(`pragma ${pragma}`)}`.execute(db)
    return rows[0]?.[pragma] as number
  }
  return { pages: await count('page_count'), free: await count('freelist_count') }
}

describe('a file whose records were dropped', () => {
  it('keeps free pages up to a quarter of it, for the records to come', async () => {
    await withFreePages({ pages: 2000, free: 460 }, async (db) => {
      const before = await pagesOf(db)
      assert.ok(before.free > 400 && before.free < before.pages / 4, JSON.stringify(before))
      await reclaimPages(db)
      assert.deepEqual(await pagesOf(db), before)
    })
  })

  it('shrinks step by step until no more than a quarter is free, and no further', async () => {
    await withFreePages({ pages: 2000, free: 1200 }, async (db) => {
      await reclaimPages(db)
      const { pages, free } = await pagesOf(db)
      assert.ok(free <= Math.max(pages / 4, pagesPerStep), `${free} of ${pages}`)
      assert.ok(free + pagesPerStep > (pages + pagesPerStep) / 4, `${free} of ${pages}: a step less was enough`)
      assert.equal(await usedBytes(db), (pages - free) * bytesPerPage)
      const { rows } = await sql<object>`select length(page) from kept`.execute(db)
      assert.equal(rows.length, 800)
    })
  })

  it('is left as it is while it is small', async () => {
    await withFreePages({ pages: 300, free: 220 }, async (db) => {
      const before = await pagesOf(db)
      assert.ok(before.free > before.pages / 2, JSON.stringify(before))
      await reclaimPages(db)
      assert.deepEqual(await pagesOf(db), before)
    })
  })
})
