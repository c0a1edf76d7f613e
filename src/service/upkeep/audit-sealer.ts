/**
 * Seals the audit: each minute the state of every workspace's chains is signed as a root, and writers that ended without
 * saying so are closed. Several instances may do so at once; each root is written by one of them.
 */
import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { auditPublicKey, auditSigningKey } from '../../config/audit-key.ts'
import { allRoots, allRows } from '../../store/all-rows.ts'
import { openRoot, sealRoot, type RootContent } from '../../store/audit/root.ts'
import {
  auditActions,
  rowsMax,
  StoreError,
  type AuditHead,
  type AuditQuery,
  type AuditRoot,
  type Store
} from '../../store/store.ts'
import { errorName } from '../../telemetry/error-frames.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { behindMs, unsealedSince } from './seal-lag.ts'

/** From one round, and one sign of life, to the next. */
export const everyMs = 60_000
/** A writer that gave no sign of life for three rounds is dead. */
export const lostAfterMs = 3 * everyMs
/** How far the clocks of instances may be apart, and a row may be older than its commit. */
const slackMs = 3_600_000
const dayMs = 86_400_000
/** A store that does not answer must not hold up the stop. */
const closeTimeoutMs = 5_000

export interface AuditSealer {
  /** Whether the last round went well; true before the first. */
  readonly isWell: boolean
  /** Starts the clock; the first round begins at once. */
  start(): void
  /** Seals every workspace that has news. Never rejects; a failure is logged and counted. */
  seal(): Promise<void>
  /** Stops the clock and, where it was started, seals once more. */
  close(): Promise<void>
}

export interface AuditSealerOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/** What this process knows of the roots of a workspace. */
interface Known {
  readonly root: AuditRoot
  /** Rows of each writer as roots name them, and whether they say that it closed. */
  readonly named: ReadonlyMap<string, { readonly rows: number; readonly closedAt: number | null }>
  readonly expiredThrough: number
}

/** Makes the sealer of a process. */
export function createAuditSealer({ store, masterKey, log, metrics }: AuditSealerOptions): AuditSealer {
  const workspaces = new Map<string, Known>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStarted = false
  let isWell = true
  let isClosed = false
  let lastGoodAt = Date.now()
  /** Of the round under way, over all workspaces. */
  let found = { unsealedMs: 0, rootsMissing: 0 }

  async function round(): Promise<void> {
    const now = Date.now()
    found = { unsealedMs: 0, rootsMissing: 0 }
    for (const lost of await store.heartbeat({ now, lostBefore: now - lostAfterMs })) {
      log.warn({ ...lost, lastAt: new Date(lost.lastAt).toISOString() }, 'a writer of the audit ended without a word')
      metrics?.add('writersLost', 1)
    }
    // What fails for one workspace must not leave the others unsealed.
    const failures: unknown[] = []
    for (let after: string | undefined; ;) {
      const page = await store.listWorkspaces({ limit: rowsMax, after })
      for (const { id } of page) await sealWorkspace(id).catch((error: unknown) => failures.push(error))
      after = page.at(-1)?.id
      if (after === undefined) break
    }
    metrics?.set('unsealed', found.unsealedMs / 1000)
    metrics?.set('rootsMissing', found.rootsMissing)
    if (failures.length > 0) throw failures[0]
    lastGoodAt = Date.now()
    metrics?.set('sealed', lastGoodAt / 1000)
    isWell = true
  }

  async function sealWorkspace(id: string): Promise<void> {
    const now = Date.now()
    // Before the root itself is read, which another instance may be writing.
    const stored = await store.auditRootsStored(id)
    const last = await store.lastAuditRoot(id)
    const missing = stored - (last?.sequence ?? 0)
    if (missing > 0) tellMissing(id, missing, stored)
    const known = await catchUp(id, last)
    const heads = await store.auditHeads(id)
    const moved = heads.filter((head) => hasMoved(head, known, now))
    if (moved.length === 0) return
    const since = await unsealedSince(store, id, { moved, last: known, now })
    if (since !== undefined) tellBehind(id, since, now)
    const expired = await expiredSince(id, known, now)
    const content: RootContent = {
      workspaceId: id,
      // Roots that are gone leave a hole in the numbers, so that no later root hides it.
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
    // The whole root, so that a copy of the log proves later that nothing was changed here.
    log.info({ auditRoot: root }, 'audit root sealed')
  }

  function tellMissing(workspaceId: string, count: number, newest: number): void {
    found.rootsMissing += count
    log.error({ workspaceId, count, newest }, 'audit roots are missing: they were sealed and are gone')
  }

  function tellBehind(workspaceId: string, since: number, now: number): void {
    found.unsealedMs = Math.max(found.unsealedMs, now - since)
    log.error(
      { workspaceId, since: new Date(since).toISOString() },
      'sealing is behind: rows stand in no root for over an hour'
    )
  }

  /** @returns false where another instance was faster; what it sealed is read in the next round */
  async function insert(root: AuditRoot): Promise<boolean> {
    try {
      await store.insertAuditRoot(root)
      return true
    } catch (error) {
      if (error instanceof StoreError && error.code === 'conflict') return false
      throw error
    }
  }

  /** Brings what is known up to the last root, which another instance may have written. */
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

  async function expiredSince(
    workspaceId: string,
    known: Known | undefined,
    now: number
  ): Promise<Pick<RootContent, 'expired' | 'expiredThrough'>> {
    const counted = known?.expiredThrough ?? 0
    const from = known && !isAhead(known.root, now) ? known.root.sealedAt - dayMs : undefined
    const query: AuditQuery = { workspaceId, action: auditActions.recordsExpired, from, limit: rowsMax }
    const expired: { day: number; rows: number }[] = []
    let expiredThrough = counted
    for await (const { sequence, detail } of allRows((asked) => store.findAudit(asked), query)) {
      if (sequence <= counted) continue
      expiredThrough = Math.max(expiredThrough, sequence)
      if (detail['records'] === 'audit') expired.push({ day: Number(detail['day']), rows: Number(detail['rows']) })
    }
    return { expired, expiredThrough }
  }

  function run(): Promise<void> {
    running ??= round()
      .catch((error: unknown) => {
        isWell = false
        metrics?.add('sealFailures', 1)
        const code = error instanceof StoreError ? error.code : errorName(error)
        log.error({ code }, 'the audit could not be sealed; the next round tries again')
        const agoMs = Date.now() - lastGoodAt
        if (agoMs < behindMs) return
        metrics?.set('unsealed', Math.max(agoMs, found.unsealedMs) / 1000)
        log.error(
          { lastSealedAt: new Date(lastGoodAt).toISOString() },
          'sealing is behind: no round went through for over an hour'
        )
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => void run().then(() => isClosed || schedule(everyMs)), delayMs).unref()
  }

  return {
    get isWell() {
      return isWell
    },
    start: () => {
      isStarted = true
      schedule(0)
    },
    seal: async () => {
      await running
      await run()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      const last = Promise.resolve(running).then(() => (isStarted ? run() : undefined))
      let bound: NodeJS.Timeout | undefined
      await Promise.race([last, new Promise<void>((resolve) => (bound = setTimeout(resolve, closeTimeoutMs)))])
      clearTimeout(bound)
    }
  }
}

const isOther = (a: AuditRoot, b: AuditRoot): boolean => a.sequence === b.sequence && a.hash !== b.hash

function withRoot(known: Known | undefined, root: AuditRoot, content: RootContent): Known {
  const named = new Map(known?.named)
  for (const { writerId, rows, closedAt } of content.writers) named.set(writerId, { rows, closedAt })
  return { root, named, expiredThrough: content.expiredThrough }
}

/**
 * Whether a head has to be named. After a start only the last root is known: a writer that it leaves out was named by an
 * earlier one unless it showed life since; naming one twice does no harm.
 */
function hasMoved(head: AuditHead, known: Known | undefined, now: number): boolean {
  const named = known?.named.get(head.writerId)
  if (named) return named.rows !== head.rows || named.closedAt !== head.closedAt
  return known === undefined || isAhead(known.root, now) || head.lastAt >= known.root.sealedAt - slackMs
}

/** Whether a root was sealed by a clock that was wrong: its time says nothing of what came before and after it. */
const isAhead = ({ sealedAt }: AuditRoot, now: number): boolean => sealedAt > now + slackMs
