/**
 * The outermost members of a message, read without parsing what is inside them: for an answer of many megabytes that
 * does not concern tools, this costs little more than one pass over its bytes. Strict about what it reads; in what it
 * skips, it only matches brackets. Messages that policy judges are parsed in full afterwards.
 */
import { skipSpace } from '../messages/json-members.ts'

/** A member of an object, by byte offsets of its value. */
export interface Member {
  readonly key: string
  readonly start: number
  readonly end: number
}

const keyBytesMax = 512
/** A message has five members; this leaves room for extensions. */
const membersMax = 64

/** @returns the members of the object that is the whole message; undefined for anything else */
export function shallowMembers(bytes: Buffer): Member[] | undefined {
  const members: Member[] = []
  let at = skipSpace(bytes, 0)
  if (bytes[at++] !== 0x7b) return undefined
  at = skipSpace(bytes, at)
  if (bytes[at] === 0x7d) return skipSpace(bytes, at + 1) === bytes.length ? members : undefined
  for (;;) {
    if (bytes[at] !== 0x22 || members.length === membersMax) return undefined
    const keyEnd = stringEnd(bytes, at)
    const key = keyEnd < 0 ? undefined : decodeKey(bytes, at, keyEnd)
    if (key === undefined) return undefined
    at = skipSpace(bytes, keyEnd)
    if (bytes[at++] !== 0x3a) return undefined
    const start = skipSpace(bytes, at)
    const end = valueEnd(bytes, start)
    if (end < 0) return undefined
    members.push({ key, start, end })
    at = skipSpace(bytes, end)
    const byte = bytes[at++]
    if (byte === 0x7d) return skipSpace(bytes, at) === bytes.length ? members : undefined
    if (byte !== 0x2c) return undefined
    at = skipSpace(bytes, at)
  }
}

function decodeKey(bytes: Buffer, start: number, end: number): string | undefined {
  return end - start > keyBytesMax ? undefined : textAt(bytes, start, end)
}

/** The text of a string token; undefined if it is not one. */
export function textAt(bytes: Buffer, start: number, end: number): string | undefined {
  const raw = bytes.toString('utf8', start, end)
  try {
    const text: unknown = JSON.parse(raw)
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}

/** Most strings are short, and a native search costs as much as examining this many bytes. */
const shortBytes = 48

/** The byte after the string that begins at `start`, or -1. */
function stringEnd(bytes: Buffer, start: number): number {
  const near = Math.min(start + shortBytes, bytes.length)
  let at = start + 1
  while (at < near) {
    const byte = bytes[at]
    if (byte === 0x22) return at + 1
    at += byte === 0x5c ? 2 : 1
  }
  // Backslashes are counted from here: no escape that began earlier includes the current byte.
  const from = at
  for (;;) {
    const quote = bytes.indexOf(0x22, at)
    if (quote < 0) return -1
    let slashes = 0
    while (quote - 1 - slashes >= from && bytes[quote - 1 - slashes] === 0x5c) slashes++
    if (slashes % 2 === 0) return quote + 1
    at = quote + 1
  }
}

function valueEnd(bytes: Buffer, start: number): number {
  const byte = bytes[start]
  if (byte === 0x22) return stringEnd(bytes, start)
  if (byte === 0x7b || byte === 0x5b) return containerEnd(bytes, start)
  let at = start
  while (at < bytes.length && isWordByte(bytes[at] as number)) at++
  return at === start ? -1 : at
}

/** Letters, digits, signs and dots: the characters of numbers, `true`, `false` and `null`. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    ((byte | 0x20) - 0x61) >>> 0 < 26
  )
}

function containerEnd(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x22) {
      at = stringEnd(bytes, at) - 1
      if (at < 0) return -1
    } else if (byte === 0x7b || byte === 0x5b) depth++
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return at + 1
  }
  return -1
}
