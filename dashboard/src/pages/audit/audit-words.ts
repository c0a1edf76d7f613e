/** Audit rows in words. */
import type { AuditRowBody } from '../../../../src/protocol/reading-schema.ts'
import { formatWord } from '../../components/format.ts'

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
  'dialect',
  'route',
  'stream',
  'requestBytes',
  'responseBytes',
  'scanMs',
  'durationMs'
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
export function sayDetail({ detail }: AuditRowBody): string {
  const members = Object.entries(detail)
    .filter(([name, value]) => !leftOut.has(name) && value !== null && value !== '' && !isEmpty(value))
    .filter(([name, value]) => name !== 'outcome' || value !== 'forwarded')
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
  const shown = members
    .slice(0, membersMax)
    .map(([name, value]) =>
      nameless.has(name) ? sayValue(value) : `${formatWord(name).toLowerCase()}: ${sayValue(value)}`
    )
  return members.length > membersMax ? `${shown.join(' · ')} …` : shown.join(' · ')
}

function rankOf(name: string): number {
  const rank = firstMembers.indexOf(name)
  return rank < 0 ? firstMembers.length : rank
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

function sayValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.map(sayValue).join(', ')
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${sayValue(inner)}`)
    .join(', ')
}
