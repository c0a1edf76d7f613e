/** A server's answers on their way to the client. */
import type { JsonIndex } from '../../../dialects/json/json-index.ts'
import type { Step } from '../gate-contract.ts'
import { maskErrorWords } from './error-words.ts'
import type { GateContext } from './gate-context.ts'
import type { GatePolicy } from './gate-policy.ts'
import { answerRedactor, maskTexts, nothingMasked, type MaskTally } from './mask.ts'
import { sum, type OpenCall } from './open-call.ts'
import { membersOf } from './members.ts'
import { bufferOf, indexMessage, type MessageId } from './open-message.ts'
import { errorReply, refusalReply, rpcCodes } from './replies.ts'
import { joined, toolPhrase } from './sentences.ts'
import type { ServerState } from './server-state.ts'
import { judgeOtherAnswer, outcomeOf, reportMasked, unreadable } from './server-words.ts'
import { filterList, type ListRequest } from './tool-list.ts'
import { answerTexts } from './tool-texts.ts'
import { wrapState } from './server-question.ts'

/** The answer to `tools/list`. */
export function* answerList(
  message: Uint8Array,
  id: MessageId,
  request: ListRequest,
  server: ServerState,
  context: GateContext
): Generator<void, Step, void> {
  const policy = context.policy()
  if (policy === undefined)
    return {
      forward: errorReply(id, rpcCodes.unavailable, `There is no policy to judge the tools by: ${context.problem()}.`)
    }
  const index = yield* indexMessage(bufferOf(message))
  const outcome = outcomeOf(index)
  if (index === undefined || outcome === undefined) return { forward: errorReply(id, rpcCodes.internal, unreadable) }
  if (outcome.error >= 0) {
    const words = yield* maskErrorWords({ bytes: message, isJson: true }, undefined, context)
    return { forward: words ?? errorReply(id, rpcCodes.internal, unreadable) }
  }
  // A server may ask back instead (`input_required`), or answer with anything else.
  if (membersOf(index, outcome.result, ['tools'])?.[0] === -1)
    return yield* judgeOtherAnswer(message, id, 'texts', server, context)
  const forward = yield* filterList({ message, index, result: outcome.result }, request, policy, server, context)
  return { forward: forward ?? errorReply(id, rpcCodes.internal, unreadable) }
}

/** The answer to a call. */
export function* answerCall(
  message: Uint8Array,
  id: MessageId,
  call: OpenCall,
  context: GateContext
): Generator<void, Step, void> {
  const { policy } = call
  context.openCalls.delete(call)
  const redactor = call.takeRedactor()
  const index = yield* indexMessage(bufferOf(message))
  const outcome = outcomeOf(index)
  const tell: Tell = (answer, refused) => {
    const event = redactor && call.tell(context.nowMs(), answer, refused)
    if (event !== undefined) context.report(event, call.facts.trace, index && outcome && failureOf(index, outcome))
  }
  if (index === undefined || outcome === undefined) {
    tell(undefined, 'unreadable_answer')
    return { forward: errorReply(id, rpcCodes.internal, unreadable) }
  }
  const root = Math.max(outcome.result, outcome.error)
  const bytes = (index.ends[root] as number) - (index.starts[root] as number)
  const most = policy.document.limits.resultBytesMax
  if (most !== undefined && bytes > most && policy.document.mode === 'enforce')
    return keptBack(
      call,
      id,
      tell,
      'result_too_large',
      `gave a result of more than ${most} bytes, which the policy of the workspace does not allow`
    )
  const isScanned = policy.document.scan.results
  const masked = isScanned
    ? yield* maskTexts(index, yield* answerTexts(index, root), answerRedactor(policy, redactor))
    : { ...nothingMasked, bytes: index.bytes, isBlocked: false }
  if (masked.isBlocked)
    return keptBack(call, id, tell, 'sensitive_result', 'gave a result with a secret in a file that cannot be masked')
  tell(masked)
  const forward = masked.bytes === index.bytes ? message : masked.bytes
  if (call.consented === undefined || outcome.result < 0) return { forward }
  return { forward: yield* wrapState(forward, call, context) }
}

/** How the server failed at a call, by the conventions of OpenTelemetry: `tool_error`, or the code of its error. */
function failureOf(
  index: JsonIndex,
  { result, error }: { readonly result: number; readonly error: number }
): string | undefined {
  const [root, name] = error >= 0 ? [error, 'code'] : [result, 'isError']
  const node = membersOf(index, root, [name])?.[0] ?? -1
  if (node < 0) return error >= 0 ? 'error' : undefined
  const [start, end] = [index.starts[node] as number, index.ends[node] as number]
  const written = end - start > codeBytesMax ? '' : bufferOf(index.bytes.subarray(start, end)).toString('latin1')
  if (error < 0) return written === 'true' ? 'tool_error' : undefined
  return /^-?[0-9]+$/.test(written) ? written : 'error'
}

const codeBytesMax = 12

type Tell = (answer: MaskTally | undefined, refused?: string) => void

function keptBack(call: OpenCall, id: MessageId, tell: Tell, code: string, what: string): Step {
  const { policy, facts } = call
  tell(undefined, code)
  const sentence = joined([`${toolPhrase(facts.tool, facts.serverId)} ${what}.`], policy, facts.requestId)
  const { revision } = policy
  const refusal = { code, sentence, revision, requestId: facts.requestId, isRetryable: false }
  return { forward: refusalReply(id, refusal, call.isModern) }
}

/** The result of a task, which is the result of the call that started it. */
export function* answerTask(message: Uint8Array, id: MessageId, context: GateContext): Generator<void, Step, void> {
  const policy = context.policy()
  const refused = (why: string, code: number = rpcCodes.internal): Step => ({ forward: errorReply(id, code, why) })
  if (policy === undefined)
    return refused(`There is no policy to judge the result by: ${context.problem()}.`, rpcCodes.unavailable)
  const index = yield* indexMessage(bufferOf(message))
  const outcome = outcomeOf(index)
  if (index === undefined || outcome === undefined) return refused(unreadable)
  const judged = yield* judgeTask(message, index, Math.max(outcome.result, outcome.error), policy, context)
  return typeof judged === 'string' ? refused(judged) : { forward: judged }
}

/** A notification about a task. It holds what `tasks/get` would answer, including the result if there is one. */
export function* noticeOfTask(message: Uint8Array, context: GateContext): Generator<void, Step, void> {
  const policy = context.policy()
  const index = policy && (yield* indexMessage(bufferOf(message)))
  const params = index?.find(index.root, 'params') ?? -1
  if (policy === undefined || index === undefined || params < 0) return {}
  const judged = yield* judgeTask(message, index, params, policy, context)
  return typeof judged === 'string' ? {} : { forward: judged }
}

/** @returns what the client may receive, or why it may receive nothing */
function* judgeTask(
  message: Uint8Array,
  index: JsonIndex,
  root: number,
  policy: GatePolicy,
  context: GateContext
): Generator<void, Uint8Array | string, void> {
  const { limits, mode, scan } = policy.document
  const bytes = (index.ends[root] as number) - (index.starts[root] as number)
  if (mode === 'enforce' && bytes > (limits.resultBytesMax ?? Infinity))
    return `The result has more than ${limits.resultBytesMax} bytes, which the policy of the workspace does not allow.`
  if (!scan.results) return message
  const masked = yield* maskTexts(index, yield* answerTexts(index, root), answerRedactor(policy))
  if (masked.isBlocked) return 'The result contains a secret that cannot be masked.'
  reportMasked(sum(nothingMasked, masked), 'task_result', policy, context)
  return masked.bytes === index.bytes ? message : masked.bytes
}
