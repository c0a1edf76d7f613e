/** The head of a data URI (RFC 2397), of any length and however its characters are escaped. */
import { bytesPerStepDefault, type JsonIndex } from '../json/json-index.ts'
import { mediaClassOf, type MediaClass } from './media-types.ts'
import { isJsonSpace, lengthOf, unitAt, unitOf } from '../json/token-units.ts'

interface DataUri {
  /** The byte of the token at which the base64 begins. */
  readonly from: number
  readonly media: MediaClass
}

const scheme = 'data:'
/** Longer parts of a head are irrelevant parameters, or not a media type. */
const partLengthMax = 160
/** A character costs more here than in a count of base64 characters. */
const bytesPerStep = bytesPerStepDefault / 8

/**
 * Reads `data:<media type>[;parameters];base64,` at the start of a string, ignoring white space as URL parsers do.
 * Undefined if there is none: a data URI without `;base64` holds percent-encoded text.
 */
export function* dataUri(index: JsonIndex, node: number): Generator<void, DataUri | undefined, void> {
  const { bytes } = index
  const end = index.ends[node]! - 1
  let at = index.starts[node]! + 1
  let until = at + bytesPerStep
  let type: string | undefined
  let isBase64 = false
  let part = ''
  while (at < end) {
    const character = unitAt(bytes, at)
    const unit = unitOf(character)
    at += lengthOf(character)
    if (unit === 0x2c || unit === 0x3b) {
      if (type !== undefined) isBase64 ||= part === 'base64'
      else if (part.startsWith(scheme)) type = part.slice(scheme.length)
      else return undefined
      // RFC 2397: without a media type it is text/plain.
      if (unit === 0x2c) return isBase64 ? { from: at, media: mediaClassOf(type || 'text/plain') } : undefined
      part = ''
    } else if (!isJsonSpace(unit) && part.length < partLengthMax) {
      part += String.fromCharCode(unit).toLowerCase()
      if (type === undefined && part.length <= scheme.length && !scheme.startsWith(part)) return undefined
    }
    if (at >= until) {
      until = at + bytesPerStep
      yield
    }
  }
  return undefined
}
