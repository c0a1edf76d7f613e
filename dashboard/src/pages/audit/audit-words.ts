/** Audit rows in words. */
import type { AuditRowBody } from '../../../../src/protocol/api/reading-schema.ts'
import { factName, factValue } from '../../components/facts.ts'

/** Actions that are offered as a filter; others can be typed. */
export const auditActionNames = [
  'ingress_proxy',
  'tool_call_enforcement',
  'policy_published',
  'token_created',
  'token_rotated',
  'token_revoked',
  'user_created',
  'user_changed',
  'user_removed',
  'password_set',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'records_expired',
  'writer_lost',
  'gap'
]

const membersMax = 5

/** Members that stand beside the text, or that say nothing to people at a glance. All of them stand in the export. */
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

/** Members that speak for themselves without their name. */
const nameless = new Set(['mcpToolName', 'modelId', 'entityCounts', 'note'])

/** What a reader looks for first; the rest follows as it stands in the row. */
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

/** The most telling members of a row's detail. */
export function sayDetail({ detail }: Pick<AuditRowBody, 'detail'>): string {
  const members = Object.entries(detail)
    .filter(([name, value]) => !leftOut.has(name) && !saysNothing(name, value))
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
  const shown = members
    .slice(0, membersMax)
    .map(([name, value]) =>
      nameless.has(name) ? factValue(name, value) : `${factName(name).toLowerCase()}: ${factValue(name, value)}`
    )
  return members.length > membersMax ? `${shown.join(' · ')} …` : shown.join(' · ')
}

/** What is as nearly always, or was not counted or known. */
function saysNothing(name: string, value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === 'unknown' || value === 'none') return true
  if (name === 'outcome' && value === 'forwarded') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function rankOf(name: string): number {
  const rank = firstMembers.indexOf(name)
  return rank < 0 ? firstMembers.length : rank
}
