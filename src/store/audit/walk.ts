/** Follows the chain of one writer from its first row on, and notes every row that does not fit. */
import { auditPayload, chainHash, genesisHash } from './chain.ts'
import type { IssueList } from './issues.ts'
import { auditActions, type ChainedAuditRow, type Store } from '../store.ts'

const dayMs = 86_400_000

/** What all walks of one verification share. */
export interface WalkContext {
  readonly store: Pick<Store, 'auditChain'>
  readonly workspaceId: string
  readonly pageRows: number
  readonly issues: IssueList
  /** Is told of every row. @returns false where another row with its sequence was seen before */
  seen(row: ChainedAuditRow): boolean
}

/** Rows of a chain that are not there. */
export interface MissingRows {
  readonly from: number
  readonly to: number
  /** The last of them came after this time, as roots tell; 0 where they do not. */
  readonly after: number
}

export class ChainWalk {
  readonly writerId: string
  /** Number of the last row that was accounted for, whether it is there or missing. */
  read = 0
  rows = 0
  missingRows = 0
  readonly missing: MissingRows[] = []
  readonly #context: WalkContext
  #page: readonly ChainedAuditRow[] = []
  #place = 0
  #isAtEnd = false
  /** Number of the last row that was fetched. */
  #fetched = 0
  #hash: string | undefined
  #day: number | undefined

  constructor(context: WalkContext, writerId: string) {
    this.#context = context
    this.writerId = writerId
    this.#hash = genesisHash(context.workspaceId, writerId)
  }

  /** Hash of the row that was accounted for last; undefined where that one is missing. */
  get hash(): string | undefined {
    return this.#hash
  }

  /** Day of the last row that is there. */
  get day(): number | undefined {
    return this.#day
  }

  /**
   * Goes on to the row with this number.
   * @param after a time that the rows up to there came after, as far as roots tell; 0 where they do not
   */
  async goTo(number: number, after: number): Promise<void> {
    // Who names the row saw it written, maybe since the end of the chain was last looked at.
    this.#isAtEnd = false
    while (this.read < number) {
      const next = await this.#peek()
      const there = next === undefined ? number : Math.min(number, next.writerSequence - 1)
      if (there > this.read) this.#skip(there, after)
      if (next === undefined || next.writerSequence > number) return
      this.#place++
      this.#check(next)
    }
  }

  async #peek(): Promise<ChainedAuditRow | undefined> {
    for (;;) {
      const row = this.#page[this.#place]
      if (row === undefined) {
        this.#page = []
        if (this.#isAtEnd) return undefined
        await this.#fetch()
      } else if (row.writerSequence > this.read) return row
      else {
        this.#place++
        this.#report('row_repeated', row)
      }
    }
  }

  async #fetch(): Promise<void> {
    const { store, workspaceId, pageRows } = this.#context
    const { writerId } = this
    this.#page = await store.auditChain({ workspaceId, writerId, after: this.#fetched, limit: pageRows })
    this.#place = 0
    this.#isAtEnd = this.#page.length === 0
    this.#fetched = this.#page.at(-1)?.writerSequence ?? this.#fetched
  }

  #skip(to: number, after: number): void {
    const last = this.missing.at(-1)
    if (last?.to === this.read) this.missing[this.missing.length - 1] = { from: last.from, to, after }
    else this.missing.push({ from: this.read + 1, to, after })
    this.missingRows += to - this.read
    this.read = to
    this.#hash = undefined
  }

  #check(row: ChainedAuditRow): void {
    const isWhole = chainHash({ ...row, sequence: row.row.sequence }) === row.hash
    if (!isWhole) this.#report('row_changed', row)
    else if (this.#hash !== undefined && row.previousHash !== this.#hash) this.#report('row_unlinked', row)
    else if (!agrees(row)) this.#report('column_changed', row, changedColumn(row))
    if (!this.#context.seen(row)) this.#report('row_repeated', row)
    this.read = row.writerSequence
    this.rows++
    this.#day = row.day
    // After a row that was changed the next one is judged by itself, so that every broken row is named and no sound one.
    this.#hash = isWhole ? row.hash : undefined
  }

  #report(
    fault: 'row_changed' | 'row_unlinked' | 'row_repeated' | 'column_changed',
    row: ChainedAuditRow,
    column?: string
  ): void {
    const { writerSequence, day } = row
    const { sequence } = row.row
    this.#context.issues.add({ fault, writerId: this.writerId, writerSequence, sequence, day, column })
  }
}

/** Whether the columns say what the payload says. What cannot be written again was never written by us. */
function agrees({ row, payload }: ChainedAuditRow): boolean {
  try {
    return auditPayload(row) === payload
  } catch {
    return false
  }
}

/** Which column disagrees with the payload; undefined where the payload is not in the form that it is written in. */
function changedColumn({ row, payload }: ChainedAuditRow): string | undefined {
  const said = fieldsOf(payload)
  const columns: Record<string, unknown> = { ...row }
  return Object.keys(said).find((name) => JSON.stringify(said[name]) !== JSON.stringify(columns[name]))
}

function fieldsOf(payload: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(payload) as object | null) }
  } catch {
    return {}
  }
}

/**
 * Whether retention may have dropped a day: a row that says so of a younger one was put in by whoever took the day out. A
 * day of slack is for clocks that are apart.
 * @param auditDays that rows are kept
 */
export const isPastRetention = (day: number, auditDays: number, now: number): boolean =>
  day <= Math.floor(now / dayMs) - auditDays + 1

/** Day and rows that a `records_expired` row of the audit tells of; undefined for every other row. */
export function expiredBy({ row }: ChainedAuditRow): { readonly day: number; readonly rows: number } | undefined {
  const { records, day, rows } = row.detail
  if (row.action !== auditActions.recordsExpired || records !== 'audit') return undefined
  return { day: Number(day), rows: Number(rows) }
}
