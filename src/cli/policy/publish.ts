/** `sluice policy publish` and `rollback`. */
import type { LintReport } from '../../policy/lint/lint.ts'
import { PolicyRevisions, type PublishOutcome } from '../../service/policies/revisions.ts'
import { readConfiguration } from '../configuration.ts'
import { UsageError } from '../usage-error.ts'
import { withWorkspace } from '../with-store.ts'
import { readPolicy } from './files.ts'
import { describeReport, headOf, show, type Exit, type WorkspaceOption } from './output.ts'

export interface PublishOptions extends WorkspaceOption {
  readonly note: string
  readonly confirm?: boolean
  readonly basedOn?: string
}

const author = { actor: 'cli', tokenId: null, requestId: null }

/** The revisions of a workspace in the configured store, with the context that its service would have. */
async function withRevisions<T>(workspaceId: string, work: (revisions: PolicyRevisions) => Promise<T>): Promise<T> {
  const { vocabularies, blockHighRisk } = readConfiguration()
  return await withWorkspace(workspaceId, async ({ store, own }) =>
    work(new PolicyRevisions(store, { surfaces: [...vocabularies.surfaces], blockHighRisk }, await own()))
  )
}

/** `sluice policy publish` */
export async function publish(file: string, options: PublishOptions, exit: Exit): Promise<void> {
  const { workspace: workspaceId, note, confirm = false, basedOn } = options
  const { report, draft } = await readPolicy(file, confirm)
  if (draft === undefined || !report.isPublishable) return exit(refuse(report))
  const outcome = await withRevisions(workspaceId, async (revisions) => {
    if (basedOn !== undefined && (await revisions.find(workspaceId, basedOn)) === undefined)
      throw new UsageError(`the workspace "${workspaceId}" has no revision "${basedOn}"`)
    return await revisions.publish({ workspaceId, draft, note, confirm, basedOn }, author)
  })
  exit(reportPublish(outcome, options))
}

/** `sluice policy rollback` */
export async function rollBack(revision: string, options: PublishOptions, exit: Exit): Promise<void> {
  const { workspace: workspaceId, note, confirm = false } = options
  const outcome = await withRevisions(workspaceId, (revisions) =>
    revisions.rollBack({ workspaceId, to: revision, note, confirm, basedOn: undefined }, author)
  )
  if (outcome === undefined) throw new UsageError(`the workspace "${workspaceId}" has no revision "${revision}"`)
  exit(reportPublish(outcome, options))
}

function refuse(report: LintReport): number {
  process.stderr.write(`${describeReport(report)}\n`)
  return 1
}

function reportPublish(outcome: PublishOutcome, { json }: WorkspaceOption): number {
  if (outcome.is === 'refused') return refuse(outcome.report)
  if (outcome.is === 'conflict') {
    process.stderr.write(`Another revision is in force: ${outcome.current.revision}. Nothing was published.\n`)
    return 1
  }
  const revision = outcome.is === 'published' ? outcome.revision : outcome.current
  const said = outcome.is === 'published' ? 'is in force' : 'is already the same; nothing was published'
  show(json === true, headOf(revision), () => `Revision ${revision.revision} ${said}.`)
  if (!json && outcome.report.findings.length > 0) process.stderr.write(`${describeReport(outcome.report)}\n`)
  return 0
}
