/** All rows of a query, one page in memory at a time. */
import { rowsMax, type AuditRoot, type Page, type PageQuery, type Store } from './store.ts'

/**
 * @param find a reading method of the store
 * @throws what `find` throws, possibly after some rows
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

/** The sealed roots of a workspace in order, after `after`. */
export async function* allRoots(
  store: Pick<Store, 'auditRoots'>,
  workspaceId: string,
  after = 0
): AsyncGenerator<AuditRoot, void, void> {
  for (let last: number | undefined = after; last !== undefined;) {
    const page: AuditRoot[] = await store.auditRoots({ workspaceId, after: last, limit: rowsMax })
    yield* page
    last = page.at(-1)?.sequence
  }
}
