/**
 * A server of a revision without sessions asks back in its answer, and the client sends the call again. A consent given
 * for the call then stays valid: the server's own state travels inside ours.
 */
import { addMember, applyEdits, removeEntries, replaceValue, type ByteEdit } from './byte-edits.ts'
import type { CarriedState } from './consent.ts'
import type { GateContext } from './gate-context.ts'
import { valueAt } from './json-value.ts'
import { membersOf, textOf } from './members.ts'
import type { OpenCall } from './open-call.ts'
import { bufferOf, indexMessage } from './open-message.ts'

/** The key of our question among those of an answer. */
export const consentKey = 'dev.sluice/consent'

const stateBytesMax = 131_072

/** Wraps the state of a server that asks back in ours. */
export function* wrapState(
  message: Uint8Array,
  { consented, facts }: OpenCall,
  context: GateContext
): Generator<void, Uint8Array, void> {
  const index = yield* indexMessage(bufferOf(message))
  if (index === undefined || consented === undefined) return message
  const result = index.find(index.root, 'result')
  const members = result < 0 ? undefined : membersOf(index, result, ['resultType', 'requestState'])
  if (members === undefined || textOf(index, members[0]) !== 'input_required') return message
  const own = members[1] as number
  const inner = textOf(index, own, stateBytesMax)
  const state = JSON.stringify(context.consent.sign(consented, { step: 'approved', requestId: facts.requestId, inner }))
  const edit = own < 0 ? addMember(index, result, `"requestState":${state}`) : replaceValue(index, own, state)
  return applyEdits(message, [edit])
}

/** Removes our state and the answer to our question from a call, and restores the server's state. */
export function* unwrapCall(
  message: Uint8Array,
  { step, inner, answers }: CarriedState
): Generator<void, Uint8Array | undefined, void> {
  const index = yield* indexMessage(bufferOf(message))
  if (index === undefined) return undefined
  const params = index.find(index.root, 'params')
  const state = index.find(params, 'requestState')
  const responses = index.find(params, 'inputResponses')
  const removed = new Set<number>()
  const edits: ByteEdit[] = []
  if (inner === undefined) removed.add(state)
  else edits.push(replaceValue(index, state, JSON.stringify(inner)))
  if (step === 'ask' && responses >= 0) {
    const given = Object.keys(valueAt(index, responses) as object)
    if (answers !== undefined) edits.push(replaceValue(index, responses, answers))
    else if (given.every((key) => key === consentKey)) removed.add(responses)
    else edits.push(...removeEntries(index, responses, (node) => node === index.find(responses, consentKey)))
  }
  return applyEdits(message, [...edits, ...removeEntries(index, params, (node) => removed.has(node))])
}
