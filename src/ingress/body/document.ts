/** Documents that carry their text in base64: decoded for the scan, and encoded again if something was masked. */
import { isUtf8 } from 'node:buffer'
import type { TextEncoding } from '../../dialects/dialect.ts'

type Charset = 'utf8' | 'latin1' | 'utf16le' | 'utf16be'

export interface DecodedDocument {
  readonly content: string
  /** What precedes the base64 in a data URI, such as `data:text/plain;base64,`; otherwise empty. */
  readonly prefix: string
  readonly charset: Charset
  /** Whether the bytes are text in none of these encodings: media, which must not be changed. */
  readonly isBinary: boolean
}

/** Bytes examined to tell text from media. */
const sampleBytes = 4096
/** Old text files hold an occasional form feed or stray control character; media is full of them. */
const controlShareMax = 0.02

/**
 * Decodes a base64 text. UTF-16 is recognised by its byte order mark or its zeros. Other bytes that are not UTF-8 are
 * read as Latin-1, which loses none of them, so that a document in an old encoding is scanned and comes out unharmed.
 */
export function decodeDocument(encoded: string, encoding: Exclude<TextEncoding, 'plain'>): DecodedDocument {
  const prefix = encoding === 'data-uri' ? encoded.slice(0, encoded.indexOf(',') + 1) : ''
  const bytes = decodeBase64(encoding === 'data-uri' ? unescaped(encoded.slice(prefix.length)) : encoded)
  const charset = charsetOf(bytes)
  const content = decode(bytes, charset)
  return { content, prefix, charset, isBinary: charset === 'latin1' && isMedium(bytes) }
}

/** Several padded base64 runs may follow each other; the runtime's decoder stops after the first. */
function decodeBase64(text: string): Buffer {
  const runs = text.split(/=+/)
  return runs.length <= 2 ? Buffer.from(text, 'base64') : Buffer.concat(runs.map((run) => Buffer.from(run, 'base64')))
}

/** Undoes the percent-encoding that a URI may use. */
function unescaped(payload: string): string {
  if (!payload.includes('%')) return payload
  return payload.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** The masked text in the form in which it arrived. */
export function encodeDocument(document: DecodedDocument, content: string): string {
  const { charset, prefix } = document
  const bytes = charset === 'utf16be' ? Buffer.from(content, 'utf16le').swap16() : Buffer.from(content, charset)
  return prefix + bytes.toString('base64')
}

function decode(bytes: Buffer, charset: Charset): string {
  if (charset !== 'utf16be') return bytes.toString(charset)
  return Buffer.from(bytes).swap16().toString('utf16le')
}

function charsetOf(bytes: Buffer): Charset {
  const isEven = bytes.length % 2 === 0 && bytes.length >= 2
  if (isEven && bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le'
  if (isEven && bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf16be'
  if (isEven && bytes.includes(0)) {
    // Text in Latin letters has a zero in every other byte: the high byte of each unit.
    const [even, odd] = zeros(bytes)
    const units = Math.min(bytes.length, sampleBytes) / 2
    if (odd > units * 0.4 && even < units * 0.1) return 'utf16le'
    if (even > units * 0.4 && odd < units * 0.1) return 'utf16be'
  }
  return isUtf8(bytes) ? 'utf8' : 'latin1'
}

function zeros(bytes: Buffer): [even: number, odd: number] {
  let even = 0
  let odd = 0
  const end = Math.min(bytes.length, sampleBytes)
  for (let i = 0; i < end; i++) {
    if (bytes[i] !== 0) continue
    if (i % 2 === 0) even++
    else odd++
  }
  return [even, odd]
}

function isMedium(bytes: Buffer): boolean {
  const end = Math.min(bytes.length, sampleBytes)
  let controls = 0
  for (let i = 0; i < end; i++) {
    const byte = bytes[i] as number
    if (byte === 0) return true
    // Tab, line feed, vertical tab, form feed, carriage return and escape occur in text.
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) controls++
  }
  return controls > end * controlShareMax
}
