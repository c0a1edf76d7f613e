/** Judges whether a value holds what its field claims, and what follows from it. */
import { base64Head, readBase64, type Base64Span } from './base64.ts'
import { dataUri } from './data-uri.ts'
import type { TextEncoding } from '../dialect.ts'
import { nodeKind, type JsonIndex } from '../json/json-index.ts'
import { lookBytes, lookOf, mediaClassOf, type MediaClass } from './media-types.ts'
import { isId, isMediaType, isSeal, isWord } from './sealed-values.ts'
import type { Claim } from '../plan/shape.ts'

export interface Verdict {
  /** `no`: ordinary text. Else the value is sealed, or holds its text in an encoding. */
  readonly holds: 'no' | 'sealed' | Exclude<TextEncoding, 'plain'>
  /** It carries media that no scan can read, or may. */
  readonly isMedia: boolean
}

const no: Verdict = { holds: 'no', isMedia: false }
const yes: Verdict = { holds: 'sealed', isMedia: false }

const json: Verdict = { holds: 'json', isMedia: false }

/** Judges a claim that a look at the value settles. @returns undefined for one that {@link judgeClaim} has to read for */
export function judgeAtOnce(index: JsonIndex, node: number, claim: Claim): Verdict | undefined {
  switch (claim) {
    case 'id':
      return isId(index, node) ? yes : no
    case 'word':
      return isWord(index, node) ? yes : no
    case 'json':
      return beginsAsJson(index, node) ? json : no
    case 'media_type':
      return isMediaType(index, node) ? yes : no
    default:
      return undefined
  }
}

/** Yields inside a long value. */
export function* judgeClaim(index: JsonIndex, node: number, claim: Claim): Generator<void, Verdict, void> {
  switch (claim) {
    case 'seal':
      return (yield* isSeal(index, node)) ? yes : no
    case 'opaque':
      return isId(index, node) || (yield* isSeal(index, node)) ? yes : no
    case 'signed': {
      const signature = beside(index, node, 'signature')
      return signature >= 0 && (yield* isSeal(index, signature)) ? yes : no
    }
    case 'data':
    case 'media':
    case 'url':
    case 'file': {
      const payload = yield* payloadOf(index, node, claim)
      return payload === undefined ? no : yield* judgePayload(index, node, payload)
    }
    default:
      return judgeAtOnce(index, node, claim) ?? no
  }
}

/** A payload that claims to be base64. */
interface Payload extends Base64Span {
  readonly media: MediaClass
  readonly encoding: Exclude<TextEncoding, 'plain' | 'json'>
  /** Nothing but its first bytes can tell what it is. */
  readonly isUntyped?: boolean
}

/**
 * Media are sealed only where they look like media: a text is read whatever type its sender gives it. Letters that
 * might as well be words have to begin as a format that we know.
 */
function* judgePayload(index: JsonIndex, node: number, payload: Payload): Generator<void, Verdict, void> {
  const { spelling, firstLetter } = yield* readBase64(index, node, payload)
  if (spelling === 'none') return no
  if (payload.media === 'text') return { holds: payload.encoding, isMedia: false }
  const look = lookOf(base64Head(index, node, payload, firstLetter, lookBytes))
  const isKnown = look === 'pdf' || look === 'media' || (look === 'binary' && spelling !== 'loose')
  const isSealed = payload.media === 'media' ? isKnown : payload.isUntyped === true && look === 'pdf'
  return { holds: isSealed ? 'sealed' : payload.encoding, isMedia: true }
}

/** White space may be written as an escape, which a plain look at the bytes takes for no JSON; it is then plain text. */
function beginsAsJson(index: JsonIndex, node: number): boolean {
  const end = index.ends[node]! - 1
  let at = index.starts[node]! + 1
  while (at < end && index.bytes[at] === 0x20) at++
  return at < end && (index.bytes[at] === 0x7b || index.bytes[at] === 0x5b)
}

/** A string that stands in the same object under this name, or -1. */
function beside(index: JsonIndex, node: number, name: string): number {
  const value = index.find(index.parents[node]!, name)
  return value >= 0 && index.kind(value) === nodeKind.string ? value : -1
}

/** Longer values are no media type, even with every character escaped. */
const mediaTypeBytesMax = 1536

function mediaClassBeside(index: JsonIndex, node: number): MediaClass {
  const type = beside(index, node, 'media_type')
  return type < 0 || index.byteLength(type) > mediaTypeBytesMax ? 'unknown' : mediaClassOf(index.text(type))
}

function* payloadOf(
  index: JsonIndex,
  node: number,
  claim: 'data' | 'media' | 'url' | 'file'
): Generator<void, Payload | undefined, void> {
  const base64 = { from: index.starts[node]! + 1, isUri: false, encoding: 'base64' } as const
  if (claim === 'media') return { ...base64, media: 'media' }
  if (claim === 'data') return { ...base64, media: mediaClassBeside(index, node) }
  const uri = yield* dataUri(index, node)
  if (uri !== undefined) return { ...uri, isUri: true, encoding: 'data-uri' }
  return claim === 'url' ? undefined : { ...base64, media: 'unknown', isUntyped: true }
}
