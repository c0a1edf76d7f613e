/** Names of values as they occur in a text, in any case and alphabet. */
import { charSet, codeAt, digitSet, foldCode, inSet, quoteSet, runStart, wordSet } from './chars.ts'
import { isWholeWord } from './whole-word.ts'

/** A name in lower and upper case, unit by unit. */
interface SpelledName {
  readonly lower: string
  readonly upper: string
}

/** Names that begin with the same two characters, longest first. */
interface NamesOfHead {
  /** Of less than four characters. */
  readonly short: SpelledName[]
  /** The others by their third and fourth character, since a detector has dozens of names such as `geb...`. */
  readonly long: Map<number, SpelledName[]>
}

export class SpelledNames {
  /** ASCII characters with which a name begins: most places of a text are none of these. */
  readonly #begins = new Uint8Array(128)
  /** By the first two characters, since a detector may have a hundred names. See {@link headOf}. */
  readonly #byHead = new Map<number, NamesOfHead>()

  /** @param names in lower case, of at least two characters */
  constructor(names: readonly string[]) {
    const byLength = [...names].sort((a, b) => b.length - a.length)
    // Calls, since V8 would compile a loop of this length while it runs, and everything inlined into it.
    byLength.forEach((lower) => this.#add({ lower, upper: capitalsOf(lower) }))
  }

  #add(name: SpelledName): void {
    for (const spelling of [name.lower, name.upper]) this.#begins[spelling.charCodeAt(0)] = 1
    for (const head of headsOf(name, 0)) {
      const alike = this.#byHead.get(head) ?? { short: [], long: new Map<number, SpelledName[]>() }
      this.#byHead.set(head, alike)
      if (name.lower.length < 2 * headUnits) alike.short.push(name)
      else for (const next of headsOf(name, headUnits)) alike.long.set(next, [...(alike.long.get(next) ?? []), name])
    }
  }

  /** The end of the longest name that stands at `at` as a whole word; -1 if there is none. */
  endAt(text: string, at: number): number {
    const name = this.nameAt(text, at)
    if (name === undefined) return -1
    const end = at + name.length
    return isWholeWord(text, at, end) ? end : -1
  }

  /** The longest name that stands at `at`, in lower case, as a whole word or not. */
  nameAt(text: string, at: number, isMeant?: (text: string, at: number, name: string) => boolean): string | undefined {
    const first = codeAt(text, at)
    if ((first < 128 && this.#begins[first] !== 1) || at + 1 >= text.length) return undefined
    const names = this.#byHead.get(headAt(text, at))
    if (names === undefined) return undefined
    const next = at + headUnits
    const long = next + 1 < text.length ? names.long.get(headAt(text, next)) : undefined
    return spelledAt(text, at, long, isMeant) ?? spelledAt(text, at, names.short, isMeant)
  }

  /**
   * Whether a sentence names the value that ends at `at` afterwards: ` is my passport number`, ` (passport number of the
   * holder)`.
   */
  areSaidBehind(text: string, at: number): boolean {
    const said = saidBehind(text, at)
    if (said === undefined) return false
    for (let i = said.from; i < said.to; i++) if (this.endAt(text, i) >= 0) return true
    return false
  }
}

/** Where a name may begin that stands behind its value. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/**
 * Where a name may begin that a sentence gives the value that ends at `at`, or at a quote before it: in ` (my passport
 * number)` behind the bracket, in ` is my passport number` behind the verb. Undefined if what stands there names nothing.
 */
export function saidBehind(text: string, at: number): Stretch | undefined {
  const blank = inSet(quoteSet, codeAt(text, at)) ? at + 1 : at
  if (codeAt(text, blank) !== 32) return saidWithoutBlank(text, blank)
  const code = codeAt(text, blank + 1)
  if (code === 40 || code === wideOpen) return { from: blank + 2, to: bracketEnd(text, blank + 2) }
  if (inSet(noVerbSet, code)) return undefined
  let verbEnd = blank + 1
  while (verbEnd < blank + 2 + verbUnitsMax && verbEnd < text.length && text.charCodeAt(verbEnd) !== 32) verbEnd++
  if (verbEnd > blank + 1 + verbUnitsMax || !verbs.includes(text.slice(blank + 1, verbEnd))) return undefined
  const limit = Math.min(text.length, verbEnd + saidUnitsMax)
  let to = verbEnd
  while (to < limit && !inSet(stopSet, text.charCodeAt(to))) to++
  return { from: verbEnd + 1, to }
}

/** The same in scripts without blanks between words: `E12345678（护照）`, `E12345678是我的护照号`. */
function saidWithoutBlank(text: string, at: number): Stretch | undefined {
  const code = codeAt(text, at)
  if (code === wideOpen || (code === 40 && codeAt(text, at + 1) > 127))
    return { from: at + 1, to: bracketEnd(text, at + 1) }
  if (code !== chineseIs) return undefined
  let to = at + 1
  while (to < at + saidUnitsMax && codeAt(text, to) > 127 && !wideStops.includes(text.charAt(to))) to++
  return { from: at + 1, to }
}
const wideOpen = 0xff08
const wideClose = 0xff09
const chineseIs = 0x662f
const wideStops = '。，、；：！？（）'

/**
 * Where the value ends that a sentence gives the name at `at`, the other way round of {@link saidBehind}: `AB 12 (` before
 * `NI number)`; -1 if there is none. A value ends with a digit or a bracket, or with one letter behind a blank.
 */
export function saidBefore(text: string, at: number): number {
  const from = runStart(text, at, saidSet, saidBeforeUnits)
  if (codeAt(text, from - 1) === 40)
    return codeAt(text, from - 2) === 32 ? from - 2 : codeAt(text, from) > 127 ? from - 1 : -1
  if (codeAt(text, from - 1) > 127) return saidBeforeInScript(text, at)
  if (!inSet(valueEndSet, codeAt(text, from - 1))) return -1
  for (let end = from; end < at; end++) {
    if (text.charCodeAt(end) !== 32) continue
    const said = saidBehind(text, end)
    if (said !== undefined) return at < said.to ? end : -1
  }
  return -1
}

/** The same behind letters of other scripts: `（我的护照）`, ` (رقم الجواز)`. */
function saidBeforeInScript(text: string, at: number): number {
  for (let end = at - 1; end > at - saidBeforeUnits; end--) {
    const code = codeAt(text, end)
    if (code <= 127 && code !== 32 && code !== 40) return -1
    // Nothing else ties a name to what stands before it.
    if (code > 127 && code !== wideOpen && code !== chineseIs) continue
    if ((code === 40 || code === wideOpen) && codeAt(text, end - 1) === 32) continue
    const said = saidBehind(text, end)
    if (said !== undefined && at < said.to) return endsValue(text, end) ? end : -1
    // Brackets that open further before close no later.
    if (said !== undefined && opensRemark(text, end)) return -1
  }
  return -1
}

function endsValue(text: string, end: number): boolean {
  return inSet(wordSet, codeAt(text, end - 1)) || inSet(valueEndSet, codeAt(text, end - 1))
}

/** How far before a name the last digit of the value may stand, and what is between. */
const saidBeforeUnits = 32
const saidSet = charSet('A-Z', 'a-z', " '")
const valueEndSet = charSet('0-9', ')"\'`')

/** Whether brackets open behind a value that ends at `at`, behind a blank or not. */
export function opensRemark(text: string, at: number): boolean {
  const code = codeAt(text, codeAt(text, at) === 32 ? at + 1 : at)
  return code === 40 || code === wideOpen
}

/** Whether brackets close at `at`. */
export function closesRemark(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return code === 41 || code === wideClose
}

/**
 * Where a remark in brackets ends that begins at `from`, as behind a value: `(tax number)`; -1 if it is long, has digits
 * or goes on in the next line.
 */
export function bracketEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + remarkUnitsMax)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (closesRemark(text, i)) return i
    if (code === 10 || inSet(digitSet, code)) return -1
  }
  return -1
}
const remarkUnitsMax = 48

const verbs = ['is', 'was', 'ist', 'war', 'es', 'est', 'är', 'er', 'on', 'è', 'é', 'to', 'jest', 'je']
const verbUnitsMax = 4
/** ASCII characters with which no verb begins: nearly all numbers are followed by one of these. */
const noVerbSet = charSet(...verbs.map((verb) => verb.charAt(0))).map((bit) => 1 - bit)
/** How far behind the verb the name may begin, in code units: `es mi número de pasaporte`. */
const saidUnitsMax = 24
const stopSet = charSet('.,;:!?()"\n')

/** A 30-bit number for two codes, ignoring ASCII case. Few other pairs share one. */
function headOf(first: number, second: number): number {
  return ((foldCode(first) & 0x3fff) << 16) | foldCode(second)
}

/** The number for the two units of a text at `at`. */
function headAt(text: string, at: number): number {
  return headOf(text.charCodeAt(at), text.charCodeAt(at + 1))
}
const headUnits = 2

/** The numbers for the two units of a name at `at`, in either case. */
function headsOf({ lower, upper }: SpelledName, at: number): Set<number> {
  const heads = new Set<number>()
  for (const one of [lower, upper])
    for (const other of [lower, upper]) heads.add(headOf(one.charCodeAt(at), other.charCodeAt(at + 1)))
  return heads
}

/** A name in upper case. A letter with two units in upper case stays as it is. */
function capitalsOf(name: string): string {
  const upper = name.toUpperCase()
  return upper.length === name.length ? upper : Array.from(name, capitalOf).join('')
}

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase()
  return capital.length === letter.length ? capital : letter
}

/** The first of some names that stands at `at` and is meant. */
function spelledAt(
  text: string,
  at: number,
  names: readonly SpelledName[] | undefined,
  isMeant: ((text: string, at: number, name: string) => boolean) | undefined
): string | undefined {
  if (names !== undefined)
    for (const name of names)
      if (isSpelled(text, at, name) && (isMeant === undefined || isMeant(text, at, name.lower))) return name.lower
  return undefined
}

/** Whether a name stands at `at` in any case. Names with the same head begin alike, so it compares the end first. */
function isSpelled(text: string, at: number, { lower, upper }: SpelledName): boolean {
  if (at + lower.length > text.length) return false
  for (let i = lower.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(at + i)
    if (code !== lower.charCodeAt(i) && code !== upper.charCodeAt(i)) return false
  }
  return true
}
