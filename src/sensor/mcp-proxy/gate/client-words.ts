/**
 * User input that a client sends to a server other than in tool calls: arguments of prompts, and the text being typed
 * when the client requests completions. It is masked like the arguments of a tool.
 */
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import type { BodyText } from '../../../dialects/dialect.ts'
import type { Step } from '../gate-contract.ts'
import type { GateContext } from './gate-context.ts'
import type { GatePolicy } from './gate-policy.ts'
import { createCallRedactor, maskTexts, type MaskedMessage } from './mask.ts'
import { keysBelow, membersOf } from './members.ts'
import type { ClientMessage, MessageId } from './open-message.ts'
import { errorReply, faultReply, rpcCodes } from './replies.ts'
import type { ServerState } from './server-state.ts'
import { argumentTexts } from './tool-texts.ts'

interface WordyMethod {
  /** Members of the parameters, and of their members, that contain user input. */
  readonly paths: readonly (readonly string[])[]
  readonly reasonCode: string
  /** The subject of the refusal's message. */
  readonly what: string
}

const wordyMethods: ReadonlyMap<string, WordyMethod> = new Map([
  ['prompts/get', { paths: [['arguments']], reasonCode: 'prompt_arguments', what: 'The prompt' }],
  [
    'completion/complete',
    {
      paths: [
        ['argument', 'value'],
        ['context', 'arguments']
      ],
      reasonCode: 'completion_arguments',
      what: 'The completion'
    }
  ]
])

/** Whether a request of this method contains text that {@link judgeClientWords} must check. */
export const hasClientWords = (method: string): boolean => wordyMethods.has(method)

/** @returns the message to forward, or the response to send instead */
export function* judgeClientWords(
  message: Uint8Array,
  { method = '', index, params }: ClientMessage,
  id: MessageId,
  server: ServerState,
  context: GateContext
): Generator<void, Step, void> {
  const wordy = wordyMethods.get(method)
  const policy = context.policy()
  if (wordy === undefined || policy?.document.scan.arguments === false) return { forward: message }
  const texts = yield* textsOf(index, params, wordy)
  if (texts === undefined) return { reply: faultReply(id, 'ambiguous') }
  if (!texts.some(({ node }) => index.kind(node) === nodeKind.string)) return { forward: message }
  if (policy === undefined)
    return { reply: errorReply(id, rpcCodes.unavailable, `There is no policy to judge it by: ${context.problem()}.`) }
  const masked = yield* maskTexts(index, texts, createCallRedactor(policy))
  reportWords(masked, wordy.reasonCode, policy, server, context)
  if (masked.isBlocked) {
    const kinds = masked.blockedKinds.join(', ')
    const why = `${wordy.what} was not requested: its arguments contain ${kinds}. Remove it and try again.`
    return { reply: errorReply(id, rpcCodes.invalidParams, why) }
  }
  return { forward: masked.bytes === index.bytes ? message : masked.bytes }
}

/** @returns undefined if two parsers could find different arguments */
function* textsOf(
  index: JsonIndex,
  params: number,
  { paths }: WordyMethod
): Generator<void, BodyText[] | undefined, void> {
  const texts: BodyText[] = []
  for (const path of paths) {
    let node = params
    for (const name of path) {
      const found = membersOf(index, node, [name])
      if (found === undefined) return undefined
      node = found[0] as number
    }
    if (node < 0) continue
    if ((yield* keysBelow(index, node)).isDoubled) return undefined
    for (const text of yield* argumentTexts(index, node)) texts.push(text)
  }
  return texts
}

/** Reports what was found in a client's message that is no call, if anything was. */
export function reportWords(
  { isBlocked, entitiesMasked, entityCounts, riskTier }: MaskedMessage,
  reasonCode: string,
  policy: GatePolicy,
  server: ServerState,
  context: GateContext
): void {
  if (!isBlocked && entitiesMasked === 0) return
  context.report({
    kind: 'client_words_enforcement',
    action: isBlocked ? 'block' : 'mask',
    reasonCode,
    mcpServer: policy.tools.serverId(server.identity),
    policyRevision: policy.revision,
    entitiesMasked,
    entityCounts: { ...entityCounts },
    riskTier
  })
}
