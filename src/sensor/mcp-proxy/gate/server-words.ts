/**
 * What a server sends besides the answers to calls: resources, prompts, log lines, progress, questions. An agent passes
 * it to its model like the result of a tool, so it is masked like one.
 */
import type { BodyText } from '../../../dialects/dialect.ts'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import type { Step } from '../gate-contract.ts'
import type { AnswerForm } from './open-requests.ts'
import type { GateContext } from './gate-context.ts'
import type { GatePolicy } from './gate-policy.ts'
import { answerRedactor, maskTexts, type MaskTally } from './mask.ts'
import { membersOf } from './members.ts'
import { bufferOf, indexMessage, type MessageId, type ServerMessage } from './open-message.ts'
import { definitionTexts, handshakeTexts, messageTexts } from './question-texts.ts'
import { errorReply, rpcCodes } from './replies.ts'
import type { ServerState } from './server-state.ts'
import { answerTexts, choiceTexts } from './tool-texts.ts'

export const unreadable = "The server's answer could not be read, so it was not passed on."
const sealedSecret = "The server's answer contains a secret that cannot be masked, so it was not passed on."

/** The nodes of an answer's `result` and `error`; -1 for the one that is missing. */
export function outcomeOf(
  index: JsonIndex | undefined
): { readonly result: number; readonly error: number } | undefined {
  const members = index && membersOf(index, index.root, ['result', 'error'])
  if (members === undefined) return undefined
  const [result, error] = members as [number, number]
  return result >= 0 && error >= 0 ? undefined : { result, error }
}

/** Reports what was masked in a server's message that does not answer a call. */
export function reportMasked(
  { entitiesMasked, entityCounts, riskTier }: MaskTally,
  reasonCode: string,
  policy: GatePolicy,
  context: GateContext,
  server?: ServerState
): void {
  if (entitiesMasked === 0) return
  context.report({
    kind: 'tool_answer_masked',
    action: 'mask',
    reasonCode,
    ...(server !== undefined && { mcpServer: policy.tools.serverId(server.identity) }),
    policyRevision: policy.revision,
    entitiesMasked,
    entityCounts: { ...entityCounts },
    riskTier
  })
}

/** The answer to a request that is neither a call nor a list of tools. */
export function* judgeOtherAnswer(
  message: Uint8Array,
  id: MessageId,
  form: AnswerForm,
  server: ServerState,
  context: GateContext
): Generator<void, Step, void> {
  const kept = (why: string, code: number = rpcCodes.internal): Step => ({ forward: errorReply(id, code, why) })
  const policy = context.policy()
  if (policy?.document.scan.results === false) return { forward: message }
  const index = yield* indexMessage(bufferOf(message))
  const outcome = outcomeOf(index)
  if (index === undefined || outcome === undefined) return kept(unreadable)
  const { result, error } = outcome
  const texts = error >= 0 ? yield* answerTexts(index, error) : yield* textsOf(index, result, form)
  // Without a handshake there would be no session in which a policy could arrive.
  if (texts.length === 0 || (policy === undefined && form === 'handshake' && error < 0)) return { forward: message }
  if (policy === undefined)
    return kept(`There is no policy to judge the answer by: ${context.problem()}.`, rpcCodes.unavailable)
  const masked = yield* maskTexts(index, texts, answerRedactor(policy))
  if (masked.isBlocked) return kept(sealedSecret)
  reportMasked(masked, 'server_answer', policy, context, server)
  return { forward: masked.bytes === index.bytes ? message : masked.bytes }
}

function* textsOf(index: JsonIndex, result: number, form: AnswerForm): Generator<void, readonly BodyText[], void> {
  switch (form) {
    case 'handshake':
      return handshakeTexts(index, result)
    case 'definitions':
      return definitionTexts(index, result)
    case 'choices':
      return yield* choiceTexts(index, result)
    case 'texts':
      return yield* answerTexts(index, result)
  }
}

/** A server's notification or request. If it cannot be judged it is dropped; a request gets an error. */
export function* judgeServerMessage(
  message: Uint8Array,
  { id, method = '' }: ServerMessage,
  server: ServerState,
  context: GateContext
): Generator<void, Step, void> {
  const kept = (fault: string, why: string, code: number): Step => {
    context.log.warn({ fault }, 'a message of the server was dropped')
    return id === undefined ? {} : { reply: errorReply(id, code, why) }
  }
  const policy = context.policy()
  if (policy?.document.scan.results === false) return { forward: message }
  const index = yield* indexMessage(bufferOf(message))
  const members = index && membersOf(index, index.root, ['params'])
  if (index === undefined || members === undefined)
    return kept('unreadable', 'The request could not be read.', rpcCodes.invalidRequest)
  const [params] = members as [number]
  if (params < 0) return { forward: message }
  const texts = yield* messageTexts(index, params, method)
  if (!texts.some(({ node }) => index.kind(node) === nodeKind.string)) return { forward: message }
  if (policy === undefined)
    return kept('no_policy', `There is no policy to judge it by: ${context.problem()}.`, rpcCodes.unavailable)
  const masked = yield* maskTexts(index, texts, answerRedactor(policy))
  if (masked.isBlocked) return kept('sealed_secret', 'It holds a secret that cannot be masked.', rpcCodes.invalidParams)
  reportMasked(masked, id === undefined ? 'server_notice' : 'server_request', policy, context, server)
  return { forward: masked.bytes === index.bytes ? message : masked.bytes }
}
