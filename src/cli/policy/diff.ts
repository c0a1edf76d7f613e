/** `sluice policy diff`. */
import { diffPolicies } from '../../policy/diff/diff.ts'
import { policyNamed } from './history.ts'
import { describeChanges, show, type Exit, type WorkspaceOption } from './output.ts'

export async function diff(from: string, to: string, { workspace, json }: WorkspaceOption, exit: Exit): Promise<void> {
  const changes = diffPolicies(await policyNamed(from, workspace), await policyNamed(to, workspace))
  show(json === true, changes, () => describeChanges(changes))
  exit(changes.length === 0 ? 0 : 1)
}
