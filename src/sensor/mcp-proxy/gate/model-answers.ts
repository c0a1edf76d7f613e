/**
 * What a client answers to a server that asked its model (`sampling/createMessage`) or a person: in a response, and from 2026-07-28
 * on in the `inputResponses` of a request. The server words the question, so it could ask for anything that the model
 * or its client knows; the answer is masked like the arguments of a tool. What a person filled into a form passes,
 * except for high-risk values, for which a server must not ask in a form.
 */
import type { BodyText } from '../../../dialects/dialect.ts'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import type { Step } from '../gate-contract.ts'
import { metaKeys } from '../messages/protocol-names.ts'
import { reportWords } from './client-words.ts'
import type { GateContext } from './gate-context.ts'
import { answerRedactor, maskTexts } from './mask.ts'
import { membersOf } from './members.ts'
import type { ClientMessage, MessageId } from './open-message.ts'
import { isPartId } from './question-texts.ts'
import { errorReply, rpcCodes } from './replies.ts'
import type { ServerState } from './server-state.ts'
import { allTexts, serverTexts, untouched, type OwnReading } from './text-walk.ts'

/** A person's words: only what is of high risk is changed. */
const formPlace = { scope: 'watched', origin: 'user', isNewest: false } as const
const sealedSecret = 'The answer holds a secret that cannot be masked, so it was not sent.'
const ambiguous = 'The answers in the request can be read in two ways.'
const twofold = 'The answer has a result and an error, so it can be read in two ways.'

/**
 * Judges a client's response to a server.
 * @returns the response to forward; an error to forward in its place if it may not pass
 */
export function* judgeResponse(
  message: Uint8Array,
  { index, id }: ClientMessage,
  server: ServerState,
  context: GateContext
): Generator<void, Step, void> {
  const [result, error] = (membersOf(index, index.root, ['result', 'error']) ?? []) as [number, number]
  if (result >= 0 && error >= 0) return { forward: errorReply(id, rpcCodes.invalidRequest, twofold) }
  const texts = error >= 0 ? yield* assistantTexts(index, error) : yield* resultTexts(index, result)
  const judged = yield* masked(message, index, texts, server, context)
  return { forward: judged instanceof Uint8Array ? judged : errorReply(id, judged.code, judged.why) }
}

/**
 * Judges the answers in a request.
 * @returns the request to forward, or the response to send instead
 */
export function* judgeInputResponses(
  message: Uint8Array,
  { index, params }: ClientMessage,
  id: MessageId,
  server: ServerState,
  context: GateContext
): Generator<void, Step, void> {
  const found = params < 0 ? [-1] : membersOf(index, params, ['inputResponses'])
  const responses = found?.[0]
  if (responses === undefined) return { reply: errorReply(id, rpcCodes.invalidRequest, ambiguous) }
  if (responses < 0 || index.kind(responses) !== nodeKind.object) return { forward: message }
  const texts: BodyText[] = []
  const end = index.nexts[responses] as number
  for (let key = responses + 1; key < end; key = index.nexts[key + 1] as number)
    for (const text of yield* resultTexts(index, key + 1)) texts.push(text)
  const judged = yield* masked(message, index, texts, server, context)
  return judged instanceof Uint8Array ? { forward: judged } : { reply: errorReply(id, judged.code, judged.why) }
}

/** Whether a request carries answers. */
export const hasInputResponses = ({ index, params }: ClientMessage): boolean =>
  params >= 0 && index.find(params, 'inputResponses') >= 0

/** The texts of an answer: those of a form if a person gave it (`action`), and none of a list of folders (`roots`). */
function* resultTexts(index: JsonIndex, result: number): Generator<void, BodyText[], void> {
  if (result < 0) return []
  const [action, roots] = membersOf(index, result, ['action', 'roots']) ?? []
  if (action === undefined || action < 0) {
    const texts = yield* assistantTexts(index, result)
    if (roots === undefined || roots < 0) return texts
    const end = index.nexts[roots] as number
    return texts.filter(({ node }) => node < roots - 1 || node >= end)
  }
  const texts = yield* allTexts(index, result, formPlace, 'form')
  // Without a form, nothing was answered that needs a policy.
  return texts.filter(({ node }) => node < action - 1 || node > action)
}

function* assistantTexts(index: JsonIndex, root: number): Generator<void, BodyText[], void> {
  const texts = yield* serverTexts(index, root, 'model answer', idReading(index))
  return texts.map((text) => ({ ...text, origin: 'assistant' }))
}

/** The ids by which a server finds what is meant. */
function idReading(index: JsonIndex): OwnReading {
  return (key, name) => {
    const parent = index.parents[key] as number
    if (index.kind(key + 1) !== nodeKind.string) return undefined
    if (name !== 'taskId') return isPartId(index, parent, name) ? untouched : undefined
    const owner = index.keyOf(parent)
    return owner >= 0 && (index.is(owner, 'task') || index.is(owner, metaKeys.relatedTask)) ? untouched : undefined
  }
}

/** @returns the message to forward, or why it may not pass */
function* masked(
  message: Uint8Array,
  index: JsonIndex,
  texts: readonly BodyText[],
  server: ServerState,
  context: GateContext
): Generator<void, Uint8Array | { readonly code: number; readonly why: string }, void> {
  const policy = context.policy()
  if (policy?.document.scan.arguments === false) return message
  if (!texts.some(({ node }) => index.kind(node) === nodeKind.string)) return message
  if (policy === undefined)
    return { code: rpcCodes.unavailable, why: `There is no policy to judge the answer by: ${context.problem()}.` }
  const answer = yield* maskTexts(index, texts, answerRedactor(policy))
  const isForm = texts.every(({ origin }) => origin === formPlace.origin)
  reportWords(answer, isForm ? 'form_answer' : 'model_answer', policy, server, context)
  if (answer.isBlocked) return { code: rpcCodes.invalidParams, why: sealedSecret }
  return answer.bytes === index.bytes ? message : answer.bytes
}
