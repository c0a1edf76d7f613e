/**
 * Positions of the members of a JSON object in its bytes. Only for the relay's own bookkeeping (which request is open,
 * where an answer belongs): it assumes well-formed text and never decides what may pass. What policy judges, the gate
 * parses strictly.
 */

/** A raw value: the bytes from `from` up to `to`. */
export interface Span {
  readonly from: number
  readonly to: number
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** The first byte from `at` on that is not white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  while (isSpace(bytes[at])) at++
  return at
}

/** The byte after the closing quote of the string that opens at `at`, or the length if it never closes. */
function endOfString(bytes: Uint8Array, at: number): number {
  for (let from = at + 1; ;) {
    const end = bytes.indexOf(quote, from)
    if (end < 0) return bytes.length
    let escapes = 0
    while (bytes[end - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return end + 1
    from = end + 1
  }
}

function endOfValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === quote) return endOfString(bytes, at)
  if (first !== openBrace && first !== openBracket) {
    while (at < bytes.length && !isSpace(bytes[at]) && ![comma, closeBrace, closeBracket].includes(bytes[at]!)) at++
    return at
  }
  let depth = 0
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === quote) {
      at = endOfString(bytes, at)
      continue
    }
    at++
    if (byte === openBrace || byte === openBracket) depth++
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at
  }
  return bytes.length
}

/**
 * Calls `take` for each member of the object that begins at `from` (after white space), until it returns true or the
 * object ends. Does nothing if no object begins there.
 * @param take receives the decoded key and the start of the value; the end of the value is only searched if asked for
 */
export function eachMember(
  bytes: Uint8Array,
  from: number,
  take: (key: string, value: number, end: () => number) => boolean
): void {
  let at = skipSpace(bytes, from)
  if (bytes[at] !== openBrace) return
  at++
  for (;;) {
    at = skipSpace(bytes, at)
    if (bytes[at] !== quote) return
    const keyEnd = endOfString(bytes, at)
    const key = textOf(bytes, { from: at, to: keyEnd })
    at = skipSpace(bytes, keyEnd)
    if (key === undefined || bytes[at] !== colon) return
    const value = skipSpace(bytes, at + 1)
    let known = -1
    const end = (): number => (known < 0 ? (known = endOfValue(bytes, value)) : known)
    if (take(key, value, end)) return
    at = skipSpace(bytes, end())
    if (bytes[at] !== comma) return
    at++
  }
}

/** The raw value at a path of keys, or undefined. */
export function findMember(bytes: Uint8Array, path: readonly string[], from = 0): Span | undefined {
  const [key, ...rest] = path
  let found: Span | undefined
  eachMember(bytes, from, (name, value, end) => {
    if (name !== key) return false
    found = rest.length === 0 ? { from: value, to: end() } : findMember(bytes, rest, value)
    return true
  })
  return found
}

/**
 * The value of the last member of the object with whose closing brace the bytes end, if it has this key and is no
 * object or array. The bytes may begin anywhere in the object.
 */
export function lastMember(bytes: Uint8Array, key: string): Span | undefined {
  const quoted = Buffer.from(JSON.stringify(key))
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf(quoted)
  let before = at - 1
  while (isSpace(bytes[before])) before--
  // Within a string, the quote before the key would be escaped.
  if (at < 0 || (bytes[before] !== comma && bytes[before] !== openBrace)) return undefined
  const separator = skipSpace(bytes, at + quoted.length)
  if (bytes[separator] !== colon) return undefined
  const from = skipSpace(bytes, separator + 1)
  const to = endOfValue(bytes, from)
  const end = skipSpace(bytes, to)
  return bytes[end] === closeBrace && skipSpace(bytes, end + 1) === bytes.length ? { from, to } : undefined
}

/** The raw JSON text of a span. */
export function rawOf(bytes: Uint8Array, { from, to }: Span): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString()
}

/** The decoded text if the value is a string, otherwise undefined. */
export function textOf(bytes: Uint8Array, span: Span): string | undefined {
  if (bytes[span.from] !== quote) return undefined
  const raw = rawOf(bytes, span)
  if (!raw.includes('\\')) return raw.length > 1 ? raw.slice(1, -1) : undefined
  try {
    return JSON.parse(raw) as string
  } catch {
    return undefined
  }
}

/** The same bytes with some spans replaced, which are given in rising order. */
export function withSpans(bytes: Uint8Array, edits: readonly (Span & { readonly text: string })[]): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  for (const { from, to, text } of edits) {
    parts.push(bytes.subarray(at, from), Buffer.from(text))
    at = to
  }
  return Buffer.concat([...parts, bytes.subarray(at)])
}
