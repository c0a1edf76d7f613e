/** The texts in messages about tools and resources, and what may be done about each. */
import type { BodyText } from '../../../dialects/dialect.ts'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import { metaKeys } from '../messages/protocol-names.ts'
import { inputRequestTexts } from './question-texts.ts'
import { allTexts, answerPlace, besidePlace, serverTexts, untouched } from './text-walk.ts'

/** The arguments of a call are the model's words. They are new, but no person wrote them, and an agent retries. */
const argumentPlace = { scope: 'masked', origin: 'assistant', isNewest: false } as const

/** The texts of the arguments of a call. */
export function argumentTexts(index: JsonIndex, args: number): Generator<void, BodyText[], void> {
  return allTexts(index, args, argumentPlace, 'arguments')
}

/** Every text of an error body that is not in MCP's form. */
export function errorTexts(index: JsonIndex): Generator<void, BodyText[], void> {
  return allTexts(index, index.root, answerPlace, 'error')
}

/** Values to choose from (`completion/complete`), which are returned as arguments: only high-risk ones are changed. */
export function choiceTexts(index: JsonIndex, root: number): Generator<void, BodyText[], void> {
  return allTexts(index, root, besidePlace, 'completion')
}

/**
 * Whether a member of an answer is the server's name, the cursor of a list, the id of a task, what the server wants back
 * with the next request, or the URL of a login that an error asks for. These pass untouched; elsewhere, members with
 * such names belong to the tool.
 */
function passesUntouched(index: JsonIndex, root: number, key: number, name: string): boolean {
  const parent = index.parents[key] as number
  if (name === 'nextCursor' || name === 'requestState') return parent === root
  if (name === 'taskId') return namesTask(index, root, parent)
  if (name === 'url' || name === 'elicitationId') {
    const list = index.parents[parent] as number
    return (
      list > root && index.is(index.keyOf(list), 'elicitations') && isDataOf(index, root, index.parents[list] as number)
    )
  }
  if (name !== metaKeys.serverInfo) return false
  return index.parents[parent] === root && index.is(index.keyOf(parent), '_meta')
}

/** Whether an object is, at its place in an answer, a task or a reference to one. */
function namesTask(index: JsonIndex, root: number, object: number): boolean {
  if (object === root) return true
  const owner = index.parents[object] as number
  if (index.is(index.keyOf(object), 'task')) return owner === root
  if (index.is(index.keyOf(owner), 'tasks')) return index.parents[owner] === root
  if (!index.is(index.keyOf(object), metaKeys.relatedTask) || !index.is(index.keyOf(owner), '_meta')) return false
  const holder = index.parents[owner] as number
  // What is told of a task holds its result, which has such a reference as well.
  return holder === root || (index.parents[holder] === root && index.is(index.keyOf(holder), 'result'))
}

function isDataOf(index: JsonIndex, error: number, node: number): boolean {
  return index.parents[node] === error && index.is(index.keyOf(node), 'data') && index.is(index.keyOf(error), 'error')
}

/** The texts of the outcome of a request: the `result` or the `error` of its answer. */
export function answerTexts(index: JsonIndex, root: number): Generator<void, BodyText[], void> {
  return serverTexts(index, root, 'tool result', (key, name) => {
    const value = key + 1
    if (name === 'inputRequests' && index.parents[key] === root) return inputRequestTexts(index, value)
    if (name === 'structuredContent') return allTexts(index, value, answerPlace, 'structuredContent')
    if ((name === 'taskId' || name === 'requestState') && index.kind(value) !== nodeKind.string) return undefined
    return passesUntouched(index, root, key, name) ? untouched : undefined
  })
}
