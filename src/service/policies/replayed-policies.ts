/** The policies needed for a replay of recorded events. */
import { ZodError } from 'zod'
import type { DraftDocuments } from '../../policy/lint/lint.ts'
import { readRedactionProfile, readToolPolicy } from '../../policy/revision.ts'
import { compileToolPolicy } from '../../policy/tools/decide.ts'
import type { CompiledDraft } from './compile-draft.ts'
import type { PolicyRevisions } from './revisions.ts'
import type { Draft, PolicyOfRevision } from './dry-run.ts'

interface ReplayDependencies {
  readonly revisions: Pick<PolicyRevisions, 'current' | 'find'>
  compile(workspaceId: string, redactionProfile: unknown): CompiledDraft
}

/** Limited because each is compiled on the thread that serves calls. */
const policiesMax = 10

/**
 * Compiles a policy that passes its lint. A replay knows kinds but no texts, so thousands of words and values are left
 * out.
 */
export function forReplay(
  { compile }: Pick<ReplayDependencies, 'compile'>,
  workspaceId: string,
  documents: DraftDocuments
): Draft {
  const read = readRedactionProfile(documents.redactionProfile)
  const { profile, scanner } = compile(workspaceId, { ...read, deny: read.deny.slice(0, 1), allow: {} })
  return { profile, tools: compileToolPolicy(readToolPolicy(documents.mcpToolPolicy)), kinds: scanner.kinds }
}

/**
 * The policies by which recorded events were judged, each read once: the first {@link policiesMax} that are requested.
 * For an event that names another, or none, or one that this version cannot read, it is the policy in force.
 * @throws StoreError
 */
export async function replayedPolicies(to: ReplayDependencies, workspaceId: string): Promise<PolicyOfRevision> {
  const inForce = forReplay(to, workspaceId, await to.revisions.current(workspaceId))
  const known = new Map<string, Draft>()
  return async (id) => {
    if (id === null) return inForce
    const read = known.get(id)
    if (read !== undefined || known.size >= policiesMax) return read ?? inForce
    const found = await to.revisions.find(workspaceId, id)
    const policy = (found && asReadable(to, workspaceId, found)) ?? inForce
    known.set(id, policy)
    return policy
  }
}

/** The policy, or undefined if another version wrote something that this one does not know. */
function asReadable(to: ReplayDependencies, workspaceId: string, documents: DraftDocuments): Draft | undefined {
  try {
    return forReplay(to, workspaceId, documents)
  } catch (error) {
    if (error instanceof ZodError) return undefined
    throw error
  }
}
