/** Seals the audit trail of one workspace: what its roots already cover, and what the next one has to. */
import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { auditPublicKey, auditSigningKey } from '../../config/audit-key.ts'
import { allRoots, allRows } from '../../store/all-rows.ts'
import { openRoot, sealRoot, type RootContent } from '../../store/audit/root.ts'
import { isPastRetention } from '../../store/audit/walk.ts'
import {
  auditActions,
  rowsMax,
  StoreError,
  type AuditHead,
  type AuditQuery,
  type AuditRoot,
  type Store
} from '../../store/store.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { unsealedSince } from './seal-lag.ts'

/** How far the clocks of instances may differ, and how much older than its commit a row may be. */
const slackMs = 3_600_000
const dayMs = 86_400_000

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

/** What this process knows about the roots of a workspace. */
interface Known {
  readonly root: AuditRoot
  /** Rows of each writer that roots cover, and whether they say that it closed. */
  readonly named: ReadonlyMap<string, { readonly rows: number; readonly closedAt: number | null }>
  readonly expiredThrough: number
}

export interface WorkspaceSealer {
  /**
   * Signs a root of a workspace that has something new.
   * @param tell called at once, so that a finding is not lost if a later step fails
   * @throws StoreError
   */
  seal(id: string, tell: (finding: Partial<Findings>) => void): Promise<void>
}

/** It remembers the last root of each workspace. */
export function createWorkspaceSealer(to: {
  readonly store: Store
  readonly masterKey: KeyObject
  readonly auditDays: number
  readonly log: Logger
  readonly metrics: Metrics | undefined
}): WorkspaceSealer {
  const { store, masterKey, auditDays, log, metrics } = to
  const workspaces = new Map<string, Known>()
  /** By workspace, the sequence of a row that claims that a day expired, and is not believed. */
  const doubted = new Map<string, number>()

  async function seal(id: string, tell: (finding: Partial<Findings>) => void): Promise<void> {
    const now = Date.now()
    // Before the root itself is read, which another instance may be writing.
    const stored = await store.auditRootsStored(id)
    const last = await store.lastAuditRoot(id)
    const missing = stored - (last?.sequence ?? 0)
    if (missing > 0) {
      tell({ rootsMissing: missing })
      log.error(
        { workspaceId: id, count: missing, newest: stored },
        'audit roots are missing: they were sealed and are gone'
      )
    }
    const known = await catchUp(id, last)
    const heads = await store.auditHeads(id)
    const moved = heads.filter((head) => hasMoved(head, known, now))
    if (moved.length === 0) return
    const since = await unsealedSince(store, id, { moved, last: known, now })
    if (since !== undefined) {
      tell({ unsealedMs: now - since })
      const detail = { workspaceId: id, since: new Date(since).toISOString() }
      log.error(detail, 'sealing is behind: rows stand in no root for over an hour')
    }
    const expired = await expiredSince(id, known, now)
    const content: RootContent = {
      workspaceId: id,
      // Missing roots leave a hole in the numbers, so that no later root hides it.
      sequence: Math.max(last?.sequence ?? 0, stored) + 1,
      sealedAt: Math.max(now, last?.sealedAt ?? 0),
      previous: last?.hash ?? null,
      writers: moved.map(({ writerId, rows, hash, closedAt }) => ({ writerId, rows, hash, closedAt })),
      ...expired
    }
    const root = sealRoot(content, auditSigningKey(masterKey, id))
    if (!(await insert(root))) return
    workspaces.set(id, withRoot(known, root, content))
    metrics?.add('roots', 1)
    // The whole root, so that a copy of the log can later prove that nothing was changed.
    log.info({ auditRoot: root }, 'audit root sealed')
  }

  /** @returns false if another instance was faster; its root is read in the next round */
  async function insert(root: AuditRoot): Promise<boolean> {
    try {
      await store.insertAuditRoot(root)
      return true
    } catch (error) {
      if (error instanceof StoreError && error.code === 'conflict') return false
      throw error
    }
  }

  /** Reads the roots up to the last one, which another instance may have written. */
  async function catchUp(id: string, last: AuditRoot | undefined): Promise<Known | undefined> {
    const known = workspaces.get(id)
    if (known && (!last || last.sequence < known.root.sequence || isOther(last, known.root))) {
      log.error({ workspaceId: id, root: known.root.sequence }, 'audit roots that were sealed are gone or changed')
      workspaces.delete(id)
      return catchUp(id, last)
    }
    if (!last || known?.root.sequence === last.sequence) return known
    const newer = known ? allRoots(store, id, known.root.sequence) : [last]
    let current = known
    for await (const root of newer) {
      const opened = openRoot(root, auditPublicKey(masterKey, id))
      if (opened.ok) current = withRoot(current, root, opened.content)
      else log.error({ workspaceId: id, root: root.sequence, fault: opened.fault }, 'an audit root does not verify')
    }
    if (current) workspaces.set(id, current)
    return current
  }

  /**
   * The days dropped since the last root. A row about a day that retention keeps is not signed, nor is anything after
   * it: otherwise, whoever can write to the database could remove a day and add the row that explains it. An instance
   * with a shorter retention, as while a setting is rolled out, signs it in its own round.
   */
  async function expiredSince(
    workspaceId: string,
    known: Known | undefined,
    now: number
  ): Promise<Pick<RootContent, 'expired' | 'expiredThrough'>> {
    const counted = known?.expiredThrough ?? 0
    const isRecent = known && !isAhead(known.root, now) && !doubted.has(workspaceId)
    const from = isRecent ? known.root.sealedAt - dayMs : undefined
    const query: AuditQuery = { workspaceId, action: auditActions.recordsExpired, from, limit: rowsMax }
    const expired: { day: number; rows: number }[] = []
    let expiredThrough = counted
    const rows = (await Array.fromAsync(allRows((asked) => store.findAudit(asked), query)))
      .filter(({ sequence }) => sequence > counted)
      .toSorted((a, b) => a.sequence - b.sequence)
    for (const { sequence, detail } of rows) {
      const day = Number(detail['day'])
      if (detail['records'] === 'audit' && !isPastRetention(day, auditDays, now)) {
        doubt(workspaceId, sequence, day)
        return { expired, expiredThrough }
      }
      expiredThrough = sequence
      if (detail['records'] === 'audit') expired.push({ day, rows: Number(detail['rows']) })
    }
    doubted.delete(workspaceId)
    return { expired, expiredThrough }
  }

  function doubt(workspaceId: string, sequence: number, day: number): void {
    if (doubted.get(workspaceId) === sequence) return
    doubted.set(workspaceId, sequence)
    log.error(
      { workspaceId, sequence, day: new Date(day * dayMs).toISOString().slice(0, 10) },
      'an audit row says that a day expired that retention keeps; it is not signed'
    )
  }

  return { seal }
}

const isOther = (a: AuditRoot, b: AuditRoot): boolean => a.sequence === b.sequence && a.hash !== b.hash

function withRoot(known: Known | undefined, root: AuditRoot, content: RootContent): Known {
  const named = new Map(known?.named)
  for (const { writerId, rows, closedAt } of content.writers) named.set(writerId, { rows, closedAt })
  return { root, named, expiredThrough: content.expiredThrough }
}

/**
 * Whether a head must be covered. After a start only the last root is known: a writer that is missing from it was
 * covered by an earlier one unless it has been active since; covering one twice does no harm.
 */
function hasMoved(head: AuditHead, known: Known | undefined, now: number): boolean {
  const named = known?.named.get(head.writerId)
  if (named) return named.rows !== head.rows || named.closedAt !== head.closedAt
  return known === undefined || isAhead(known.root, now) || head.lastAt >= known.root.sealedAt - slackMs
}

/** Whether a root was sealed by a wrong clock: its time says nothing about what came before and after it. */
const isAhead = ({ sealedAt }: AuditRoot, now: number): boolean => sealedAt > now + slackMs
