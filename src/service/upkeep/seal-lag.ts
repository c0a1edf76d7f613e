/** How far sealing is behind: rows that no root names can be rewritten unnoticed, so a long wait is worth an alarm. */
import type { AuditHead, AuditRoot, Store } from '../../store/store.ts'

/** Sealing is due each minute. Much later than that something is wrong that does not mend itself. */
export const behindMs = 3_600_000

/** What the newest root of a workspace says. */
export interface LastSeal {
  readonly root: AuditRoot
  readonly named: ReadonlyMap<string, { readonly rows: number }>
}

/**
 * When the oldest row was written that no root names, where that is longer ago than {@link behindMs}. A root names all
 * chains that moved, so one that is younger leaves nothing to look for.
 * @param moved heads that the next root has to name
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
    // A writer that the root leaves out may be named by an earlier one, unless it showed life since.
    if (last && !named && lastAt <= last.root.sealedAt) continue
    if (named && named.rows >= rows) continue
    const [row] = await store.auditChain({ workspaceId, writerId, after: named?.rows ?? 0, limit: 1 })
    if (row) oldest = Math.min(oldest, named ? row.row.at : Math.max(row.row.at, last?.root.sealedAt ?? 0))
  }
  return oldest < now - behindMs ? oldest : undefined
}
