/**
 * Whether a value looks like what its field says it is. Only then is it left alone; anything else in such a field is
 * ordinary text. Judged on bytes, without regular expressions: V8 keeps the last text that one has seen.
 */
import type { TextEncoding } from './dialect.ts'
import { bytesPerStepDefault, kindMask, type JsonIndex } from './json-index.ts'

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
/** Base64 and base64url. */
const base64Bytes = alphabet('09', 'AZ', 'az', '+', '/', '-', '_')

function isOf(index: JsonIndex, node: number, table: Uint8Array, lengthMax: number): boolean {
  const length = index.byteLength(node)
  if (length < 1 || length > lengthMax || index.kinds[node]! > kindMask) return false
  const from = index.starts[node]! + 1
  for (let at = from; at < from + length; at++) if (table[index.bytes[at]!] === 0) return false
  return true
}

/** An id that a vendor gave out: `^[A-Za-z0-9_.:-]{1,256}$`. */
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

/** A signature or an encrypted block: base64 of a length that has meaning. */
export function* isSeal(index: JsonIndex, node: number): Generator<void, boolean, void> {
  return index.byteLength(node) >= sealLengthMin && (yield* isBase64(index, node, index.starts[node]! + 1))
}

/**
 * Whether a string token is base64 from byte `from` to its end: the alphabet, then at most two `=`. `\/`, `\n` and
 * `\r` are taken, since some serialisers write a slash so and some encoders break lines.
 */
export function* isBase64(index: JsonIndex, node: number, from: number): Generator<void, boolean, void> {
  const { bytes } = index
  let end = index.ends[node]! - 1
  for (let padding = 0; padding < 2 && end > from && bytes[end - 1] === 0x3d; padding++) end--
  if (from >= end) return false
  for (let at = from; at < end;) {
    const stop = Math.min(end, at + bytesPerStepDefault)
    at = base64Until(bytes, at, stop)
    if (at < stop) return false
    if (at < end) yield
  }
  return true
}

/** @returns the first byte that is not base64, or a place at or after `stop` */
function base64Until(bytes: Uint8Array, from: number, stop: number): number {
  let at = from
  while (at < stop) {
    const byte = bytes[at]!
    if (base64Bytes[byte] === 1) at++
    else if (byte === 0x5c && isTakenEscape(bytes[at + 1]!)) at += 2
    else return at
  }
  return at
}

function isTakenEscape(byte: number): boolean {
  return byte === 0x2f || byte === 0x6e || byte === 0x72
}

/** What a medium is to a scan: text to read, media that cannot be read, or something that has to be tried. */
export type MediaClass = 'text' | 'media' | 'unknown'

const mediaFamilies = ['image/', 'audio/', 'video/', 'font/']
const textTypes = new Set(
  [
    'json',
    'xml',
    'csv',
    'yaml',
    'x-yaml',
    'yml',
    'toml',
    'x-toml',
    'javascript',
    'x-javascript',
    'typescript',
    'x-typescript',
    'ecmascript',
    'sql',
    'graphql',
    'x-sh',
    'x-ndjson',
    'ndjson',
    'jsonl',
    'x-jsonlines',
    'rtf',
    'x-www-form-urlencoded',
    'x-httpd-php',
    'x-python'
  ].map((name) => `application/${name}`)
)

/** @param type a media type without parameters, in any case */
export function mediaClassOf(type: string): MediaClass {
  const name = type.toLowerCase()
  if (name.startsWith('text/') || textTypes.has(name)) return 'text'
  if (name.endsWith('+json') || name.endsWith('+xml') || name.endsWith('+yaml')) return 'text'
  return name === 'application/pdf' || mediaFamilies.some((family) => name.startsWith(family)) ? 'media' : 'unknown'
}

/** A base64 payload: where it begins in the token and what its media type says. */
export interface Payload {
  readonly from: number
  readonly media: MediaClass
  readonly encoding: Exclude<TextEncoding, 'plain'>
}

const dataUriHeadMax = 256

/** Reads `data:<media type>[;parameters];base64,` at the start of a string; undefined where there is none. */
export function dataUri(index: JsonIndex, node: number): Payload | undefined {
  const { bytes } = index
  const start = index.starts[node]! + 1
  const end = Math.min(index.ends[node]! - 1, start + dataUriHeadMax)
  if ((bytes[start]! | 0x20) !== 0x64 || end - start < 13) return undefined
  let head = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === 0x2c) return payloadOf(head, at + 1)
    if (byte === 0x5c && bytes[at + 1] === 0x2f) continue
    if (byte === 0x5c || byte > 0x7e) return undefined
    head += String.fromCharCode(byte)
  }
  return undefined
}

function payloadOf(head: string, from: number): Payload | undefined {
  const parts = head.toLowerCase().split(';')
  if (!parts[0]!.startsWith('data:') || parts.length < 2 || parts.at(-1)!.trim() !== 'base64') return undefined
  // RFC 2397: without a media type it is text/plain.
  const type = parts[0]!.slice('data:'.length).trim()
  return { from, media: mediaClassOf(type === '' ? 'text/plain' : type), encoding: 'data-uri' }
}

/** The first letters of a PDF file in base64 (`%PDF-`), for payloads that come without a media type. */
export function beginsAsPdf(index: JsonIndex, node: number): boolean {
  const magic = 'JVBERi0'
  const from = index.starts[node]! + 1
  if (index.byteLength(node) < magic.length) return false
  for (let i = 0; i < magic.length; i++) if (index.bytes[from + i] !== magic.charCodeAt(i)) return false
  return true
}
