/** Follows the chain of one writer from its first row, and reports every row that does not match. */
import { auditPayload, chainHash, genesisHash } from './chain.ts'
import type { IssueList } from './issues.ts'
import { auditActions, type ChainedAuditRow, type Store } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

/** What all walks of one verification share. */
interface WalkContext {
  readonly store: Pick<Store, 'auditChain'>
  readonly workspaceId: string
  readonly pageRows: number
  readonly issues: IssueList
  /** Called with every row. @returns false if another row with its sequence was seen before */
  seen(row: ChainedAuditRow): boolean
}

/** Rows missing from a chain. */
interface MissingRows {
  readonly from: number
  readonly to: number
  /** The last of them came after this time, according to roots; 0 if they do not say. */
  readonly after: number
}

export class ChainWalk {
  readonly writerId: string
  /** Number of the last row that was accounted for, present or missing. */
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
  #at: number | undefined

  constructor(context: WalkContext, writerId: string) {
    this.#context = context
    this.writerId = writerId
    this.#hash = genesisHash(context.workspaceId, writerId)
  }

  /** Hash of the last row that was accounted for; undefined if that row is missing. */
  get hash(): string | undefined {
    return this.#hash
  }

  /** Time of the last row that was accounted for; undefined if that row is missing or was changed. */
  get at(): number | undefined {
    return this.#hash === undefined ? undefined : this.#at
  }

  /** Day of the last row that is present. */
  get day(): number | undefined {
    return this.#day
  }

  /**
   * Advances to the row with this number.
   * @param after a time after which the rows up to there came, according to roots; 0 if they do not say
   */
  async goTo(number: number, after: number): Promise<void> {
    // Whoever names the row has seen it written, possibly since the end of the chain was last checked.
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
    this.#at = row.row.at
    // After a changed row, the next one is checked on its own, so that every broken row is named and no intact one.
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

/** Whether the columns agree with the payload. A payload that cannot be serialised again was never written by us. */
function agrees({ row, payload }: ChainedAuditRow): boolean {
  try {
    return auditPayload(row) === payload
  } catch {
    return false
  }
}

/** The column that disagrees with the payload; undefined if the payload is not in canonical form. */
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
 * Whether retention may have dropped a day: a row that claims so for a younger day was inserted by whoever removed the
 * day. A day of slack allows for differing clocks.
 * @param auditDays how many days rows are kept
 */
export const isPastRetention = (day: number, auditDays: number, now: number): boolean =>
  day <= Math.floor(now / dayMs) - auditDays + 1

/** Day and number of rows of a `records_expired` row; undefined for any other row. */
export function expiredBy({ row }: ChainedAuditRow): { readonly day: number; readonly rows: number } | undefined {
  const { records, day, rows } = row.detail
  if (row.action !== auditActions.recordsExpired || records !== 'audit') return undefined
  return { day: Number(day), rows: Number(rows) }
}
