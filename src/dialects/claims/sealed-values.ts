/**
 * Whether a value looks like what its field claims. Only then is it left alone; anything else in such a field is
 * ordinary text. Judged on bytes, without regular expressions: V8 keeps the last text that one has matched.
 */
import { readBase64 } from './base64.ts'
import { kindMask, type JsonIndex } from '../json/json-index.ts'

function alphabet(...ranges: string[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const range of ranges) {
    const last = range.charCodeAt(range.length - 1)
    for (let code = range.charCodeAt(0); code <= last; code++) table[code] = 1
  }
  return table
}

const idBytes = alphabet('09', 'AZ', 'az', '_', '.', ':', '-')
const wordBytes = alphabet('09', 'az', '_', '.', '-')
const mediaTypeBytes = alphabet('09', 'AZ', 'az', '_', '.', '-', '+', '/')

function isOf(index: JsonIndex, node: number, table: Uint8Array, lengthMax: number): boolean {
  const length = index.byteLength(node)
  if (length < 1 || length > lengthMax || index.kinds[node]! > kindMask) return false
  const from = index.starts[node]! + 1
  for (let at = from; at < from + length; at++) if (table[index.bytes[at]!] === 0) return false
  return true
}

/** An id issued by a vendor: `^[A-Za-z0-9_.:-]{1,256}$`. */
export function isId(index: JsonIndex, node: number): boolean {
  return isOf(index, node, idBytes, 256)
}

/** A word of the API: `^[a-z0-9_.-]{1,64}$`. */
export function isWord(index: JsonIndex, node: number): boolean {
  return isOf(index, node, wordBytes, 64)
}

/** A media type without parameters. */
export function isMediaType(index: JsonIndex, node: number): boolean {
  return isOf(index, node, mediaTypeBytes, 128)
}

/** Signatures and encrypted blocks are never shorter than this, in characters. */
const sealLengthMin = 16

/** A signature or an encrypted block: base64 of a plausible length, spelled as an encoder spells it. */
export function* isSeal(index: JsonIndex, node: number): Generator<void, boolean, void> {
  if (index.byteLength(node) < sealLengthMin) return false
  const { spelling } = yield* readBase64(index, node, { from: index.starts[node]! + 1, isUri: false })
  return spelling === 'dense'
}
