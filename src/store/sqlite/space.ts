/** The space that a SQLite database takes, and how to return what is not soon reused. */
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables/schema.ts'

/** Free pages are reused before the file grows, so it is best to keep most of them. */
const freeShareMax = 0.25
const pagesPerStep = 256

interface Pages {
  readonly pages: number
  readonly free: number
  readonly bytesPerPage: number
}

async function pagesOf(db: Kysely<Tables>): Promise<Pages> {
  const { rows } = await sql<Pages>`
    select page_count as pages, freelist_count as free, page_size as "bytesPerPage"
    from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(db)
  return rows[0] ?? { pages: 0, free: 0, bytesPerPage: 0 }
}

/** Bytes of the pages in use. */
export async function usedBytes(reader: Kysely<Tables>): Promise<number> {
  const { pages, free, bytesPerPage } = await pagesOf(reader)
  return (pages - free) * bytesPerPage
}

/** Shrinks the file in small steps if more than a quarter of it is free. */
export async function reclaimPages(writer: Kysely<Tables>): Promise<void> {
  for (;;) {
    const { pages, free } = await pagesOf(writer)
    if (free <= Math.max(pages * freeShareMax, pagesPerStep)) return
    await sql.raw(`pragma incremental_vacuum(${pagesPerStep})`).execute(writer)
    if ((await pagesOf(writer)).free === free) return
  }
}
