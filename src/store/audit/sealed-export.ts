/**
 * The audit of a workspace as a file that can be verified by itself: all signed roots, then all rows with everything
 * that their hashes cover, one JSON object per line. `sealed-file.ts` reads it.
 */
import type { AuditQuery, AuditRoot, ChainedAuditRow, Store } from '../store.ts'
import { auditActions, rowsMax, StoreError } from '../store.ts'
import { allRoots, allRows } from '../all-rows.ts'
import type { RootContent } from './root.ts'
import { expiredBy } from './walk.ts'

/** A row in the file. `text` is what was stored and hashed ({@link auditPayload}); roots have `payload` instead. */
export type SealedRow = Omit<ChainedAuditRow, 'payload' | 'row'> & { readonly sequence: number; readonly text: string }

type SealedSource = Pick<Store, 'auditHeads' | 'auditChain' | 'auditRoots' | 'findAudit'>

/** Sequence of the newest row about records that retention dropped; 0 if there is none. */
export async function lastExpiry(store: Pick<Store, 'findAudit'>, workspaceId: string): Promise<number> {
  const query: AuditQuery = { workspaceId, action: auditActions.recordsExpired, limit: 1 }
  for await (const { sequence } of allRows((asked) => store.findAudit(asked), query)) return sequence
  return 0
}

/**
 * The roots and rows of a workspace. Rows that are written meanwhile are left out, or in no root yet.
 * @throws StoreError if the store fails; at the end, if retention has just dropped rows, since whoever reads the file
 *   could not tell that from rows that were taken out of it
 */
export async function* sealedExport(
  store: SealedSource,
  workspaceId: string
): AsyncGenerator<AuditRoot | SealedRow, void, void> {
  const before = await lastExpiry(store, workspaceId)
  let expiredThrough = 0
  for await (const root of allRoots(store, workspaceId)) {
    yield root
    expiredThrough = (JSON.parse(root.payload) as RootContent).expiredThrough
  }
  let isCovered = true
  // After the roots, so that none of them covers a row that the heads do not have yet.
  for (const { writerId, rows } of await store.auditHeads(workspaceId)) {
    for await (const row of chainOf(store, workspaceId, writerId, rows)) {
      if (expiredBy(row) && row.row.sequence > expiredThrough) isCovered = false
      const { writerSequence, day, previousHash, hash, payload } = row
      yield { writerId, writerSequence, sequence: row.row.sequence, day, previousHash, hash, text: payload }
    }
  }
  if (isCovered && (await lastExpiry(store, workspaceId)) === before) return
  throw new StoreError('unavailable', 'Retention has just dropped records; export again in two minutes.')
}

/** The rows of a writer up to a number. */
async function* chainOf(
  store: SealedSource,
  workspaceId: string,
  writerId: string,
  rows: number
): AsyncGenerator<ChainedAuditRow, void, void> {
  for (let last: number | undefined = 0; last !== undefined && last < rows;) {
    const page: ChainedAuditRow[] = await store.auditChain({ workspaceId, writerId, after: last, limit: rowsMax })
    yield* page.filter(({ writerSequence }) => writerSequence <= rows)
    last = page.at(-1)?.writerSequence
  }
}
