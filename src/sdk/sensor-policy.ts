/** The workspace's policy in a sensor: its current decision about a tool call or a text. */
import { randomUUID } from 'node:crypto'
import type { Detector } from '../detection/detector.ts'
import type { Tier } from '../detection/findings.ts'
import {
  createPolicySubscriber,
  type PolicySubscriber,
  type SubscriberOptions,
  type SubscriberStatus
} from '../policy-stream/subscriber.ts'
import type { ValueDigest } from '../policy/redaction/placeholder.ts'
import { staleEffect } from '../policy/tools/stale.ts'
import { looseText, type TextPlace } from '../policy/redaction/text-place.ts'
import { isStricter, type ToolDecision } from '../policy/tools/decide.ts'
import type { Effect, ToolAnnotations } from '../policy/tools/policy.ts'
import type { ServerIdentity } from '../policy/tools/servers.ts'
import { placeholderDigest } from '../sensor/placeholder-digest.ts'
import {
  compilePolicy,
  maskJsonValue,
  maskText,
  type CompiledPolicy,
  type Masked,
  type MaskedJson
} from './compiled-policy.ts'

/** A tool call before it is made. */
export interface ToolCallInput {
  /** The server's id in the policy, or how the sensor reaches it. Never the name that a server gives itself. */
  readonly server: string | ServerIdentity
  readonly tool: string
  /** The parsed JSON arguments. They are judged and not kept. */
  readonly arguments?: unknown
  readonly surface?: string
  readonly annotations?: ToolAnnotations
  /** UUID of the call; generated if omitted. */
  readonly requestId?: string
}

export interface ToolVerdict {
  /** What to do now. Also `block` if the policy asks for a person's consent: a sensor that can ask may then go on. */
  readonly action: 'allow' | 'block'
  /** What the policy says; in mode `observe` it is reported but not enforced. */
  readonly effect: Effect
  /**
   * `no_policy`, `unreadable_call`, `stale_policy`, `rule` or `default`; the last three with `_observed` in mode
   * `observe`.
   */
  readonly reasonCode: string
  readonly ruleId?: string
  readonly reason?: string
  readonly riskTier?: Tier
  readonly policyRevision?: string
  readonly requestId: string
}

/** The result of {@link SensorPolicy.maskJson}. */
export interface MaskJsonVerdict extends MaskedJson {
  /** Set if there is no policy, or the value cannot be processed: then nothing may be passed on. */
  readonly reasonCode?: 'no_policy' | 'unreadable_value'
  readonly policyRevision?: string
  readonly requestId: string
}

/** The result of {@link SensorPolicy.mask}. */
export interface MaskVerdict extends Masked {
  /** Set if there is no policy: then nothing may be passed on. */
  readonly reasonCode?: 'no_policy'
  readonly policyRevision?: string
  readonly requestId: string
}

interface SensorPolicyOptions extends Pick<
  SubscriberOptions<CompiledPolicy>,
  'target' | 'token' | 'file' | 'dispatcher' | 'timings' | 'report' | 'onState' | 'onWarning'
> {
  readonly wallMs: () => number
  /** What texts are searched for. */
  readonly detectors: readonly Detector[]
  /** The surface of calls that do not name one. */
  readonly surface?: string | undefined
}

export class SensorPolicy {
  readonly #subscriber: PolicySubscriber<CompiledPolicy>
  readonly #listeners = new Set<(revision: string) => void>()
  readonly #digest: ValueDigest
  readonly #wallMs: () => number
  readonly #surface: string | undefined

  /** @throws TypeError for the same options as the subscriber */
  constructor({ wallMs, surface, detectors, ...options }: SensorPolicyOptions) {
    this.#surface = surface
    this.#digest = placeholderDigest(options.token)
    this.#wallMs = wallMs
    this.#subscriber = createPolicySubscriber<CompiledPolicy>({
      ...options,
      validate: (frame) => compilePolicy(frame, detectors),
      onPolicy: ({ frame }) => this.#tell(frame.revision)
    })
  }

  /** How fresh the policy is, and what prevents it from being fresh. */
  get state(): SubscriberStatus {
    return this.#subscriber.status
  }

  /** The documents in force. Undefined if there are none: then nothing may pass. */
  get current(): PolicySubscriber<CompiledPolicy>['policy'] {
    return this.#subscriber.policy
  }

  /** Resolves with the revision of the first policy in force. Rejects if the sensor is closed before there is one. */
  async ready(): Promise<string> {
    return (await this.#subscriber.ready()).frame.revision
  }

  /**
   * Calls a listener with the revision of each policy that takes effect, including the current one.
   * @returns a function that ends the subscription
   */
  subscribe(listener: (revision: string) => void): () => void {
    const own = (revision: string): void => listener(revision)
    this.#listeners.add(own)
    const now = this.current?.frame.revision
    if (now !== undefined) call(own, now)
    return () => void this.#listeners.delete(own)
  }

  /** Decides about a tool call. Never throws: a call that cannot be judged is denied. */
  decideTool(given: ToolCallInput): ToolVerdict {
    try {
      const policy = this.current?.compiled
      return policy === undefined ? refused('no_policy', given.requestId) : this.#decide(given, policy)
    } catch {
      // Arguments with getters, or a name that is not a string: the error may hold anything of the call.
      return refused('unreadable_call', undefined)
    }
  }

  /**
   * Masks a text, by default as the text of a user's newest message. The scan runs to its end in the caller's turn of
   * the event loop.
   */
  mask(text: string, options: { readonly place?: TextPlace; readonly requestId?: string } = {}): MaskVerdict {
    const { place = looseText, requestId = randomUUID() } = options
    const policy = this.current?.compiled
    if (policy === undefined) return { ...nothingMasked, text: undefined, reasonCode: 'no_policy', requestId }
    return { ...maskText(text, place, policy, this.#digest), policyRevision: policy.revision, requestId }
  }

  /**
   * Masks a JSON value, such as the arguments or the result of a tool: each string and each member name on its own, so
   * that it stays JSON. Never throws: what cannot be processed is blocked.
   */
  maskJson(value: unknown, options: { readonly place?: TextPlace; readonly requestId?: string } = {}): MaskJsonVerdict {
    const { place = looseText, requestId = randomUUID() } = options
    const policy = this.current?.compiled
    if (policy === undefined) return { ...nothingMasked, value: undefined, reasonCode: 'no_policy', requestId }
    const policyRevision = policy.revision
    try {
      return { ...maskJsonValue(value, place, policy, this.#digest), policyRevision, requestId }
    } catch {
      // Nested too deeply, or with getters: the error may hold anything of the value.
      return { ...nothingMasked, value: undefined, reasonCode: 'unreadable_value', policyRevision, requestId }
    }
  }

  /** The service was just reached by other means. */
  retryNow(): void {
    this.#subscriber.retryNow()
  }

  close(): Promise<void> {
    return this.#subscriber.close()
  }

  #decide({ requestId = randomUUID(), server, ...call }: ToolCallInput, policy: CompiledPolicy): ToolVerdict {
    const { tools, revision: policyRevision } = policy
    const judged = tools.decide({
      ...(this.#surface !== undefined && { surface: this.#surface }),
      ...call,
      server: typeof server === 'string' ? server : tools.serverId(server),
      now: this.#wallMs()
    })
    const floor = this.#floor(policy)
    const isStale = floor !== undefined && isStricter(floor, judged.effect)
    const decision: ToolDecision = isStale ? { effect: floor } : judged
    const because = isStale ? 'stale_policy' : decision.ruleId === undefined ? 'default' : 'rule'
    const isObserved = tools.mode === 'observe'
    return {
      ...decision,
      action: isObserved || decision.effect === 'allow' ? 'allow' : 'block',
      reasonCode: isObserved ? `${because}_observed` : because,
      policyRevision,
      requestId
    }
  }

  /** The minimum effect that the policy demands once it could not be refreshed for as long as it allows. */
  #floor({ stale }: CompiledPolicy): 'ask' | 'deny' | undefined {
    const { state, ageMs = 0 } = this.state
    return staleEffect(stale, state === 'fresh', ageMs)
  }

  #tell(revision: string): void {
    for (const listener of this.#listeners) call(listener, revision)
  }
}

const nothingMasked = { action: 'block', entitiesMasked: 0, entityCounts: {}, riskTier: 'none' } as const

function refused(reasonCode: string, requestId: string = randomUUID()): ToolVerdict {
  return { action: 'block', effect: 'deny', reasonCode, requestId }
}

/** A failing listener must not prevent the others from being called. */
function call(listener: (revision: string) => void, revision: string): void {
  try {
    listener(revision)
  } catch {
    // Nobody above could handle the error.
  }
}
