/** Judges whether a value holds what its field claims, and what follows from it. */
import type { TextEncoding } from './dialect.ts'
import { nodeKind, type JsonIndex } from './json-index.ts'
import {
  beginsAsPdf,
  dataUri,
  isBase64,
  isId,
  isMediaType,
  isSeal,
  isWord,
  mediaClassOf,
  type Payload
} from './sealed-values.ts'
import type { Claim } from './shape.ts'

export interface Verdict {
  /** `no`: ordinary text. Else the value is sealed, or holds its text in an encoding. */
  readonly holds: 'no' | 'sealed' | Exclude<TextEncoding, 'plain'>
  /** It carries media that no scan can read, or may. */
  readonly isMedia: boolean
}

const no: Verdict = { holds: 'no', isMedia: false }
const yes: Verdict = { holds: 'sealed', isMedia: false }

/** Yields inside a long value. */
export function* judgeClaim(index: JsonIndex, node: number, claim: Claim): Generator<void, Verdict, void> {
  switch (claim) {
    case 'id':
      return isId(index, node) ? yes : no
    case 'word':
      return isWord(index, node) ? yes : no
    case 'media_type':
      return isMediaType(index, node) ? yes : no
    case 'seal':
      return (yield* isSeal(index, node)) ? yes : no
    case 'signed': {
      const signature = beside(index, node, 'signature')
      return signature >= 0 && (yield* isSeal(index, signature)) ? yes : no
    }
    default: {
      const payload = payloadOf(index, node, claim)
      if (payload === undefined || !(yield* isBase64(index, node, payload.from))) return no
      return { holds: payload.media === 'media' ? 'sealed' : payload.encoding, isMedia: payload.media !== 'text' }
    }
  }
}

/** A string that stands in the same object under this name, or -1. */
function beside(index: JsonIndex, node: number, name: string): number {
  const value = index.find(index.parents[node]!, name)
  return value >= 0 && index.kind(value) === nodeKind.string ? value : -1
}

function payloadOf(index: JsonIndex, node: number, claim: 'data' | 'audio' | 'url' | 'file'): Payload | undefined {
  const base64 = { from: index.starts[node]! + 1, encoding: 'base64' } as const
  if (claim === 'audio') return { ...base64, media: 'media' }
  if (claim === 'data') {
    const type = beside(index, node, 'media_type')
    return { ...base64, media: type >= 0 && isMediaType(index, type) ? mediaClassOf(index.text(type)) : 'unknown' }
  }
  const uri = dataUri(index, node)
  if (uri !== undefined || claim === 'url') return uri
  return { ...base64, media: beginsAsPdf(index, node) ? 'media' : 'unknown' }
}
