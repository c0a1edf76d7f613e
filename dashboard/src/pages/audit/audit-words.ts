/** Describes audit rows in words. */
import type { AuditRowBody } from '../../../../src/protocol/api/reading-schema.ts'
import { factValue, factWords } from '../../components/facts.ts'

/** Actions suggested as a filter; others can be typed. */
export const auditActionNames = [
  'ingress_proxy',
  'tool_call_enforcement',
  'ingress_decision',
  'policy_published',
  'token_created',
  'token_rotated',
  'token_revoked',
  'user_created',
  'user_changed',
  'user_removed',
  'link_created',
  'password_set',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'workspace_created',
  'records_expired',
  'writer_lost',
  'gap'
]

const membersMax = 5

/** Members that are shown beside the text, or are meaningless at a glance. The export contains all of them. */
const leftOut = new Set([
  'action',
  'requestId',
  'platform',
  'dialect',
  'route',
  'stream',
  'requestBytes',
  'responseBytes',
  'scanMs',
  'durationMs',
  'decisionMs'
])

/** Members that are clear without their name. */
const nameless = new Set(['mcpToolName', 'modelId', 'entityCounts', 'note'])

/** Members that readers look for first; the rest follows in the order of the row. */
const firstMembers = [
  'mcpToolName',
  'modelId',
  'entityCounts',
  'ruleId',
  'reasonCode',
  'outcome',
  'revision',
  'note',
  'name',
  'label'
]

/**
 * The most informative members of a row's detail.
 * @param labels of tokens by id, for rows about a token that name it by its id alone
 */
export function sayDetail(
  { action, detail: recorded }: Pick<AuditRowBody, 'action' | 'detail'>,
  labels: ReadonlyMap<string, string>
): string {
  const { id } = recorded
  const label = action === 'token_revoked' && typeof id === 'string' ? labels.get(id) : undefined
  const detail = label === undefined ? recorded : { label, ...recorded }
  const members = Object.entries(detail)
    .filter(([name, value]) => !leftOut.has(name) && !saysNothing(name, value))
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
  const shown = members
    .slice(0, membersMax)
    .map(([name, value]) =>
      nameless.has(name) ? factValue(name, value) : `${factWords(name)}: ${factValue(name, value)}`
    )
  return members.length > membersMax ? `${shown.join(' · ')} …` : shown.join(' · ')
}

/** Whether a member has its usual value, or was not counted or known. */
function saysNothing(name: string, value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === 'unknown' || value === 'none') return true
  if (name === 'outcome' && value === 'forwarded') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function rankOf(name: string): number {
  const rank = firstMembers.indexOf(name)
  return rank < 0 ? firstMembers.length : rank
}
