/** `sluice policy history` and `show`: the revisions that are stored. They load nothing that judges a policy. */
import { PolicyHistory } from '../../service/policies/history.ts'
import { standardPolicy, type PolicyDocuments } from '../../policy/revision.ts'
import { UsageError } from '../usage-error.ts'
import { withWorkspace } from '../with-store.ts'
import { describeRevision, headOf, show, type WorkspaceOption } from './output.ts'

/**
 * The documents that a word of the command line names.
 * @param which a policy file, the id or sequence of a revision, `current` or `standard`
 * @throws UsageError if there is no such revision, or the file could not be published
 */
export async function policyNamed(which: string, workspaceId: string): Promise<PolicyDocuments> {
  if (which === 'standard') return standardPolicy
  const isRevision = which === 'current' || /^[1-9]\d{0,14}(-[0-9a-f]{16})?$/.test(which)
  if (!isRevision) {
    const { readGoodPolicy } = await import('./files.ts')
    return (await readGoodPolicy(which)) as PolicyDocuments
  }
  return await withHistory(workspaceId, async (revisions) => {
    const found = which === 'current' ? await revisions.current(workspaceId) : await revisions.find(workspaceId, which)
    if (found === undefined) throw new UsageError(`the workspace "${workspaceId}" has no revision "${which}"`)
    return found
  })
}

const withHistory = <T>(workspaceId: string, work: (history: PolicyHistory) => Promise<T>): Promise<T> =>
  withWorkspace(workspaceId, ({ store }) => work(new PolicyHistory(store)))

/** `sluice policy show` */
export async function showRevision(which: string, { workspace }: WorkspaceOption): Promise<void> {
  const { mcpToolPolicy, redactionProfile } = await policyNamed(which, workspace)
  process.stdout.write(`${JSON.stringify({ mcpToolPolicy, redactionProfile }, null, 2)}\n`)
}

/** `sluice policy history` */
export async function history({ workspace: workspaceId, json }: WorkspaceOption): Promise<void> {
  await withHistory(workspaceId, async (revisions) => {
    for (let before: number | undefined; ;) {
      const page = await revisions.history(workspaceId, { limit: 100, before })
      for (const revision of page) show(json === true, headOf(revision), () => describeRevision(revision))
      before = page.at(-1)?.sequence
      if (before === undefined || before === 1) return
    }
  })
}
