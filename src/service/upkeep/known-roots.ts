/** What this process knows of the roots that seal each workspace. */
import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { auditPublicKey } from '../../config/audit-key.ts'
import { allRoots } from '../../store/all-rows.ts'
import { openRoot, type RootContent } from '../../store/audit/root.ts'
import type { AuditHead, AuditRoot, Store } from '../../store/store.ts'

/** How far the clocks of instances may differ, and how much older than its commit a row may be. */
const slackMs = 3_600_000

/** The newest root of a workspace, and what it and those before it cover. */
export interface KnownRoot {
  readonly root: AuditRoot
  /** Rows of each writer that roots cover, and whether they say that it closed. */
  readonly named: ReadonlyMap<string, { readonly rows: number; readonly closedAt: number | null }>
  readonly expiredThrough: number
}

/** Remembers the newest root of each workspace, so that a round reads only those that other instances have added. */
export class KnownRoots {
  readonly #store: Store
  readonly #masterKey: KeyObject
  readonly #log: Logger
  readonly #byWorkspace = new Map<string, KnownRoot>()

  constructor(to: { readonly store: Store; readonly masterKey: KeyObject; readonly log: Logger }) {
    this.#store = to.store
    this.#masterKey = to.masterKey
    this.#log = to.log
  }

  /**
   * Reads the roots up to the last one, which another instance may have written.
   * @param last the newest root in the store
   * @returns undefined if there is none that verifies
   */
  async catchUp(id: string, last: AuditRoot | undefined): Promise<KnownRoot | undefined> {
    const known = this.#byWorkspace.get(id)
    if (known && (!last || last.sequence < known.root.sequence || isOther(last, known.root))) {
      this.#log.error(
        { workspaceId: id, root: known.root.sequence },
        'audit roots that were sealed are gone or changed'
      )
      this.#byWorkspace.delete(id)
      return this.catchUp(id, last)
    }
    if (!last || known?.root.sequence === last.sequence) return known
    const newer = known ? allRoots(this.#store, id, known.root.sequence) : [last]
    for await (const root of newer) {
      const opened = openRoot(root, auditPublicKey(this.#masterKey, id))
      if (opened.ok) this.add(id, root, opened.content)
      else
        this.#log.error({ workspaceId: id, root: root.sequence, fault: opened.fault }, 'an audit root does not verify')
    }
    return this.#byWorkspace.get(id)
  }

  /** Remembers the next root of a workspace. */
  add(id: string, root: AuditRoot, content: RootContent): void {
    const named = new Map(this.#byWorkspace.get(id)?.named)
    for (const { writerId, rows, closedAt } of content.writers) named.set(writerId, { rows, closedAt })
    this.#byWorkspace.set(id, { root, named, expiredThrough: content.expiredThrough })
  }
}

const isOther = (a: AuditRoot, b: AuditRoot): boolean => a.sequence === b.sequence && a.hash !== b.hash

/**
 * Whether a head must be covered. After a start only the last root is known: a writer that is missing from it was
 * covered by an earlier one unless it has been active since; covering one twice does no harm.
 */
export function hasMoved(head: AuditHead, known: KnownRoot | undefined, now: number): boolean {
  const named = known?.named.get(head.writerId)
  if (named) return named.rows !== head.rows || named.closedAt !== head.closedAt
  return known === undefined || isAhead(known.root, now) || head.lastAt >= known.root.sealedAt - slackMs
}

/** Whether a root was sealed by a wrong clock: its time says nothing about what came before and after it. */
export const isAhead = ({ sealedAt }: AuditRoot, now: number): boolean => sealedAt > now + slackMs
