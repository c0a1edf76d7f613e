/** Where texts stand in the messages about tools, and what may be done about each. */
import { judgeClaim } from '../../../dialects/claims/claims.ts'
import type { BodyText, TextEncoding } from '../../../dialects/dialect.ts'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import { mediaClassOf } from '../../../dialects/claims/media-types.ts'
import type { TextOrigin, TextScope } from '../../../policy/redaction/text-place.ts'
import { textOf } from './members.ts'

/** The arguments of a call are the model's words. They are new, but no person wrote them, and an agent tries again. */
const argumentPlace = { scope: 'masked', origin: 'assistant', isNewest: false } as const
const answerPlace = { scope: 'masked', origin: 'tool_result', isNewest: false } as const
/** These are changed only where they hold what is high-risk: another address would lead nowhere. */
const besidePlace = { scope: 'watched', origin: 'tool_result', isNewest: false } as const
const definitionPlace = { scope: 'watched', origin: 'tool_definition', isNewest: false } as const

interface Place {
  readonly scope: TextScope
  readonly origin: TextOrigin
  readonly isNewest: boolean
}

/** A text that is a JSON object or array is read as such, so that a mask leaves JSON. */
function* readingOf(index: JsonIndex, node: number): Generator<void, TextEncoding, void> {
  const { holds } = yield* judgeClaim(index, node, 'json')
  return holds === 'json' ? 'json' : 'plain'
}

function listed(node: number, place: Place, encoding: TextEncoding, where: string): BodyText {
  return { node, ...place, encoding, place: () => where }
}

/** Every string and key below a node. */
function* allTexts(index: JsonIndex, root: number, place: Place, where: string): Generator<void, BodyText[], void> {
  const texts: BodyText[] = []
  const end = index.nexts[root] as number
  for (let node = root; node < end; node++) {
    const kind = index.kind(node)
    if (kind === nodeKind.string) texts.push(listed(node, place, yield* readingOf(index, node), where))
    else if (kind === nodeKind.key) texts.push(listed(node, place, 'plain', where))
    if ((node & 0x1fff) === 0x1fff) yield
  }
  return texts
}

/** The texts of the arguments of a call. */
export function argumentTexts(index: JsonIndex, args: number): Generator<void, BodyText[], void> {
  return allTexts(index, args, argumentPlace, 'arguments')
}

/** Every text of words that are no answer in MCP's form. */
export function errorTexts(index: JsonIndex): Generator<void, BodyText[], void> {
  return allTexts(index, index.root, answerPlace, 'error')
}

/** What must come back as it was sent. */
const fixedNames = new Set(['requestState', 'taskId'])
/** Addresses, by which a client asks for what they name, and words of the protocol. */
const keptNames = new Set(['uri', 'url', 'href', 'src', 'type', 'resultType', 'mimeType', 'role', 'lastModified'])

/**
 * Whether a member of an answer is a question to the client, or the name of the server. They pass untouched, like those of other
 * ways to ask and to shake hands; what has such a name elsewhere is the tool's.
 */
function passesUntouched(index: JsonIndex, root: number, key: number, name: string): boolean {
  const parent = index.parents[key] as number
  if (name === 'inputRequests') return parent === root
  if (name !== 'io.modelcontextprotocol/serverInfo') return false
  return index.parents[parent] === root && index.is(index.keyOf(parent), '_meta')
}

/** The texts of what a call came to: the `result` or the `error` of the answer. */
export function* answerTexts(index: JsonIndex, root: number): Generator<void, BodyText[], void> {
  const texts: BodyText[] = []
  const end = index.nexts[root] as number
  for (let node = root; node < end; node++) {
    if ((node & 0x1fff) === 0x1fff) yield
    if (index.kind(node) === nodeKind.key) {
      const name = index.byteLength(node) <= 64 ? index.text(node) : ''
      const value = node + 1
      if (passesUntouched(index, root, node, name)) {
        node = (index.nexts[value] as number) - 1
      } else if (name === 'structuredContent') {
        for (const text of yield* allTexts(index, value, answerPlace, 'structuredContent')) texts.push(text)
        node = (index.nexts[value] as number) - 1
      } else if (index.kind(value) === nodeKind.string && fixedNames.has(name)) node = value
      // A server may use what it found as a name: `_meta` and the data of an error are open to any.
      else texts.push(listed(node, answerPlace, 'plain', 'tool result'))
      continue
    }
    if (index.kind(node) !== nodeKind.string) continue
    const text = yield* answerText(index, node)
    if (text !== undefined) texts.push(text)
  }
  return texts
}

function* answerText(index: JsonIndex, node: number): Generator<void, BodyText | undefined, void> {
  const key = index.keyOf(node)
  const name = key >= 0 && index.byteLength(key) <= 64 ? index.text(key) : ''
  if (name === 'blob' || (name === 'data' && mediaTypeBeside(index, node) !== undefined))
    return yield* payload(index, node)
  if (keptNames.has(name)) return listed(node, besidePlace, 'plain', 'tool result')
  return listed(node, answerPlace, yield* readingOf(index, node), 'tool result')
}

function mediaTypeBeside(index: JsonIndex, node: number): string | undefined {
  return textOf(index, index.find(index.parents[node] as number, 'mimeType'), 1024)
}

/** Base64: media that look like media stay what they are, all else is read as the text that it may be. */
function* payload(index: JsonIndex, node: number): Generator<void, BodyText | undefined, void> {
  const type = mediaTypeBeside(index, node)
  const claimed = type === undefined ? 'unknown' : mediaClassOf(type)
  const { holds } = yield* judgeClaim(index, node, claimed === 'media' ? 'media' : 'data')
  if (holds === 'sealed') return undefined
  return listed(node, answerPlace, holds === 'no' ? 'plain' : holds, 'tool result')
}

/** What tools say of themselves to people and models: titles and descriptions, not names, defaults or listed values. */
export function definitionTexts(index: JsonIndex, root: number): BodyText[] {
  const texts: BodyText[] = []
  const end = index.nexts[root] as number
  for (let node = root; node < end; node++) {
    if (index.kind(node) !== nodeKind.string) continue
    const key = index.keyOf(node)
    if (key >= 0 && (index.is(key, 'description') || index.is(key, 'title')))
      texts.push(listed(node, definitionPlace, 'plain', 'tool definition'))
  }
  return texts
}
