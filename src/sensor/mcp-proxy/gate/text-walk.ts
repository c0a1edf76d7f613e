/** How the texts of a message are found: every string and key, except where one stands that has to stay as it is. */
import { judgeClaim } from '../../../dialects/claims/claims.ts'
import { mediaClassOf } from '../../../dialects/claims/media-types.ts'
import type { BodyText, TextEncoding } from '../../../dialects/dialect.ts'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import type { TextOrigin, TextScope } from '../../../policy/redaction/text-place.ts'
import { textOf } from './members.ts'

export interface Place {
  readonly scope: TextScope
  readonly origin: TextOrigin
  readonly isNewest: boolean
}

/** What a server says: a tool gave it, and an agent may hand it to a model. */
export const answerPlace = { scope: 'masked', origin: 'tool_result', isNewest: false } as const
/** These are changed only where they hold what is high-risk: another address would lead nowhere. */
export const besidePlace = { scope: 'watched', origin: 'tool_result', isNewest: false } as const

/** A text that is a JSON object or array is read as such, so that a mask leaves JSON. */
function* readingOf(index: JsonIndex, node: number): Generator<void, TextEncoding, void> {
  const { holds } = yield* judgeClaim(index, node, 'json')
  return holds === 'json' ? 'json' : 'plain'
}

export function listed(node: number, place: Place, encoding: TextEncoding, where: string): BodyText {
  return { node, ...place, encoding, place: () => where }
}

/** Every string and key below a node. */
export function* allTexts(
  index: JsonIndex,
  root: number,
  place: Place,
  where: string
): Generator<void, BodyText[], void> {
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

/** @returns the texts of a member that is read in a way of its own; undefined for any other */
export type OwnReading = (
  key: number,
  name: string
) => readonly BodyText[] | Generator<void, readonly BodyText[], void> | undefined

/** The texts of a member that stays as it is. */
export const untouched: readonly BodyText[] = Object.freeze([])

/** Addresses, by which a client asks for what they name, and words of the protocol. */
const keptNames = new Set(['uri', 'url', 'href', 'src', 'type', 'resultType', 'mimeType', 'role', 'lastModified'])

/** The texts below a node as a server writes them. @param own says which members are read otherwise */
export function* serverTexts(
  index: JsonIndex,
  root: number,
  where: string,
  own: OwnReading
): Generator<void, BodyText[], void> {
  const texts: BodyText[] = []
  const end = index.nexts[root] as number
  for (let node = root; node < end; node++) {
    if ((node & 0x1fff) === 0x1fff) yield
    if (index.kind(node) === nodeKind.key) {
      const reading = own(node, nameOf(index, node))
      // A server may use what it found as a name: `_meta` and the data of an error are open to any.
      if (reading === undefined) texts.push(listed(node, answerPlace, 'plain', where))
      else {
        for (const text of 'next' in reading ? yield* reading : reading) texts.push(text)
        node = (index.nexts[node + 1] as number) - 1
      }
      continue
    }
    if (index.kind(node) !== nodeKind.string) continue
    const text = yield* serverText(index, node, where)
    if (text !== undefined) texts.push(text)
  }
  return texts
}

function nameOf(index: JsonIndex, key: number): string {
  return key >= 0 && index.byteLength(key) <= 64 ? index.text(key) : ''
}

function* serverText(index: JsonIndex, node: number, where: string): Generator<void, BodyText | undefined, void> {
  const name = nameOf(index, index.keyOf(node))
  if (name === 'blob' || (name === 'data' && mediaTypeBeside(index, node) !== undefined))
    return yield* payload(index, node, where)
  if (keptNames.has(name)) return listed(node, besidePlace, 'plain', where)
  return listed(node, answerPlace, yield* readingOf(index, node), where)
}

function mediaTypeBeside(index: JsonIndex, node: number): string | undefined {
  return textOf(index, index.find(index.parents[node] as number, 'mimeType'), 1024)
}

/** Base64: media that look like media stay what they are, all else is read as the text that it may be. */
function* payload(index: JsonIndex, node: number, where: string): Generator<void, BodyText | undefined, void> {
  const type = mediaTypeBeside(index, node)
  const claimed = type === undefined ? 'unknown' : mediaClassOf(type)
  const { holds } = yield* judgeClaim(index, node, claimed === 'media' ? 'media' : 'data')
  if (holds === 'sealed') return undefined
  return listed(node, answerPlace, holds === 'no' ? 'plain' : holds, where)
}

/** What is said of something to people and models: titles and descriptions, not names, defaults or listed values. */
export function descriptionTexts(index: JsonIndex, root: number, place: Place, where: string): BodyText[] {
  const texts: BodyText[] = []
  const end = index.nexts[root] as number
  for (let node = root; node < end; node++) {
    if (index.kind(node) !== nodeKind.string) continue
    const key = index.keyOf(node)
    if (key >= 0 && (index.is(key, 'description') || index.is(key, 'title')))
      texts.push(listed(node, place, 'plain', where))
  }
  return texts
}
