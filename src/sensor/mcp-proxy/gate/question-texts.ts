/** The texts in what a server asks of a client: of the person using it, or of its model. */
import type { BodyText } from '../../../dialects/dialect.ts'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import { metaKeys } from '../messages/protocol-names.ts'
import { membersOf, textOf } from './members.ts'
import {
  answerPlace,
  descriptionTexts,
  listed,
  serverTexts,
  untouched,
  type OwnReading,
  type Place
} from './text-walk.ts'

const definitionPlace: Place = { scope: 'watched', origin: 'tool_definition', isNewest: false }

/** Ids by which an answer refers to what it answers, if they are direct members of a message's parameters. */
const idNames = new Set(['progressToken', 'requestId', 'elicitationId', 'taskId'])

/**
 * What tools say about themselves to people and models: titles and descriptions, but not names, defaults or listed
 * values.
 */
export function definitionTexts(index: JsonIndex, root: number): BodyText[] {
  return descriptionTexts(index, root, definitionPlace, 'tool definition')
}

/** What the answer to a handshake tells a model, besides titles and descriptions. @param result its node */
export function handshakeTexts(index: JsonIndex, result: number): BodyText[] {
  const texts = definitionTexts(index, result)
  const instructions = index.find(result, 'instructions')
  if (instructions >= 0 && index.kind(instructions) === nodeKind.string)
    texts.push(listed(instructions, definitionPlace, 'plain', 'instructions'))
  return texts
}

/**
 * The texts of a server's notification or request.
 * @param params node of its parameters
 */
export function messageTexts(index: JsonIndex, params: number, method: string): Generator<void, BodyText[], void> {
  return serverTexts(index, params, method, messageReading(index, params, method))
}

/**
 * The fields of a form keep their names, defaults and listed values, which are returned in the answer; only their
 * descriptions are masked. The URL that a person is to open is unchanged: no model sees it, and a masked login leads
 * nowhere.
 */
function messageReading(index: JsonIndex, params: number, method: string): OwnReading {
  const isElicitation = method === 'elicitation/create'
  const isSampling = method === 'sampling/createMessage'
  return (key, name) => {
    const parent = index.parents[key] as number
    const isString = index.kind(key + 1) === nodeKind.string
    if (parent === params) {
      if (isString && idNames.has(name)) return untouched
      if (isElicitation && name === 'requestedSchema') return descriptionTexts(index, key + 1, answerPlace, 'form')
      if (isElicitation && name === 'url' && isString) return untouched
      if (isSampling && name === 'tools') return definitionTexts(index, key + 1)
    }
    if (isString && name === metaKeys.subscription && index.is(index.keyOf(parent), '_meta')) return untouched
    return isSampling && isString && isPartId(index, parent, name) ? untouched : undefined
  }
}

/** The ids of calls in a conversation, by which a model finds their results. */
export function isPartId(index: JsonIndex, part: number, name: string): boolean {
  if (name !== 'id' && name !== 'toolUseId') return false
  return textOf(index, index.find(part, 'type')) === (name === 'id' ? 'tool_use' : 'tool_result')
}

/**
 * The texts of the questions in an answer (`input_required` of 2026-07-28), each a request with its own name. @param
 * requests node
 */
export function* inputRequestTexts(index: JsonIndex, requests: number): Generator<void, BodyText[], void> {
  const texts: BodyText[] = []
  const end = index.nexts[requests] as number
  if (index.kind(requests) !== nodeKind.object)
    return yield* serverTexts(index, requests, 'inputRequests', () => undefined)
  for (let key = requests + 1; key < end; key = index.nexts[key + 1] as number) {
    const request = key + 1
    const members = membersOf(index, request, ['method', 'params'])
    const [method, params] = members ?? []
    const name = textOf(index, method)
    const reading =
      name === undefined || params === undefined || params < 0 ? undefined : messageReading(index, params, name)
    const own: OwnReading = reading ?? (() => undefined)
    for (const text of yield* serverTexts(index, request, 'inputRequests', own)) texts.push(text)
  }
  return texts
}
