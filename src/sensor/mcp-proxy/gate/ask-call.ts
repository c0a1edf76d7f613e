/** Calls for which the policy requires a person's consent. */
import type { Redactor } from '../../../ingress/body/redact-texts.ts'
import type { Step } from '../gate-contract.ts'
import { inputRequired, type Questions } from './asking.ts'
import type { OpenRequests } from './open-requests.ts'
import { answerTo, ownState, type Judged } from './call-parts.ts'
import { callDigest, type CallDigest } from './consent.ts'
import type { GateContext } from './gate-context.ts'
import type { Verdict } from './judge-call.ts'
import type { MaskedMessage } from './mask.ts'
import { blockedEvent } from './open-call.ts'
import { errorReply, rpcCodes } from './replies.ts'
import { consentSentence, question, toolPhrase } from './sentences.ts'
import { unwrapCall } from './server-question.ts'
import type { ServerState } from './server-state.ts'

/** How a call ends for which consent was asked. */
interface CallEnds {
  pass(
    call: Judged,
    verdict: Verdict,
    masked: MaskedMessage | undefined,
    redactor: Redactor,
    bytes: Uint8Array | undefined,
    consented?: CallDigest
  ): Step
  refuse(call: Judged, verdict: Verdict, sentence: string, masked?: MaskedMessage): Step
  /** Judges a call again that waited for a person, who has consented. */
  resume(call: Judged): Promise<Step>
}

export class AskingGate {
  readonly #server: ServerState
  readonly #openRequests: OpenRequests
  readonly #questions: Questions
  readonly #context: GateContext
  readonly #ways: CallEnds

  constructor(
    server: ServerState,
    openRequests: OpenRequests,
    questions: Questions,
    context: GateContext,
    ways: CallEnds
  ) {
    this.#server = server
    this.#openRequests = openRequests
    this.#questions = questions
    this.#context = context
    this.#ways = ways
  }

  *ask(
    call: Judged,
    verdict: Verdict,
    masked: MaskedMessage | undefined,
    redactor: Redactor
  ): Generator<void, Step, void> {
    return call.isModern
      ? yield* this.#askInAnswer(call, verdict, masked, redactor)
      : this.#askByRequest(call, verdict, masked)
  }

  /**
   * A call that no longer needs consent, because the policy has changed in the meantime.
   * @returns the call without our additions; undefined if it has none
   */
  *withoutOurs(
    { parts, message }: Judged,
    masked: Uint8Array | undefined
  ): Generator<void, Uint8Array | undefined, void> {
    const ours = parts.state === undefined ? undefined : this.#context.consent.read(parts.state)
    return ours && (yield* unwrapCall(masked ?? message, ours))
  }

  /** Revisions without sessions: the question is the answer, and the client sends the call again. */
  *#askInAnswer(
    first: Judged,
    verdict: Verdict,
    masked: MaskedMessage | undefined,
    redactor: Redactor
  ): Generator<void, Step, void> {
    const { parts, index, meta, id } = first
    const { consent } = this.#context
    const bound = this.#bound(first)
    const ours = parts.state === undefined ? undefined : consent.read(parts.state)
    const carried = ours !== undefined && consent.redeem(ours, bound) ? ours : undefined
    const requestId = carried?.requestId ?? first.facts.requestId
    const call: Judged = { ...first, facts: { ...first.facts, requestId } }
    const answer = carried?.step === 'ask' ? answerTo(index, parts.responses) : undefined
    if (carried !== undefined && (carried.step === 'approved' || answer === 'accept')) {
      const bytes = yield* unwrapCall(masked?.bytes ?? call.message, carried)
      if (bytes !== undefined)
        return this.#ways.pass(call, { ...verdict, reasonCode: 'ask_approved' }, masked, redactor, bytes, bound)
    }
    if (answer === 'decline' || answer === 'cancel') return this.#unconsented(call, verdict, 'declined', masked)
    if (!meta.canElicit) return this.#unconsented(call, verdict, 'unsupported', masked)
    this.#tellPending(call, verdict, masked)
    // If our state is no longer valid, the server's state inside it still belongs to the server.
    const given = ownState(call)
    const own = ours === undefined ? given : ours.step === 'ask' ? ours : { inner: ours.inner, answers: given.answers }
    const state = consent.sign(bound, { step: 'ask', requestId, inner: own.inner, answers: own.answers })
    return { reply: inputRequired(id, this.#question(call, verdict, masked), state) }
  }

  /** Revisions with sessions: the question is a request to the client, and the call waits. */
  #askByRequest(call: Judged, verdict: Verdict, masked: MaskedMessage | undefined): Step {
    const { id } = call
    const asked = call.canElicit ? this.#questions.ask(id.key, this.#question(call, verdict, masked)) : undefined
    if (asked === undefined) return this.#unconsented(call, verdict, 'unsupported', masked)
    if (!this.#openRequests.open(id, { kind: 'held' })) {
      this.#questions.withdraw(id.key)
      return { reply: errorReply(id, rpcCodes.unavailable, 'Too many requests are waiting for answers.') }
    }
    this.#tellPending(call, verdict, masked)
    const then = asked.said.then((said): Step | Promise<Step> => {
      if (said === 'withdrawn') {
        this.#openRequests.drop(id)
        return {}
      }
      if (said === 'accepted') return this.#ways.resume(call)
      this.#openRequests.drop(id)
      return this.#unconsented(call, verdict, said, masked)
    })
    // oxlint-disable-next-line unicorn/no-thenable -- it holds a promise and no method, so nothing takes it for one
    return { ask: { question: asked.question, then } }
  }

  #bound({ parts, index, facts, http }: Judged): CallDigest {
    const args =
      parts.args < 0 ? new Uint8Array() : index.bytes.subarray(index.starts[parts.args], index.ends[parts.args])
    return callDigest({ serverKey: this.#server.key, tool: facts.tool, args, principal: http?.authorization })
  }

  #question({ facts, index, parts }: Judged, { reason }: Verdict, masked: MaskedMessage | undefined): string {
    const { tool, serverId } = facts
    const from = parts.args < 0 ? 0 : (index.starts[parts.args] as number)
    const to = parts.args < 0 ? 0 : (index.ends[parts.args] as number)
    // Masks are within the arguments only, so whatever follows keeps its distance from the end.
    const bytes = masked?.bytes ?? index.bytes
    const args = Buffer.from(bytes.subarray(from, bytes.length - (index.bytes.length - to))).toString('utf8')
    return question({ tool, serverId, reason, args })
  }

  #tellPending({ facts, policy }: Judged, verdict: Verdict, masked: MaskedMessage | undefined): void {
    const pending = { ...verdict, reasonCode: 'ask_pending' }
    this.#context.report(blockedEvent(facts, policy.revision, pending, this.#context.nowMs(), masked), facts.trace)
  }

  #unconsented(
    call: Judged,
    verdict: Verdict,
    why: 'declined' | 'unsupported',
    masked: MaskedMessage | undefined
  ): Step {
    const { policy, facts } = call
    const sentence = consentSentence(policy, toolPhrase(facts.tool, facts.serverId), why, facts.requestId)
    return this.#ways.refuse(call, { ...verdict, reasonCode: `ask_${why}` }, sentence, masked)
  }
}
