/** Judges `tools/call`: parses it, decides, masks, asks for consent, and reports the outcome. */
import type { Redactor } from '../../../ingress/body/redact-texts.ts'
import type { JsonIndex } from '../../../dialects/json/json-index.ts'
import { requestHeaders, parseRequestId } from '../../../protocol/headers.ts'
import { timeOrderedId } from '../../../telemetry/time-ordered-id.ts'
import type { Step } from '../gate-contract.ts'
import { AskingGate } from './ask-call.ts'
import type { Questions } from './asking.ts'
import type { OpenRequests } from './open-requests.ts'
import { partsOf, type CallHints, type Judged } from './call-parts.ts'
import type { CallDigest } from './consent.ts'
import type { GateContext } from './gate-context.ts'
import type { GatePolicy } from './gate-policy.ts'
import { argumentHeaders, parameterFault } from './header-match.ts'
import { judgeCall, type Verdict } from './judge-call.ts'
import { valueAt } from './json-value.ts'
import { createCallRedactor, mayPass, maskTexts, nothingMasked, type MaskedMessage } from './mask.ts'
import { textOf } from './members.ts'
import { blockedEvent, OpenCall, type CallFacts } from './open-call.ts'
import type { ClientMessage, MessageId } from './open-message.ts'
import { errorReply, refusalReply, rpcCodes } from './replies.ts'
import { isStateless } from './request-meta.ts'
import { driveWork } from './run-steps.ts'
import { joined, refusalSentence, toolPhrase } from './sentences.ts'
import type { ServerState } from './server-state.ts'
import { argumentTexts } from './tool-texts.ts'

/** The longest label in an event. */
const surfaceUnitsMax = 256

export class CallGate {
  readonly #server: ServerState
  readonly #openRequests: OpenRequests
  readonly #asking: AskingGate
  readonly #context: GateContext

  constructor(server: ServerState, openRequests: OpenRequests, questions: Questions, context: GateContext) {
    this.#server = server
    this.#openRequests = openRequests
    this.#context = context
    this.#asking = new AskingGate(server, openRequests, questions, context, {
      pass: (...given) => this.#pass(...given),
      refuse: (...given) => this.#refuse(...given),
      resume: (call) => this.#resume(call)
    })
  }

  *judge(message: Uint8Array, opened: ClientMessage, id: MessageId, hints: CallHints): Generator<void, Step, void> {
    const { index, params } = opened
    const parts = yield* partsOf(index, params)
    if (typeof parts === 'string') {
      this.tellUnreadable({ method: 'tools/call', index, params, ...hints }, 'unreadable_call')
      return { reply: errorReply(id, rpcCodes.invalidParams, parts), ...(hints.http && { status: 400 }) }
    }
    const isModern = isStateless(hints.meta.revision)
    const repeated = isModern && hints.http ? this.#server.tool(parts.tool)?.headers : undefined
    const wrong = repeated && hints.http && parameterFault(hints.http, index, parts.args, repeated)
    if (wrong !== undefined) {
      this.tellUnreadable({ method: 'tools/call', index, params, ...hints }, 'header_mismatch')
      return { reply: errorReply(id, rpcCodes.headerMismatch, wrong), status: 400 }
    }
    const policy = this.#context.policy()
    const facts = this.#factsOf(parts.tool, hints, policy)
    if (policy === undefined) return this.#withoutPolicy(id, facts, isModern)
    return yield* this.#decide({ message, index, id, parts, facts, policy, isModern, ...hints })
  }

  /** Reports a call that cannot be judged as unreadable. */
  tellUnreadable(
    { method, index, params, ...hints }: { method: string; index: JsonIndex; params: number } & Partial<CallHints>,
    reasonCode: string
  ): void {
    if (method !== 'tools/call') return
    const policy = this.#context.policy()
    const tool = (params < 0 ? undefined : textOf(index, index.find(params, 'name'))) ?? ''
    const facts = this.#factsOf(tool, hints, policy)
    this.#context.report(blockedEvent(facts, policy?.revision, { reasonCode }, this.#context.nowMs()), facts.trace)
  }

  #factsOf(tool: string, { meta, http }: Partial<CallHints>, policy: GatePolicy | undefined): CallFacts {
    const header = (name: string): string | undefined => {
      const value = http?.[name]
      return typeof value === 'string' ? value : undefined
    }
    return {
      tool,
      serverId: policy?.tools.serverId(this.#server.identity) ?? 'unknown',
      requestId: parseRequestId(header(requestHeaders.requestId) ?? '') ?? timeOrderedId(),
      trace: meta?.trace,
      surface: (header(requestHeaders.clientSurface) ?? this.#context.surface)?.slice(0, surfaceUnitsMax),
      startedMs: this.#context.nowMs()
    }
  }

  #withoutPolicy(id: MessageId, facts: CallFacts, isModern: boolean): Step {
    const outcome = { reasonCode: 'no_policy' }
    this.#context.report(blockedEvent(facts, undefined, outcome, this.#context.nowMs()), facts.trace)
    const what = toolPhrase(facts.tool, facts.serverId)
    const sentence = joined(
      [
        `${what} was not called: there is no policy to judge it by, since ${this.#context.problem()}.`,
        'Try again later.'
      ],
      undefined,
      facts.requestId
    )
    const refusal = { code: outcome.reasonCode, sentence, requestId: facts.requestId, isRetryable: true }
    return { reply: refusalReply(id, refusal, isModern) }
  }

  *#decide(call: Judged): Generator<void, Step, void> {
    const { index, parts, policy, facts } = call
    const said = judgeCall(
      policy,
      this.#server,
      {
        serverId: facts.serverId,
        tool: facts.tool,
        args: () => (parts.args < 0 ? undefined : valueAt(index, parts.args)),
        hasTwins: parts.hasTwins,
        surface: facts.surface,
        now: this.#context.wallMs()
      },
      this.#context.age()
    )
    const isObserved = policy.document.mode === 'observe' && said.effect !== 'allow'
    const verdict: Verdict = isObserved ? { ...said, effect: 'allow', reasonCode: `${said.reasonCode}_observed` } : said
    if (verdict.effect === 'deny') {
      const what = toolPhrase(facts.tool, facts.serverId)
      return this.#refuse(call, verdict, refusalSentence(policy, what, verdict, facts.requestId))
    }
    const large = this.#tooLarge(call)
    if (large !== undefined) return large
    const redactor = createCallRedactor(policy)
    const masked: MaskedMessage | undefined =
      parts.args >= 0 && policy.document.scan.arguments
        ? yield* maskTexts(index, yield* argumentTexts(index, parts.args), redactor)
        : undefined
    if (masked?.isBlocked === true) return this.#refuseSecret(call, verdict, masked)
    if (masked !== undefined && call.http !== undefined) {
      const isRepeated = !argumentHeaders(call.http).every((text) => mayPass(text, redactor))
      if (isRepeated) return this.#refuseSecret(call, verdict, masked)
    }
    if (call.isConsented === true)
      return this.#pass(call, { ...verdict, reasonCode: 'ask_approved' }, masked, redactor, masked?.bytes)
    if (verdict.effect === 'ask') return yield* this.#asking.ask(call, verdict, masked, redactor)
    const bytes = yield* this.#asking.withoutOurs(call, masked?.bytes)
    return this.#pass(call, verdict, masked, redactor, bytes ?? masked?.bytes)
  }

  /** People take their time: the policy, its age or the tool may have changed since the question was asked. */
  async #resume(call: Judged): Promise<Step> {
    const policy = this.#context.policy() ?? call.policy
    const step = await driveWork(this.#decide({ ...call, policy, isConsented: true }))
    if (step.forward === undefined) this.#openRequests.drop(call.id)
    return step
  }

  #tooLarge(call: Judged): Step | undefined {
    const { policy, parts, index, facts } = call
    const most = policy.document.limits.argumentBytesMax
    if (parts.args < 0 || most === undefined || policy.document.mode === 'observe') return undefined
    if ((index.ends[parts.args] as number) - (index.starts[parts.args] as number) <= most) return undefined
    const what = toolPhrase(facts.tool, facts.serverId)
    const rule = `${what} was not called: its arguments have more than ${most} bytes, the maximum that the policy of the workspace allows.`
    return this.#refuse(
      call,
      { effect: 'deny', reasonCode: 'arguments_too_large' },
      joined([rule], policy, facts.requestId)
    )
  }

  #refuseSecret(call: Judged, { riskTier }: Verdict, masked: MaskedMessage): Step {
    const { policy, facts } = call
    const kinds = masked.blockedKinds.length === 0 ? 'sensitive data' : masked.blockedKinds.join(', ')
    const sentence = `${toolPhrase(facts.tool, facts.serverId)} was not called: its arguments contain ${kinds}. Remove it and call again.`
    const verdict: Verdict = { effect: 'deny', reasonCode: 'sensitive_arguments', riskTier }
    return this.#refuse(call, verdict, joined([sentence], policy, facts.requestId), masked)
  }

  #refuse(call: Judged, verdict: Verdict, sentence: string, masked?: MaskedMessage, retryAfterMs?: number): Step {
    const { facts, policy, id, isModern } = call
    this.#context.report(blockedEvent(facts, policy.revision, verdict, this.#context.nowMs(), masked), facts.trace)
    const refusal = {
      code: verdict.reasonCode,
      sentence,
      ruleId: verdict.ruleId,
      revision: policy.revision,
      requestId: facts.requestId,
      isRetryable: retryAfterMs !== undefined || verdict.reasonCode === 'definition_unknown',
      retryAfterMs
    }
    return { reply: refusalReply(id, refusal, isModern) }
  }

  /** Lets a call pass. */
  #pass(
    call: Judged,
    verdict: Verdict,
    masked: MaskedMessage | undefined,
    redactor: Redactor,
    bytes: Uint8Array | undefined,
    consented?: CallDigest
  ): Step {
    const { policy, facts, id, message, isModern } = call
    const context = this.#context
    const full = this.#server.takeCall(facts.tool, context.nowMs(), policy.document.limits)
    if (full !== undefined && policy.document.mode === 'enforce') {
      this.#openRequests.drop(id)
      const seconds = Math.ceil(full.waitMs / 1000)
      const rule = `the policy of the workspace allows ${full.most} calls per minute ${full.of === 'tool' ? 'of one tool' : 'to one server'}`
      const what = `${toolPhrase(facts.tool, facts.serverId)} was not called: ${rule}. Try again in ${seconds} seconds.`
      const limited: Verdict = { effect: 'deny', reasonCode: 'too_many_calls' }
      return this.#refuse(call, limited, joined([what], policy, facts.requestId), undefined, full.waitMs)
    }
    const open = new OpenCall({
      facts,
      policy,
      redactor,
      isModern,
      consented,
      outcome: { isBlocked: false, reasonCode: verdict.reasonCode, ruleId: verdict.ruleId, riskTier: verdict.riskTier },
      masked: masked ?? nothingMasked,
      nowMs: context.nowMs(),
      wallMs: context.wallMs()
    })
    if (!this.#openRequests.open(id, { kind: 'call', call: open }))
      return { reply: errorReply(id, rpcCodes.unavailable, 'Too many requests are waiting for answers.') }
    context.openCalls.add(open)
    return { forward: bytes === undefined || bytes === call.index.bytes ? message : bytes }
  }
}
