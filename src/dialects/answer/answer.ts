/**
 * Finds the texts of an answer that a client shows or acts on. Of a repeated name, the last member counts, as for the
 * JSON parsers of the clients' languages: an upstream must not show the client another text than the one read here.
 */
import { nodeKind, type JsonIndex } from '../json/json-index.ts'

/** One string of an answer, or of one event of it. */
export interface AnswerText {
  readonly node: number
  /** Texts of one channel continue one another, event after event. A text without a channel is complete. */
  readonly channel?: string
  /** `json`: the text is itself JSON, as the arguments of a tool are. */
  readonly form: 'plain' | 'json'
  /** Clients join the text with those before it that are joined as well, whatever stands between them. */
  readonly isJoined?: true
  /** The channel whose text this repeats, complete. */
  readonly repeats?: string
  /** The client's own tool, if the text is an argument of its call. */
  readonly tool?: string
  /**
   * For arguments that arrive as an object: the name of the member that holds the text, and the node of the object
   * around it. For an item of an array, they are empty and the array, and `list` is the name of the member that holds
   * the array.
   */
  readonly member?: { readonly name: string; readonly object: number; readonly list?: string }
}

export interface AnswerEvent {
  readonly texts: readonly AnswerText[]
  /** Prefixes of channel names on which nothing more comes, at least for now: none of their texts has to wait. */
  readonly ended: readonly string[]
}

/** Reads one answer, event by event or whole. It remembers which tool a channel belongs to. */
export interface AnswerReader {
  /** @param index the JSON of one event's data, or of a whole answer */
  read(index: JsonIndex): AnswerEvent
  /**
   * Whether an event is read the same way whatever the value of this string or number. True for texts, and for members
   * that nobody reads.
   */
  ignores(index: JsonIndex, node: number): boolean
  /** Changes when the reader has learned something that affects how it reads later events. */
  readonly revision: number
}

/** Names of tools by the channel or the position of their call, which states the name only once. */
export class ToolNames {
  readonly #names = new Map<string, string>()
  #revision = 0

  /** Increases with each new name. */
  get revision(): number {
    return this.#revision
  }

  get(call: string): string | undefined {
    return this.#names.get(call)
  }

  set(call: string, name: string): void {
    if (this.#names.get(call) === name) return
    this.#names.set(call, name)
    this.#revision++
  }
}

/**
 * @param deciding names of the members whose values decide how an event is read; of other members only the type matters
 */
export const ignoresAllBut =
  (deciding: ReadonlySet<string>): AnswerReader['ignores'] =>
  (index, node) => {
    const key = index.keyOf(node)
    return key >= 0 && !deciding.has(index.text(key))
  }

/** @param tools what the reader remembers */
export const answerReader = (
  read: AnswerReader['read'],
  ignores: AnswerReader['ignores'],
  tools: ToolNames
): AnswerReader => ({
  read,
  ignores,
  get revision() {
    return tools.revision
  }
})

export const nothingToRead: AnswerEvent = { texts: [], ended: [] }

/** The text of a string member, or undefined. */
export function stringOf(index: JsonIndex, object: number, name: string): string | undefined {
  const node = stringNode(index, object, name)
  return node < 0 ? undefined : index.text(node)
}

/** A member that is a string, or -1. */
export function stringNode(index: JsonIndex, object: number, name: string): number {
  const node = object < 0 ? -1 : index.findLast(object, name)
  return node >= 0 && index.kind(node) === nodeKind.string ? node : -1
}

/** A member that is an object or an array, or -1. */
export function containerNode(index: JsonIndex, object: number, name: string): number {
  const node = object < 0 ? -1 : index.findLast(object, name)
  return node >= 0 && (index.kind(node) === nodeKind.object || index.kind(node) === nodeKind.array) ? node : -1
}

/** A number member, which identifies a position; `0` if there is none. To a client, `1.0` is `1`. */
export function placeOf(index: JsonIndex, object: number, name: string): string {
  const node = index.findLast(object, name)
  if (node < 0 || index.kind(node) !== nodeKind.number) return '0'
  const written = index.raw(node)
  return written.length === 1 ? written : String(Number(written))
}

/** The items of an array; none if the node is not an array. */
export function* itemsOf(index: JsonIndex, array: number): Generator<number, void, void> {
  if (array < 0 || index.kind(array) !== nodeKind.array) return
  const end = index.nexts[array]!
  for (let item = array + 1; item < end; item = index.nexts[item]!) yield item
}

/** Every string value in a subtree, without keys. */
function* stringsIn(index: JsonIndex, node: number): Generator<number, void, void> {
  if (node < 0) return
  for (let at = node; at < index.nexts[node]!; at++) if (index.kind(at) === nodeKind.string) yield at
}

/** The name of the member that holds an array, or an array of arrays. */
function nameOfList(index: JsonIndex, array: number): string {
  let at = array
  while (index.keyOf(at) < 0 && at > index.root && index.kind(index.parents[at]!) === nodeKind.array)
    at = index.parents[at]!
  const key = index.keyOf(at)
  return key < 0 ? '' : index.text(key)
}

/** The strings in tool arguments that arrive as an object. */
export function* argumentTexts(index: JsonIndex, node: number, tool: string): Generator<AnswerText, void, void> {
  for (const string of stringsIn(index, node)) {
    const object = index.parents[string]!
    const key = index.keyOf(string)
    const member = key < 0 ? { name: '', object, list: nameOfList(index, object) } : { name: index.text(key), object }
    yield { node: string, form: 'plain', tool, member }
  }
}
