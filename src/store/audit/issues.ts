/** What a verification of the audit trail can find, and where. */

/** Every fault has a sentence; `docs/audit.md` explains more. */
export const auditFaults = {
  audit_missing: 'There is no audit at all, although the creation of every workspace leaves a row.',
  row_changed: 'The row was changed: its hash does not match its content.',
  row_unlinked: 'The row does not follow the one before it: one of them was inserted or replaced.',
  row_repeated: 'There is more than one row with this number.',
  row_stray: 'The row belongs to no chain: it was inserted from outside.',
  rows_hidden: 'Rows are in their chains but hidden from readers of the audit.',
  column_changed: 'A column of the row disagrees with the text that was hashed.',
  rows_missing: 'Rows are missing, and retention did not drop them.',
  rows_unaccounted: 'The number of missing rows is not the number that retention says it dropped.',
  head_changed: "The record of the chain's head disagrees with the chain.",
  writer_missing: 'A sealed root names this writer, but the list of writers does not.',
  chain_rewritten: 'The chain does not match a sealed root: rows were changed or cut off after they were sealed.',
  root_missing: 'Roots are missing.',
  root_forged: 'The root is not signed by the key of this workspace.',
  root_changed: 'The columns of the root disagree with its signed text.',
  root_unlinked: 'The root does not follow the one before it.',
  root_unreadable: 'The root was written by a newer version of Sluice.',
  root_differs: 'The root differs from the one in the outside copy.',
  root_lost: 'The outside copy has a root that is missing here: the audit was set back to an earlier state.',
  copy_forged: 'A root of the copy is not signed by the key of this workspace.'
} as const

export type AuditFault = keyof typeof auditFaults

/** One fault. Members that do not apply are absent. */
export interface AuditIssue {
  readonly fault: AuditFault
  readonly writerId?: string | undefined
  /** Number of the row, or of the first of several, in its writer's chain. */
  readonly writerSequence?: number | undefined
  /** Number of the last row, if there are several. */
  readonly lastWriterSequence?: number | undefined
  /** Sequence of the row in its workspace. */
  readonly sequence?: number | undefined
  /** Day of the row, counted from 1970. */
  readonly day?: number | undefined
  /** Sequence of the root. */
  readonly root?: number | undefined
  /** Name of the column. */
  readonly column?: string | undefined
  /** Number of rows or roots. */
  readonly count?: number | undefined
}

/** Most issues listed in a report. */
const issuesMax = 100

/** Collects issues up to a limit. */
export class IssueList {
  readonly #issues: AuditIssue[] = []
  #leftOut = 0

  add(issue: AuditIssue): void {
    if (this.#issues.length < issuesMax) this.#issues.push(issue)
    else this.#leftOut++
  }

  get all(): readonly AuditIssue[] {
    return this.#issues
  }

  /** Number of issues beyond the limit. */
  get leftOut(): number {
    return this.#leftOut
  }
}
