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

/** Code units or bytes between two pauses, a fraction of a millisecond. Two, three and four divide it. */
const unitsPerStep = 49_152

/**
 * Decodes a base64 text. UTF-16 is recognised by its byte order mark or its zeros. Other bytes that are not UTF-8 are
 * read as Latin-1, which loses none of them, so that a document in an old encoding is scanned and comes out unharmed.
 */
export function* decodeDocument(
  encoded: string,
  encoding: Exclude<TextEncoding, 'plain'>
): Generator<void, DecodedDocument, void> {
  const prefix = encoding === 'data-uri' ? encoded.slice(0, encoded.indexOf(',') + 1) : ''
  const payload = encoding === 'data-uri' ? yield* unescaped(encoded.slice(prefix.length)) : encoded
  const bytes = yield* decodeBase64(payload)
  const charset = charsetOf(bytes)
  const content = yield* decodeInSteps(bytes, charset)
  return { content, prefix, charset, isBinary: charset === 'latin1' && isMedium(bytes) }
}

const notBase64 = /[^A-Za-z0-9+/_-]+/g

const wholeGroups = (run: string): number => run.length - (run.length % 4)

/** Several padded base64 runs may follow each other; the runtime's decoder stops after the first. */
function* decodeBase64(text: string): Generator<void, Buffer, void> {
  const bytes = Buffer.allocUnsafe(Math.ceil((text.length * 3) / 4) + 1)
  let length = 0
  /** The beginning of a group of four characters that the next piece completes. */
  let rest = ''
  let pauseAt = unitsPerStep
  for (let at = 0; at < text.length;) {
    if (at >= pauseAt) {
      yield
      pauseAt = at + unitsPerStep
    }
    const piece = text.slice(at, at + unitsPerStep)
    const padding = piece.indexOf('=')
    let run = rest + (padding < 0 ? piece : piece.slice(0, padding))
    at += padding < 0 ? piece.length : padding + 1
    const goesOn = padding < 0 && at < text.length
    let whole = goesOn ? wholeGroups(run) : run.length
    let written = bytes.write(run.slice(0, whole), length, 'base64')
    if (goesOn && written * 4 < whole * 3) {
      // Line ends and the like are no part of a group.
      run = run.replaceAll(notBase64, '')
      whole = wholeGroups(run)
      written = bytes.write(run.slice(0, whole), length, 'base64')
    }
    length += written
    rest = run.slice(whole)
  }
  return bytes.subarray(0, length)
}

/** Undoes the percent-encoding that a URI may use. */
function* unescaped(payload: string): Generator<void, string, void> {
  if (!payload.includes('%')) return payload
  let whole = ''
  for (let at = 0; at < payload.length;) {
    if (at > 0) yield
    const to = wholeEscapes(payload, at + unitsPerStep)
    whole += payload
      .slice(at, to)
      .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    at = to
  }
  return whole
}

/** The last place up to `to` that is not within an escape. */
function wholeEscapes(payload: string, to: number): number {
  if (to >= payload.length) return payload.length
  if (payload.charCodeAt(to - 1) === 37) return to - 1
  return payload.charCodeAt(to - 2) === 37 ? to - 2 : to
}

/** The masked text in the form in which it arrived. */
export function* encodeDocument(document: DecodedDocument, content: string): Generator<void, string, void> {
  const { charset, prefix } = document
  let encoded = prefix
  let rest: Buffer = Buffer.alloc(0)
  for (let at = 0; at < content.length;) {
    if (at > 0) yield
    const to = wholeCharacters(content, at + unitsPerStep)
    const part = content.slice(at, to)
    const bytes = charset === 'utf16be' ? Buffer.from(part, 'utf16le').swap16() : Buffer.from(part, charset)
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    // Three bytes are four characters; padding stands at the end only.
    const whole = to === content.length ? joined.length : joined.length - (joined.length % 3)
    encoded += joined.toString('base64', 0, whole)
    rest = joined.subarray(whole)
    at = to
  }
  return encoded
}

/** The last place up to `to` that is not within a surrogate pair. */
function wholeCharacters(content: string, to: number): number {
  if (to >= content.length) return content.length
  return (content.charCodeAt(to - 1) & 0xfc00) === 0xd800 ? to - 1 : to
}

/** Decodes bytes, which are valid in `charset`. */
export function* decodeInSteps(bytes: Buffer, charset: Charset): Generator<void, string, void> {
  let content = ''
  for (let at = 0; at < bytes.length;) {
    if (at > 0) yield
    let to = Math.min(bytes.length, at + unitsPerStep)
    // Valid UTF-8 has at most three bytes that continue a character.
    if (charset === 'utf8') while (to < bytes.length && ((bytes[to] as number) & 0xc0) === 0x80) to++
    content +=
      charset === 'utf16be'
        ? Buffer.from(bytes.subarray(at, to)).swap16().toString('utf16le')
        : bytes.toString(charset, at, to)
    at = to
  }
  return content
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
