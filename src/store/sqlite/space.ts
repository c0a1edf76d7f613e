/** How much room a SQLite database takes, and giving back what is not soon used again. */
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables/schema.ts'

/** Free pages are used again before the file grows, so most of them are best left where they are. */
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

/** Bytes of the pages that hold something. */
export async function usedBytes(reader: Kysely<Tables>): Promise<number> {
  const { pages, free, bytesPerPage } = await pagesOf(reader)
  return (pages - free) * bytesPerPage
}

/** Shortens the file in small steps where more than a quarter of it is free. */
export async function reclaimPages(writer: Kysely<Tables>): Promise<void> {
  for (;;) {
    const { pages, free } = await pagesOf(writer)
    if (free <= Math.max(pages * freeShareMax, pagesPerStep)) return
    await sql.raw(`pragma incremental_vacuum(${pagesPerStep})`).execute(writer)
    if ((await pagesOf(writer)).free === free) return
  }
}
