/**
 * How far sealing is behind: rows that no root covers can be rewritten unnoticed, so a long delay is worth an alarm.
 */
import type { AuditHead, AuditRoot, Store } from '../../store/store.ts'

/** Sealing is due every minute. A much longer delay means a fault that does not fix itself. */
export const behindMs = 3_600_000

/** The newest root of a workspace. */
interface LastSeal {
  readonly root: AuditRoot
  readonly named: ReadonlyMap<string, { readonly rows: number }>
}

/**
 * When the oldest row that no root covers was written, if that is longer ago than {@link behindMs}. A root covers all
 * chains that moved, so a younger one leaves nothing to look for.
 * @param moved heads that the next root has to cover
 * @returns milliseconds since 1970, or undefined
 */
export async function unsealedSince(
  store: Pick<Store, 'auditChain'>,
  workspaceId: string,
  {
    moved,
    last,
    now
  }: { readonly moved: readonly AuditHead[]; readonly last: LastSeal | undefined; readonly now: number }
): Promise<number | undefined> {
  if (last && last.root.sealedAt > now - behindMs) return undefined
  let oldest = Infinity
  for (const { writerId, rows, lastAt } of moved) {
    const named = last?.named.get(writerId)
    // A writer that is missing from the root may be in an earlier one, unless it has been active since.
    if (last && !named && lastAt <= last.root.sealedAt) continue
    if (named && named.rows >= rows) continue
    const [row] = await store.auditChain({ workspaceId, writerId, after: named?.rows ?? 0, limit: 1 })
    if (row) oldest = Math.min(oldest, named ? row.row.at : Math.max(row.row.at, last?.root.sealedAt ?? 0))
  }
  return oldest < now - behindMs ? oldest : undefined
}
