/** Finds the texts of a message: every string and key, except those that must stay unchanged. */
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

/** A server's text: a tool produced it, and an agent may pass it to a model. */
export const answerPlace = { scope: 'masked', origin: 'tool_result', isNewest: false } as const
/** Changed only if they hold something of high risk: a different URL would lead nowhere. */
export const besidePlace = { scope: 'watched', origin: 'tool_result', isNewest: false } as const

/** A text that is a JSON object or array is read as JSON, so that masking leaves it valid. */
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

/** @returns the texts of a member with special treatment; undefined for any other */
export type OwnReading = (
  key: number,
  name: string
) => readonly BodyText[] | Generator<void, readonly BodyText[], void> | undefined

/** The texts of a member that stays unchanged: none. */
export const untouched: readonly BodyText[] = Object.freeze([])

/** URLs and identifiers by which a client requests what they name, and keywords of the protocol. */
const keptNames = new Set(['uri', 'url', 'href', 'src', 'type', 'resultType', 'mimeType', 'role', 'lastModified'])

/** The texts below a node, for a server's message. @param own decides which members have special treatment */
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
      // A server may use arbitrary text as a name: `_meta` and the data of an error are open to any key.
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

/** Base64: what looks like media is unchanged, and everything else is read as possible text. */
function* payload(index: JsonIndex, node: number, where: string): Generator<void, BodyText | undefined, void> {
  const type = mediaTypeBeside(index, node)
  const claimed = type === undefined ? 'unknown' : mediaClassOf(type)
  const { holds } = yield* judgeClaim(index, node, claimed === 'media' ? 'media' : 'data')
  if (holds === 'sealed') return undefined
  return listed(node, answerPlace, holds === 'no' ? 'plain' : holds, where)
}

/** Descriptions for people and models: titles and descriptions, but not names, defaults or listed values. */
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
