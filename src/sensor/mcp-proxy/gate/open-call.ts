/** One tool call, from its decision to its answer, and the single event that reports it. */
import type { Redactor } from '../../../ingress/body/redact-texts.ts'
import { tiers, type Tier } from '../../../detection/findings.ts'
import type { EventInput } from '../../spool/reporter.ts'
import { toolCallKind } from '../../../protocol/events/event-schema.ts'
import type { TraceContext } from '../../../protocol/trace-context.ts'
import type { CallDigest } from './consent.ts'
import type { GatePolicy } from './gate-policy.ts'
import { nothingMasked, type MaskTally } from './mask.ts'
import { addCount } from '../../../policy/redaction/count-kinds.ts'

/** What is known about a call before it is judged. */
export interface CallFacts {
  readonly tool: string
  /** Id of the server in the policy. */
  readonly serverId: string
  /** UUID. */
  readonly requestId: string
  /** The trace context that the client sent. */
  readonly trace: TraceContext | undefined
  readonly surface: string | undefined
  /** Of a monotonic clock. */
  readonly startedMs: number
}

/** The decision about a call. */
export interface CallOutcome {
  readonly isBlocked: boolean
  readonly reasonCode: string
  readonly ruleId?: string | undefined
  readonly riskTier?: Tier | undefined
}

const toolUnitsMax = 128

/** A name in the form that events accept: limited in length, and without characters that no store can keep. */
export function eventName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '?')
    .slice(0, toolUnitsMax)
    .toWellFormed()
}

export class OpenCall {
  readonly facts: CallFacts
  readonly policy: GatePolicy
  /** Whether the client used a revision without sessions. */
  readonly isModern: boolean
  /** Set if a person consented to the call: the server may ask back, and the consent then stays valid. */
  readonly consented: CallDigest | undefined
  readonly #outcome: CallOutcome
  readonly #decisionMs: number
  readonly #occurredAt: string
  #masked: MaskTally
  #isTold = false
  #redactor: Redactor | undefined

  constructor(init: {
    readonly facts: CallFacts
    readonly policy: GatePolicy
    readonly redactor: Redactor
    readonly isModern: boolean
    readonly consented?: CallDigest | undefined
    readonly outcome: CallOutcome
    readonly masked: MaskTally
    readonly nowMs: number
    readonly wallMs: number
  }) {
    this.facts = init.facts
    this.policy = init.policy
    this.#redactor = init.redactor
    this.isModern = init.isModern
    this.consented = init.consented
    this.#outcome = init.outcome
    this.#masked = init.masked
    this.#decisionMs = init.nowMs - init.facts.startedMs
    this.#occurredAt = new Date(init.wallMs).toISOString()
  }

  /**
   * Call it when the call is answered.
   * @returns the redactor that knows the values found in the arguments, once: none of them is kept after the answer.
   *   Undefined if the answer was already handled, as on a resumed stream
   */
  takeRedactor(): Redactor | undefined {
    const redactor = this.#redactor
    this.#redactor = undefined
    return redactor
  }

  /**
   * The event of the call, once.
   * @param answer the outcome of masking the answer, if there was one
   * @param refused why the answer did not pass
   * @returns undefined if the call was already reported and its answer adds nothing
   */
  tell(nowMs: number, answer: MaskTally | undefined, refused?: string): EventInput | undefined {
    const again = this.#isTold
    if (again && (answer?.entitiesMasked ?? 0) === 0 && refused === undefined) return undefined
    this.#isTold = true
    // The call was reported long before its answer came: the answer then has an event of its own kind.
    const masked = answer === undefined ? this.#masked : again ? answer : sum(this.#masked, answer)
    const { isBlocked, reasonCode, ruleId, riskTier } = this.#outcome
    const action = isBlocked || refused !== undefined ? 'block' : masked.entitiesMasked > 0 ? 'mask' : 'allow'
    return {
      ...callEvent(this.facts, this.policy.revision),
      ...(again && { kind: 'tool_answer_masked' }),
      action,
      reasonCode: refused ?? reasonCode,
      ...(ruleId !== undefined && { ruleId }),
      riskTier: highest(riskTier, masked.riskTier),
      entitiesMasked: masked.entitiesMasked,
      entityCounts: { ...masked.entityCounts },
      decisionMs: rounded(this.#decisionMs),
      ...(answer !== undefined && { durationMs: rounded(nowMs - this.facts.startedMs) }),
      occurredAt: this.#occurredAt
    }
  }
}

/** The fields of every event of a call. */
function callEvent(facts: CallFacts, policyRevision: string | undefined): EventInput {
  const { tool, serverId, requestId, trace, surface } = facts
  return {
    kind: toolCallKind,
    mcpToolName: eventName(tool),
    mcpServer: serverId,
    requestId,
    ...(policyRevision !== undefined && { policyRevision }),
    ...(surface !== undefined && { clientSurface: surface }),
    ...(trace !== undefined && { traceId: trace.traceId })
  }
}

/**
 * The event of a call that never reached the server: findings are counted, nothing was masked. Times in milliseconds.
 */
export function blockedEvent(
  facts: CallFacts,
  policyRevision: string | undefined,
  outcome: Omit<CallOutcome, 'isBlocked'>,
  nowMs: number,
  masked: MaskTally = nothingMasked
): EventInput {
  return {
    ...callEvent(facts, policyRevision),
    action: 'block',
    reasonCode: outcome.reasonCode,
    ...(outcome.ruleId !== undefined && { ruleId: outcome.ruleId }),
    riskTier: highest(outcome.riskTier, masked.riskTier),
    entitiesMasked: 0,
    entityCounts: { ...masked.entityCounts },
    decisionMs: rounded(nowMs - facts.startedMs)
  }
}

/** The sum of two maskings, with the higher tier. */
export function sum(one: MaskTally, other: MaskTally): MaskTally {
  const entityCounts: Record<string, number> = { ...one.entityCounts }
  for (const [kind, count] of Object.entries(other.entityCounts)) addCount(entityCounts, kind, count)
  return {
    entitiesMasked: one.entitiesMasked + other.entitiesMasked,
    entityCounts,
    riskTier: highest(one.riskTier, other.riskTier)
  }
}

function highest(...given: (Tier | undefined)[]): Tier {
  return tiers[Math.max(...given.map((tier) => (tier === undefined ? 0 : tiers.indexOf(tier))))] as Tier
}

const rounded = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000)
