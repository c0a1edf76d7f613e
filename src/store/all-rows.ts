/** All rows of a query, one page in memory at a time. */
import type { Page, PageQuery } from './store.ts'

/**
 * @param find a reading method of the store
 * @throws what `find` throws, in the middle of the rows
 */
export async function* allRows<Query extends PageQuery, Row>(
  find: (query: Query) => Promise<Page<Row>>,
  query: NoInfer<Query>
): AsyncGenerator<Row, void, void> {
  for (let cursor: string | undefined | null = query.cursor; cursor !== null;) {
    const page: Page<Row> = await find({ ...query, cursor })
    yield* page.rows
    cursor = page.next
  }
}
