/** How `sluice policy` shows revisions, lint reports and changes. */
import type { PolicyChange } from '../../policy/diff/diff.ts'
import type { LintReport } from '../../policy/lint/lint.ts'
import type { PolicyRevision } from '../../store/store.ts'
import { isoTime } from '../../timing/iso-time.ts'
import { printable } from '../scan/excerpt.ts'

/** What every command about a workspace takes. */
export interface WorkspaceOption {
  readonly workspace: string
  readonly json?: boolean
}

/** Receives the exit status if it is not 0. */
export type Exit = (status: number) => void

/** Prints a value as one line of JSON, or in words. */
export const show = (asJson: boolean, value: unknown, words: () => string): void => {
  process.stdout.write(`${asJson ? JSON.stringify(value) : words()}\n`)
}

/** A revision without its documents. */
export const headOf = ({ sequence, revision, author: by, note, publishedAt }: PolicyRevision) => ({
  sequence,
  revision,
  author: by,
  note,
  publishedAt: isoTime(publishedAt)
})

export const describeRevision = (revision: PolicyRevision): string => {
  const { revision: id, publishedAt, author: by, note } = headOf(revision)
  return `${id}  ${publishedAt}  by ${by}${note === '' ? '' : `  ${printable(note)}`}`
}

export const describeChanges = (changes: readonly PolicyChange[]): string =>
  changes.length === 0
    ? 'The policies are the same.'
    : changes.map(({ says, softens, path }) => `${softens ? '! ' : '  '}${says}  (${path})`).join('\n')

export function describeReport({ findings, leftOut, isPublishable }: LintReport): string {
  const lines = findings.map(({ severity, path, message }) =>
    printable(`${severity.padEnd(7)}  ${path || '/'}  ${message}`)
  )
  if (leftOut > 0) lines.push(`... and ${leftOut} more`)
  lines.push(isPublishable ? 'The policy can be published.' : 'The policy cannot be published.')
  return lines.join('\n')
}
