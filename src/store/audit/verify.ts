/**
 * Verifies a workspace's audit trail. Roots and chains are followed in parallel, oldest first, one page in memory at a
 * time: after each root, the chains that it covers must be in the state that it states. Then all rows are read once
 * more in order, to see that none is outside the chains.
 */
import type { KeyObject } from 'node:crypto'
import { allRoots, allRows } from '../all-rows.ts'
import { IssueList, type AuditIssue } from './issues.ts'
import { RootChain } from './root-chain.ts'
import { openRoot } from './root.ts'
import { ChainWalk, expiredBy, isPastRetention } from './walk.ts'
import { RowSet } from './row-set.ts'
import { lastExpiry } from './sealed-export.ts'
import {
  rowsMax,
  StoreError,
  type AuditHead,
  type AuditQuery,
  type AuditRoot,
  type ChainedAuditRow,
  type Store
} from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

/** Without `findAudit`, rows can only be read along their chains, as in a file, and cannot be outside of one. */
export type AuditReader = Pick<Store, 'auditHeads' | 'auditChain' | 'auditRoots' | 'auditRootsStored'> &
  Partial<Pick<Store, 'findAudit'>>

export interface VerifyOptions {
  readonly store: AuditReader
  readonly workspaceId: string
  /** See `config/audit-key.ts`. */
  readonly publicKey: KeyObject
  /** How many days rows are kept: an unsigned row about a younger day is not believed. If undefined, all are. */
  readonly auditDays?: number | undefined
  /** The time in milliseconds at which the store was in this state, if not now. */
  readonly now?: number | undefined
  /** An external copy of roots. */
  readonly copy?: Iterable<AuditRoot> | undefined
  /** Rows that are read and hashed without a pause; fewer leave more time for others on the same thread. */
  readonly pageRows?: number
  /** Aborts the verification with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Called after each page with the number of rows examined so far. */
  readonly onProgress?: (rows: number) => void
}

export interface AuditReport {
  readonly ok: boolean
  /** Rows whose chain was followed. */
  readonly rows: number
  readonly writers: number
  readonly roots: number
  /** Rows dropped by retention, according to roots and rows. */
  readonly expiredRows: number
  /** Rows that no root covers yet: at most a minute old while the service runs. `since` is the time of the oldest. */
  readonly unsealed: { readonly rows: number; readonly since: number | null }
  /** The newest root. */
  readonly sealed: { readonly root: number; readonly at: number; readonly hash: string } | null
  readonly issues: readonly AuditIssue[]
  /** Number of issues beyond those listed. */
  readonly issuesLeftOut: number
}

/** How often a verification restarts if retention drops rows during it. */
const attemptsMax = 10

/**
 * Verifies what the store holds for a workspace. The service may continue writing; what comes later is not covered.
 * @throws StoreError if the store fails, or retention keeps dropping days in the meantime; the reason of `signal`
 */
export async function verifyAudit(options: VerifyOptions): Promise<AuditReport> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const before = await expiryOf(options)
    const report = await new Verification(options).run()
    if (report.ok || (await expiryOf(options)) === before) return report
  }
  throw new StoreError('unavailable', 'Retention is dropping records; verify again when it is done.')
}

async function expiryOf({ store: { findAudit }, workspaceId }: VerifyOptions): Promise<number> {
  return findAudit ? await lastExpiry({ findAudit }, workspaceId) : 0
}

interface Expired {
  readonly day: number
  readonly rows: number
}

class Verification {
  readonly #options: VerifyOptions
  readonly #issues = new IssueList()
  readonly #chain: RootChain
  readonly #walks = new Map<string, ChainWalk>()
  /** For each writer, the number of rows according to the newest root that names it. */
  readonly #sealedRows = new Map<string, number>()
  /** Writers whose chain was found to be rewritten: every later root would report it again. */
  readonly #rewritten = new Set<string>()
  readonly #sequences = new RowSet()
  /** Dropped days according to roots, and according to rows with the sequence of the row. */
  readonly #expiredByRoots: Expired[] = []
  readonly #expiredByRows: (Expired & { readonly sequence: number })[] = []
  #sequenceMax = 0
  #rows = 0
  #unsealed: { rows: number; since: number | null } = { rows: 0, since: null }
  #isBeyondRoots = false

  constructor(options: VerifyOptions) {
    this.#options = options
    this.#chain = new RootChain(options.publicKey, this.#issues)
  }

  async run(): Promise<AuditReport> {
    const { store, workspaceId } = this.#options
    await this.#followRoots()
    this.#isBeyondRoots = true
    // After the roots, so that none of them covers a row that the heads do not have yet.
    const heads = await store.auditHeads(workspaceId)
    for (const head of heads) await this.#followHead(head)
    this.#findLostWriters(new Set(heads.map(({ writerId }) => writerId)))
    const expiredRows = this.#account()
    const { findAudit } = store
    if (findAudit) await this.#findStrays(findAudit, heads)
    const { last } = this.#chain
    if (this.#walks.size === 0 && this.#chain.count === 0) this.#issues.add({ fault: 'audit_missing' })
    return {
      ok: this.#issues.all.length === 0,
      rows: this.#rows,
      writers: this.#walks.size,
      roots: this.#chain.count,
      expiredRows,
      unsealed: this.#unsealed,
      sealed: last ? { root: last.root.sequence, at: last.root.sealedAt, hash: last.root.hash } : null,
      issues: this.#issues.all,
      issuesLeftOut: this.#issues.leftOut
    }
  }

  async #followRoots(): Promise<void> {
    const { store, workspaceId } = this.#options
    const copy = this.#readCopy()
    // Before the roots are read, so that one that is sealed in the meantime is not missed.
    const newest = await store.auditRootsStored(workspaceId)
    for await (const root of allRoots(store, workspaceId)) {
      await this.#followRoot(root)
      const kept = copy.get(root.sequence)
      if (kept !== undefined && kept !== root.hash) this.#issues.add({ fault: 'root_differs', root: root.sequence })
      copy.delete(root.sequence)
    }
    this.#chain.end(newest)
    const [first] = [...copy.keys()].toSorted((a, b) => a - b)
    if (first !== undefined) this.#issues.add({ fault: 'root_lost', root: first, count: copy.size })
  }

  /** Hashes of the roots in the copy, by sequence. */
  #readCopy(): Map<number, string> {
    const { copy = [], publicKey, workspaceId } = this.#options
    const hashes = new Map<number, string>()
    for (const root of copy) {
      if (root.workspaceId !== workspaceId) continue
      if (openRoot(root, publicKey).ok) hashes.set(root.sequence, root.hash)
      else this.#issues.add({ fault: 'copy_forged', root: root.sequence })
    }
    return hashes
  }

  async #followRoot(root: AuditRoot): Promise<void> {
    const after = this.#chain.last?.content.sealedAt ?? 0
    const content = this.#chain.follow(root)
    if (!content) return
    for (const { writerId, rows, hash } of content.writers) {
      const walk = this.#walkOf(writerId)
      const sealed = this.#sealedRows.get(writerId) ?? 0
      await walk.goTo(rows, after)
      if (rows < sealed || (walk.read === rows && walk.hash !== undefined && walk.hash !== hash)) {
        this.#reportRewritten(writerId, sealed, rows, root.sequence)
      }
      this.#sealedRows.set(writerId, Math.max(rows, sealed))
    }
    this.#expiredByRoots.push(...content.expired)
  }

  #reportRewritten(writerId: string, sealed: number, rows: number, root: number): void {
    if (this.#rewritten.has(writerId)) return
    this.#rewritten.add(writerId)
    const writerSequence = Math.min(sealed, rows) + 1
    const range = rows > sealed ? { writerSequence, lastWriterSequence: rows } : { writerSequence }
    this.#issues.add({ fault: 'chain_rewritten', writerId, root, ...range })
  }

  async #followHead({ writerId, rows, hash, lastAt }: AuditHead): Promise<void> {
    const walk = this.#walkOf(writerId)
    const sealed = this.#sealedRows.get(writerId) ?? 0
    await walk.goTo(rows, this.#chain.last?.content.sealedAt ?? 0)
    this.#unsealed.rows += Math.max(0, rows - sealed)
    const isWhere = walk.read === rows && (walk.hash === undefined || walk.hash === hash)
    // After a start the sealer passes over writers that seem to have been idle for long, so their time must be true.
    const isWhen = walk.at === undefined || lastAt >= walk.at
    if (!isWhere || !isWhen) this.#issues.add({ fault: 'head_changed', writerId, writerSequence: rows })
  }

  #findLostWriters(known: ReadonlySet<string>): void {
    for (const writerId of this.#walks.keys()) {
      if (!known.has(writerId)) this.#issues.add({ fault: 'writer_missing', writerId })
    }
  }

  #walkOf(writerId: string): ChainWalk {
    const known = this.#walks.get(writerId)
    if (known) return known
    const { store, workspaceId, pageRows = rowsMax } = this.#options
    const seen = (row: ChainedAuditRow): boolean => this.#see(row)
    const walk = new ChainWalk({ store, workspaceId, pageRows, issues: this.#issues, seen }, writerId)
    this.#walks.set(writerId, walk)
    return walk
  }

  #see(row: ChainedAuditRow): boolean {
    const { signal, onProgress, pageRows = rowsMax } = this.#options
    if (this.#rows++ % pageRows === 0) {
      signal?.throwIfAborted()
      onProgress?.(this.#rows)
    }
    const { sequence, at } = row.row
    this.#sequenceMax = Math.max(this.#sequenceMax, sequence)
    if (this.#isBeyondRoots) this.#unsealed.since = Math.min(at, this.#unsealed.since ?? at)
    const expired = expiredBy(row)
    if (expired) this.#expiredByRows.push({ ...expired, sequence })
    return this.#sequences.add(sequence)
  }

  /** Matches missing rows with those dropped by retention. @returns the number of the latter */
  #account(): number {
    const counted = this.#chain.last?.content.expiredThrough ?? 0
    const { auditDays = 0, now = Date.now() } = this.#options
    const isBelieved = ({ sequence, day }: { readonly sequence: number; readonly day: number }): boolean =>
      sequence > counted && isPastRetention(day, auditDays, now)
    const expired = [...this.#expiredByRoots, ...this.#expiredByRows.filter(isBelieved)]
    const expiredRows = expired.reduce((sum, { rows }) => sum + rows, 0)
    const dayMax = expired.reduce((max, { day }) => Math.max(max, day), -1)
    let missingRows = 0
    let isNamed = false
    for (const walk of this.#walks.values()) {
      missingRows += walk.missingRows
      for (const { from, to, after } of walk.missing) {
        // A day's slack: a row may wait for its commit, and belongs to the day of its event.
        if (dayMax >= 0 && Math.floor(after / dayMs) - 1 <= dayMax) continue
        isNamed = true
        const range = { writerSequence: from, lastWriterSequence: to, count: to - from + 1 }
        this.#issues.add({ fault: 'rows_missing', writerId: walk.writerId, ...range })
      }
    }
    if (missingRows !== expiredRows && !isNamed) {
      this.#issues.add({ fault: 'rows_unaccounted', count: missingRows - expiredRows })
    }
    return expiredRows
  }

  /**
   * Compares what readers of the audit trail see with the chains. Skips rows that came after the heads were read, as
   * far as the chains have grown.
   */
  async #findStrays(findAudit: Store['findAudit'], heads: readonly AuditHead[]): Promise<void> {
    const { store, workspaceId, pageRows = rowsMax, signal } = this.#options
    const late: number[] = []
    let read = 0
    const query: AuditQuery = { workspaceId, order: 'oldest', limit: pageRows }
    for await (const { sequence } of allRows(findAudit, query)) {
      if (read++ % pageRows === 0) signal?.throwIfAborted()
      if (this.#sequences.delete(sequence)) continue
      if (sequence > this.#sequenceMax) late.push(sequence)
      else this.#issues.add({ fault: 'row_stray', sequence })
    }
    if (this.#sequences.size > 0) this.#issues.add({ fault: 'rows_hidden', count: this.#sequences.size })
    const grown = sumOfRows(await store.auditHeads(workspaceId)) - sumOfRows(heads)
    for (const sequence of late.slice(0, Math.max(0, late.length - grown))) {
      this.#issues.add({ fault: 'row_stray', sequence })
    }
  }
}

const sumOfRows = (heads: readonly AuditHead[]): number => heads.reduce((sum, { rows }) => sum + rows, 0)
