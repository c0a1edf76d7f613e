/** Seals the audit trail of one workspace: signs a root that covers what no earlier one does. */
import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { auditSigningKey } from '../../config/audit-key.ts'
import { sealRoot, type RootContent } from '../../store/audit/root.ts'
import { StoreError, type AuditRoot, type Store } from '../../store/store.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { ExpiredDays } from './expired-days.ts'
import { hasMoved, KnownRoots } from './known-roots.ts'
import { unsealedSince } from './seal-lag.ts'
import { isoTime } from '../../timing/iso-time.ts'

/** Irregularities. */
export interface Findings {
  /** Age of the oldest row that no root covers, if that is over an hour. */
  readonly unsealedMs: number
  /** Roots that were sealed and are gone. */
  readonly rootsMissing: number
}

export const nothingFound: Findings = { unsealedMs: 0, rootsMissing: 0 }

/** The findings of a round, with those of one more workspace added. */
export function withFinding(found: Findings, { unsealedMs = 0, rootsMissing = 0 }: Partial<Findings>): Findings {
  return {
    unsealedMs: Math.max(found.unsealedMs, unsealedMs),
    rootsMissing: found.rootsMissing + rootsMissing
  }
}

export interface SealerOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  /** How many days audit rows are kept. */
  readonly auditDays: number
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/** Seals one workspace after another. It remembers the last root of each. */
export class WorkspaceSealer {
  readonly #options: SealerOptions
  readonly #roots: KnownRoots
  readonly #expiredDays: ExpiredDays

  constructor(options: SealerOptions) {
    this.#options = options
    this.#roots = new KnownRoots(options)
    this.#expiredDays = new ExpiredDays(options)
  }

  /**
   * Signs a root of a workspace that has something new.
   * @param onFinding called at once, so that a finding is not lost if a later step fails
   * @throws StoreError
   */
  async seal(id: string, onFinding: (finding: Partial<Findings>) => void): Promise<void> {
    const { store, masterKey, log, metrics } = this.#options
    const now = Date.now()
    // Before the root itself is read, which another instance may be writing.
    const stored = await store.auditRootsStored(id)
    const last = await store.lastAuditRoot(id)
    const missing = stored - (last?.sequence ?? 0)
    if (missing > 0) {
      onFinding({ rootsMissing: missing })
      log.error(
        { workspaceId: id, count: missing, newest: stored },
        'audit roots are missing: they were sealed and are gone'
      )
    }
    const known = await this.#roots.catchUp(id, last)
    const moved = (await store.auditHeads(id)).filter((head) => hasMoved(head, known, now))
    if (moved.length === 0) return
    const since = await unsealedSince(store, id, { moved, last: known, now })
    if (since !== undefined) {
      onFinding({ unsealedMs: now - since })
      const detail = { workspaceId: id, since: isoTime(since) }
      log.error(detail, 'sealing is behind: rows have been in no root for over an hour')
    }
    const content: RootContent = {
      workspaceId: id,
      // Missing roots leave a hole in the numbers, so that no later root hides it.
      sequence: Math.max(last?.sequence ?? 0, stored) + 1,
      sealedAt: Math.max(now, last?.sealedAt ?? 0),
      previous: last?.hash ?? null,
      writers: moved.map(({ writerId, rows, hash, closedAt }) => ({ writerId, rows, hash, closedAt })),
      ...(await this.#expiredDays.since(id, known, now))
    }
    const root = sealRoot(content, auditSigningKey(masterKey, id))
    if (!(await this.#insert(root))) return
    this.#roots.add(id, root, content)
    metrics?.add('roots', 1)
    // The whole root, so that a copy of the log can later prove that nothing was changed.
    log.info({ auditRoot: root }, 'audit root sealed')
  }

  /** @returns false if another instance was faster; its root is read in the next round */
  async #insert(root: AuditRoot): Promise<boolean> {
    try {
      await this.#options.store.insertAuditRoot(root)
      return true
    } catch (error) {
      if (error instanceof StoreError && error.code === 'conflict') return false
      throw error
    }
  }
}
