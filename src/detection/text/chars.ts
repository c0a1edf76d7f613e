/** Sets of ASCII characters and bounded walks over runs of them, which matchers use instead of regular expressions. */

/**
 * One byte per ASCII code: 1 if the character belongs to the set. Other characters never do. Reading past the end of a
 * set or a text deoptimises the code that does it for good, so hot code checks bounds first.
 */
export type CharSet = Uint8Array

/**
 * A set of ranges and single characters.
 * @param parts `a-z` (a dash between two letters or digits) is a range; any other part is taken character by character
 */
export function charSet(...parts: readonly string[]): CharSet {
  const set = new Uint8Array(128)
  for (const part of parts) {
    if (isRange(part)) set.fill(1, part.charCodeAt(0), part.charCodeAt(2) + 1)
    else for (let i = 0; i < part.length; i++) set[part.charCodeAt(i)] = 1
  }
  return set
}

/** Whether a part is a range: a dash between two letters or digits. In `_-=` it stands for itself. */
function isRange(part: string): boolean {
  return (
    part.length === 3 && part[1] === '-' && isLetterOrDigit(part.charCodeAt(0)) && isLetterOrDigit(part.charCodeAt(2))
  )
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

/** All of ASCII except some characters. */
export function allBut(signs: string): CharSet {
  return charSet(...signs).map((bit) => 1 - bit)
}

export const digitSet = charSet('0-9')
export const upperSet = charSet('A-Z')
export const lowerSet = charSet('a-z')
export const letterSet = charSet('A-Z', 'a-z')
export const upperDigitSet = charSet('A-Z', '0-9')
export const lowerDigitSet = charSet('a-z', '0-9')
export const base62Set = charSet('A-Z', 'a-z', '0-9')
export const wordSet = charSet('A-Z', 'a-z', '0-9', '_')
export const hexSet = charSet('0-9', 'a-f', 'A-F')
export const lowerHexSet = charSet('0-9', 'a-f')
export const upperHexSet = charSet('0-9', 'A-F')
export const base32Set = charSet('A-Z', '2-7')
export const base64Set = charSet('A-Z', 'a-z', '0-9', '+/')
export const base64UrlSet = charSet('A-Z', 'a-z', '0-9', '_-')
/** Both alphabets of base64 (RFC 4648, sections 4 and 5), for values that may be in either. */
export const anyBase64Set = charSet('A-Z', 'a-z', '0-9', '+/_-')
export const paddedBase64Set = charSet('A-Z', 'a-z', '0-9', '+/=')
export const paddedBase64UrlSet = charSet('A-Z', 'a-z', '0-9', '_=-')
export const anyPaddedBase64Set = charSet('A-Z', 'a-z', '0-9', '+/_=-')
/** What fills the last group of base64. */
export const padSet = charSet('=')
export const uuidSet = charSet('0-9', 'a-f', 'A-F', '-')
export const lowerUuidSet = charSet('0-9', 'a-f', '-')
/** Numbers with a point, versions, IPv4 addresses. */
export const dottedDigitSet = charSet('0-9', '.')
/** Names of variables, of constants, of members with a dash, of settings with a dot. */
export const identifierSet = charSet('A-Z', 'a-z', '_')
export const constantSet = charSet('A-Z', '0-9', '_')
export const snakeSet = charSet('a-z', '0-9', '_')
export const nameSet = charSet('A-Z', 'a-z', '0-9', '_-')
export const dottedNameSet = charSet('A-Z', 'a-z', '0-9', '_.-')
export const domainSet = charSet('A-Z', 'a-z', '0-9', '.-')
/** A label of a domain, a word with dashes. */
export const labelSet = charSet('A-Z', 'a-z', '0-9', '-')
export const backslashSet = charSet('\\')
export const dotSet = charSet('.')
export const underscoreSet = charSet('_')
/** What joins the words of a name. */
export const nameJointSet = charSet('_-')
/** What assigns a value to a name. */
export const assignSet = charSet(':=')
export const openBracketSet = charSet('([{')
export const closeBracketSet = charSet(')]}')
/** Quotes of programs, shells and Markdown. */
export const quoteSet = charSet('"\'`')
/** Quotes of strings in most programs and in JSON. */
export const stringQuoteSet = charSet('"\'')
/** Blanks that separate words on a line, without tabs in text that people write; and white space across lines. */
export const plainBlankSet = charSet(' ')
export const blankSet = charSet(' \t')
export const spaceSet = charSet(' \t\r\n')
export const lineBreakSet = charSet('\r\n')

/** Whether a code unit belongs to a set. `NaN`, which `charCodeAt` returns outside of the text, does not. */
export function inSet(set: CharSet, code: number): boolean {
  return code < 128 && set[code] === 1
}

/**
 * The code unit at an index, and 0 outside of the text. It is read so that V8 looks up no property of the text, which
 * takes several times as long once it has met strings of many representations (decision 241).
 */
export function codeAt(text: string, at: number): number {
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- V8 does not know what TypeScript knows
  const known = '' + text
  return at >= 0 && at < known.length ? ''.charCodeAt.call(known, at) : 0
}

/**
 * Where a character stands first in `unitsMax` code units from `from` on, or -1. A search without a limit would read
 * the rest of the text for each of a million places that lack the character.
 */
export function placeOf(text: string, code: number, from: number, unitsMax: number): number {
  const limit = Math.min(text.length, from + unitsMax)
  for (let i = from; i < limit; i++) if (text.charCodeAt(i) === code) return i
  return -1
}

/** The end of the run of `set` that starts at `from`, reading at most `unitsMax` units. */
export function runEnd(text: string, from: number, set: CharSet, unitsMax: number): number {
  const limit = Math.min(text.length, from + unitsMax)
  let i = from
  for (; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code > 127 || set[code] !== 1) break
  }
  return i
}

/** The start of the run of `set` that ends before `to`, reading at most `unitsMax` units. */
export function runStart(text: string, to: number, set: CharSet, unitsMax: number): number {
  const limit = Math.max(0, to - unitsMax)
  let i = to
  for (; i > limit; i--) {
    const code = text.charCodeAt(i - 1)
    if (code > 127 || set[code] !== 1) break
  }
  return i
}

/** Where a character of `set` stands first from `from` on; the end of the `unitsMax` units that are read if none does. */
export function beforeNext(text: string, from: number, set: CharSet, unitsMax: number): number {
  const limit = Math.min(text.length, from + unitsMax)
  let i = from
  while (i < limit && !inSet(set, text.charCodeAt(i))) i++
  return i
}

/** Where the first blank or control character of `[from, to)` stands; `to` if there is none. */
export function wordEndIn(text: string, from: number, to: number): number {
  let i = from
  while (i < to && text.charCodeAt(i) > 32) i++
  return i
}

/** Past the last character of `set` before `to`; the start of the `unitsMax` units that are read if there is none. */
export function behindLast(text: string, to: number, set: CharSet, unitsMax: number): number {
  const limit = Math.max(0, to - unitsMax)
  let i = to
  while (i > limit && !inSet(set, text.charCodeAt(i - 1))) i--
  return i
}

/**
 * Whether a value may start at `at`: what precedes does not belong to `set`, or is the end of an escape, or the `+` or
 * `-` of a changed line in a diff. The escapes are `\n`, `\r`, `\t` (in JSON within JSON) and `%3D` (in a URL), whose
 * last character would otherwise look like part of the value.
 */
export function leftClear(text: string, at: number, set: CharSet): boolean {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  if (!inSet(set, before)) return true
  if ((before === 45 || before === 43) && isLineStart(text, at - 1)) return true
  if (at === 1) return false
  if ((before === 110 || before === 114 || before === 116) && text.charCodeAt(at - 2) === 92) return true
  return at > 2 && text.charCodeAt(at - 3) === 37 && inSet(hexSet, before) && inSet(hexSet, text.charCodeAt(at - 2))
}

/** Whether a line begins at `at`, also within a JSON string, where the line break is an escape. */
export function isLineStart(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  return before === 10 || (before === 110 && at > 1 && text.charCodeAt(at - 2) === 92)
}

/** Where the line behind that of `from` begins; -1 if none does within `unitsMax` units. */
export function nextLine(text: string, from: number, unitsMax: number): number {
  const end = placeOf(text, 10, from, unitsMax)
  return end < 0 ? -1 : end + 1
}

/** Whether a value may end before `end`: what follows does not belong to `set`. */
export function rightClear(text: string, end: number, set: CharSet): boolean {
  return end >= text.length || !inSet(set, text.charCodeAt(end))
}

/** Whether all of `[start, end)` is ASCII. */
export function isAscii(text: string, start = 0, end = text.length): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

/** The lower-case code of an ASCII letter; other codes unchanged. */
export function foldCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

/** Whether a word, given in lower case, stands at `at` in any ASCII case. */
export function standsAt(text: string, at: number, word: string): boolean {
  if (at < 0 || at + word.length > text.length) return false
  for (let i = 0; i < word.length; i++) if (foldCode(text.charCodeAt(at + i)) !== word.charCodeAt(i)) return false
  return true
}

/** Whether all of `[start, end)` belongs to `set`. */
export function consistsOf(text: string, start: number, end: number, set: CharSet): boolean {
  return runEnd(text, start, set, end - start) === end
}

/** How many characters of `set` are in `[start, end)`. */
export function countOf(text: string, start: number, end: number, set: CharSet): number {
  let count = 0
  for (let i = start; i < end; i++) if (inSet(set, text.charCodeAt(i))) count++
  return count
}
