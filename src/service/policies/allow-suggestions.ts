/**
 * Suggests rules that would end a false alarm, the narrowest first. A rule matches a value that somebody pastes, which
 * is used here and stored nowhere, or a kind, or a tool.
 */
import type { PolicyEdit } from '../../policy/policy-edit.ts'
import type { RedactionProfile } from '../../policy/redaction/profile.ts'
import type { ToolPolicy } from '../../policy/tools/policy.ts'
import { toolCallKind } from '../../protocol/events/event-schema.ts'
import type { Suggestion } from '../../protocol/api/suggestion-schema.ts'
import type { StoredEvent } from '../../store/store.ts'

/** A suggestion before it is linted. */
export interface Proposal {
  readonly by: Suggestion['by']
  readonly title: string
  readonly explanation: string
  readonly edits: readonly PolicyEdit[]
  /** Whether records can show what it would change: they hold kinds and names, but no values. */
  readonly isReplayable: boolean
}

/** What the policy in force finds in a pasted text. */
export interface FoundValue {
  readonly kind: string
  readonly value: string
  /** Whether it is a secret, of which a policy, which many people read, should show nothing. */
  readonly isSecret: boolean
}

export interface ProposalContext {
  readonly event: StoredEvent
  readonly found: readonly FoundValue[]
  readonly profile: RedactionProfile
  readonly tools: ToolPolicy
  /** The entry of a value in `allow.hmacs`. */
  hmacOf(value: string): string
}

/** Most values of one pasted text, and kinds of one event, for which rules are suggested. */
const valuesMax = 3
const kindsMax = 5

const allow = '/redactionProfile/allow'

export function proposals(context: ProposalContext): Proposal[] {
  const values = context.found.slice(0, valuesMax).flatMap((found) => forValue(found, context))
  const kinds = kindsOf(context.event).slice(0, kindsMax)
  return [...values, ...kinds.flatMap((kind) => forKind(kind, context)), ...forTool(context)]
}

/** Kinds that an event counts: what was masked or blocked. */
export function kindsOf({ sensorMetadata }: StoredEvent): string[] {
  const counts = sensorMetadata['entityCounts']
  return typeof counts === 'object' && counts !== null ? Object.keys(counts) : []
}

function forValue({ kind, value, isSecret }: FoundValue, { hmacOf }: ProposalContext): Proposal[] {
  const keyed: Proposal = {
    by: 'hmac',
    title: 'This value, without showing it',
    explanation:
      'The policy contains a keyed hash of the value, not the value. Only the service has the key: sidecars still mask or block the value.',
    edits: [{ op: 'add', path: `${allow}/hmacs`, value: hmacOf(value) }],
    isReplayable: false
  }
  if (isSecret) return [keyed]
  const domain = kind === 'email_address' ? /@([^@\s]+)$/.exec(value)?.[1]?.toLowerCase() : undefined
  const pattern = patternLike(value)
  return [
    keyed,
    {
      by: 'value',
      title: 'This exact value',
      explanation: 'Everybody who can read the policy sees the value, including sidecars and other sensors.',
      edits: [{ op: 'add', path: `${allow}/values`, value }],
      isReplayable: false
    },
    ...(domain === undefined
      ? []
      : [
          {
            by: 'emailDomain',
            title: 'All addresses in this domain',
            explanation: 'Every address in the domain and its subdomains is left unchanged.',
            edits: [{ op: 'add', path: `${allow}/emailDomains`, value: domain }],
            isReplayable: false
          } as const
        ]),
    ...(pattern === undefined
      ? []
      : [
          {
            by: 'pattern',
            title: 'Everything of this form',
            explanation: `Every value that matches ${pattern} as a whole is left unchanged, whatever kind it is found as.`,
            edits: [{ op: 'add', path: `${allow}/patterns`, value: pattern }],
            isReplayable: false
          } as const
        ])
  ]
}

/**
 * A pattern for the same text with other digits, for ticket, build and order numbers; undefined if nothing else would
 * be left.
 */
export function patternLike(value: string): string | undefined {
  if (!/\d/.test(value) || (value.match(/[a-z]/gi)?.length ?? 0) < 2 || value.length > 100) return undefined
  return value.replaceAll(/\d+|[\\^$.*+?()[\]{}|]/g, (part) =>
    /^\d/.test(part) ? `[0-9]{${part.length}}` : `\\${part}`
  )
}

function forKind(kind: string, { event, profile }: ProposalContext): Proposal[] {
  const path = `/redactionProfile/actions/kinds/${kind}`
  const wasBlocked = event.sensorMetadata['action'] === 'block' && profile.actions.kinds[kind] !== 'mask'
  return [
    ...(wasBlocked
      ? [
          {
            by: 'kindMask',
            title: `Mask ${kind} instead of blocking`,
            explanation: 'The value still does not leave, and the request is forwarded.',
            edits: [{ op: 'set', path, value: 'mask' }],
            isReplayable: true
          } as const
        ]
      : []),
    {
      by: 'kind',
      title: `Allow every ${kind}`,
      explanation: 'Every value of this kind is forwarded unchanged and counted. This is the widest rule.',
      edits: [{ op: 'set', path, value: 'allow' }],
      isReplayable: true
    }
  ]
}

/** A tool call that a rule denied is excepted from that rule; one that nothing allowed gets a rule of its own. */
function forTool({ event, tools }: ProposalContext): Proposal[] {
  const { mcpToolName: tool, mcpServer, ruleId, action, entityCounts } = event.sensorMetadata
  const wasFound = typeof entityCounts === 'object' && entityCounts !== null && Object.keys(entityCounts).length > 0
  if (event.kind !== toolCallKind || typeof tool !== 'string' || action !== 'block' || wasFound) return []
  const server = typeof mcpServer === 'string' ? { server: mcpServer } : {}
  const named = { ...server, tool }
  const index = tools.rules.findIndex(({ id }) => id === ruleId)
  const [edit, title] =
    index >= 0
      ? [
          { op: 'add', path: `/mcpToolPolicy/rules/${index}/except`, value: named } as const,
          `Exclude the tool from the rule ${tools.rules[index]?.id}`
        ]
      : [
          {
            op: 'add',
            path: '/mcpToolPolicy/rules',
            value: { id: freeId(tools), effect: 'allow', ...named, reason: 'A false alarm.' }
          } as const,
          'Allow the tool'
        ]
  const explanation = 'Every call to the tool passes, whatever its arguments, unless another rule denies it.'
  return [{ by: 'tool', title, explanation, edits: [edit], isReplayable: true }]
}

function freeId({ rules }: ToolPolicy): string {
  const taken = new Set(rules.map(({ id }) => id))
  for (let number = 1; ; number++) {
    const id = `false-alarm-${number}`
    if (!taken.has(id)) return id
  }
}
