/** The policy's verdict on one call: the strictest of all applicable rules and limits. */
import type { Tier } from '../../../detection/findings.ts'
import { staleEffect } from '../../../policy/tools/stale.ts'
import { isStricter, type ToolCall, type ToolDecision } from '../../../policy/tools/decide.ts'
import type { Effect } from '../../../policy/tools/policy.ts'
import type { GatePolicy } from './gate-policy.ts'
import { standingOf } from './pins.ts'
import type { ServerState } from './server-state.ts'

export interface Verdict {
  readonly effect: Effect
  readonly reasonCode: string
  readonly ruleId?: string | undefined
  readonly reason?: string | undefined
  readonly riskTier?: Tier | undefined
}

interface JudgedCall {
  readonly serverId: string
  readonly tool: string
  /** Read only when a rule examines it. */
  readonly args: () => unknown
  /** Whether a parser may read arguments other than these. */
  readonly hasTwins: boolean
  readonly surface: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** How fresh the policy is. */
export interface PolicyAge {
  readonly isFresh: boolean
  readonly ageMs: number
}

export function judgeCall(policy: GatePolicy, server: ServerState, call: JudgedCall, age: PolicyAge): Verdict {
  const known = server.tool(call.tool)
  const { serverId, tool, surface, now } = call
  let args: { readonly value: unknown } | undefined
  const asked: ToolCall = {
    server: serverId,
    tool,
    now,
    ...(surface !== undefined && { surface }),
    ...(known !== undefined && { annotations: known.annotations }),
    get arguments() {
      args ??= { value: call.args() }
      return args.value
    }
  }
  let verdict = ofDecision(policy.tools.decide(asked))
  const atLeast = (other: Verdict): void => {
    if (isStricter(other.effect, verdict.effect)) verdict = other
  }
  if (call.hasTwins) {
    const unread: ToolCall = { server: serverId, tool, now, ...(surface !== undefined && { surface }) }
    atLeast({ ...ofDecision(policy.tools.decide(unread)), reasonCode: 'ambiguous_arguments' })
  }
  const alike = policy.lookAlikes.decide(asked)
  atLeast({ ...ofDecision(alike), reasonCode: 'look_alike' })
  const { effect, reasonCode = 'rule' } = standingOf(policy, serverId, tool, known, server)
  atLeast({ effect, reasonCode, reason: standingReasons[reasonCode] })
  const stale = staleEffect(policy.document.stale, age.isFresh, age.ageMs)
  if (stale !== undefined) atLeast({ effect: stale, reasonCode: 'stale_policy', reason: staleReason })
  return verdict
}

function ofDecision(decision: ToolDecision): Verdict {
  const { ruleId, reason } = decision
  return {
    ...decision,
    reasonCode: ruleId !== undefined ? 'rule' : reason === undefined ? 'default' : 'unknown_server'
  }
}

const standingReasons: Readonly<Record<string, string>> = {
  definition_changed: 'The server changed the definition of this tool, and nobody has approved the change.',
  definition_unknown: 'The definition of this tool has not been seen yet. List the tools first.',
  tool_added: 'The server added this tool, and nobody has approved it.'
}
const staleReason = 'The policy could not be renewed for too long.'
