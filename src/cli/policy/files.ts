/** Policy files, as `sluice policy` reads and lints them. */
import { lintPolicyText, type DraftDocuments } from '../../policy/lint/lint.ts'
import { readInput } from '../read-input.ts'
import { UsageError } from '../usage-error.ts'
import { describeReport, show, type Exit } from './output.ts'

/** A policy file and its lint findings, as far as they need no store. */
export async function readPolicy(file: string, confirm: boolean) {
  return lintPolicyText(await readInput(file), { now: Date.now(), confirm })
}

/** @throws UsageError for a file that could not be published */
export async function readGoodPolicy(file: string): Promise<DraftDocuments> {
  const { report, draft } = await readPolicy(file, true)
  if (draft !== undefined && report.isPublishable) return draft
  throw new UsageError(`${file} is not a valid policy\n${describeReport(report)}`)
}

/** `sluice policy lint` */
export async function lint(file: string, options: { confirm?: boolean; json?: boolean }, exit: Exit): Promise<void> {
  const { report } = await readPolicy(file, options.confirm === true)
  show(options.json === true, report, () => describeReport(report))
  exit(report.isPublishable ? 0 : 1)
}
