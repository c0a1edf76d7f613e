/** Reads the string literals between two brackets of program text of any language, without recognising the language. */
import { backslashSet, codeAt, inSet, quoteSet, runEnd, runStart, spaceSet, wordSet } from '../text/chars.ts'

const unitsMax = 480
const literalsMax = 12
const depthMax = 4
const backslashesMax = 4

const sortOfNothing = 1
const sortOfOpen = 2
const sortOfClose = 3
const sortOfComma = 4
const sortOfQuote = 5
const sortOfColon = 6
const sortOfEnd = 7
/**
 * The role of each ASCII character among arguments. Characters of names, members and blanks have none; 0 is any other
 * character.
 */
const sorts = new Uint8Array(128)
for (let code = 0; code < sorts.length; code++)
  if (code <= 32 || inSet(wordSet, code) || '.!@$&'.includes(String.fromCharCode(code))) sorts[code] = sortOfNothing
for (const [characters, sort] of [
  ['({[', sortOfOpen],
  [')}]', sortOfClose],
  [',', sortOfComma],
  ['"\'`\\', sortOfQuote],
  [':', sortOfColon],
  [';', sortOfEnd]
] as const)
  for (const character of characters) sorts[character.charCodeAt(0)] = sort

/** The string literals between two brackets. A single object serves all readings. */
export class LiteralList {
  count = 0
  /** Past the closing bracket; -1 if it is too far away. */
  end = -1
  readonly #starts = new Int32Array(literalsMax)
  readonly #ends = new Int32Array(literalsMax)
  readonly #depths = new Uint8Array(literalsMax)
  readonly #places = new Uint16Array(literalsMax)
  readonly #before = new Uint16Array(literalsMax)
  readonly #signs = new Int32Array(literalsMax)
  readonly #after = new Uint16Array(literalsMax)

  /** For each open bracket, how many elements were read, and whether it is that of a call without elements so far. */
  readonly #counts = new Uint16Array(depthMax + 1)
  readonly #wraps = new Uint8Array(depthMax + 1)

  /** Where literal `i` starts, behind its quote. */
  start(i: number): number {
    return this.#starts[i] as number
  }

  /** Where its closing quote stands, or the first of the backslashes before that. */
  endOf(i: number): number {
    return this.#ends[i] as number
  }

  /** The depth of brackets around it, counted from the first one. A call with nothing else in it does not count. */
  depth(i: number): number {
    return this.#depths[i] as number
  }

  /** How many elements precede it in its bracket. */
  place(i: number): number {
    return this.#places[i] as number
  }

  /** The last character before it, across blanks and calls that wrap it: a bracket, a comma, a colon. */
  signBefore(i: number): number {
    return this.#before[i] as number
  }

  /** Where that character stands. */
  signAt(i: number): number {
    return this.#signs[i] as number
  }

  /** The first character behind it, across blanks. */
  signAfter(i: number): number {
    return this.#after[i] as number
  }

  /**
   * Reads the literals behind the bracket that ends before `from`: at most twelve, in 480 units and four nested
   * brackets, and none behind the end of a statement.
   */
  read(text: string, from: number): void {
    const limit = Math.min(text.length, from + unitsMax)
    const places = this.#counts
    const wraps = this.#wraps
    places[1] = 0
    wraps[1] = 0
    this.count = 0
    this.end = -1
    let depth = 1
    let sign = from - 1
    for (let i = from; i < limit; i++) {
      const code = text.charCodeAt(i)
      switch (code < 128 ? (sorts[code] as number) : sortOfNothing) {
        case sortOfNothing:
          break
        case sortOfOpen:
          if (++depth > depthMax) return
          places[depth] = 0
          // A literal wrapped in a call, `Some("...")` or `String::from("...")`, is preceded by what precedes the call.
          wraps[depth] = code === 40 && inSet(wordSet, codeAt(text, i - 1)) ? 1 : 0
          if (wraps[depth] === 0) sign = i
          break
        case sortOfClose:
          if (--depth > 0) break
          this.end = i + 1
          return
        case sortOfComma:
          places[depth] = (places[depth] as number) + 1
          wraps[depth] = 0
          sign = i
          break
        case sortOfQuote: {
          const open = code === 92 ? escapedQuote(text, i) : i
          if (open < 0) break
          const end = textEnd(text, open, open - i, limit)
          // In some languages an apostrophe begins a comment: `"...", ' the key`.
          if (end < 0 && code === 39) break
          if (end < 0) return
          const outer = depth - (wraps[depth] as number)
          if (!this.#add(text, open + 1, end - (open - i), outer, places[outer] as number, sign)) return
          i = end
          break
        }
        case sortOfColon:
          if (codeAt(text, i + 1) !== 58 && codeAt(text, i - 1) !== 58) sign = i
          break
        case sortOfEnd:
          return
        default:
          sign = i
      }
    }
  }

  #add(text: string, start: number, end: number, depth: number, place: number, sign: number): boolean {
    if (this.count === literalsMax) return false
    const quote = runEnd(text, end, backslashSet, backslashesMax)
    this.#starts[this.count] = start
    this.#ends[this.count] = end
    this.#depths[this.count] = depth
    this.#places[this.count] = place
    this.#signs[this.count] = sign
    this.#before[this.count] = codeAt(text, sign)
    this.#after[this.count] = codeAt(text, runEnd(text, quote + 1, spaceSet, 64))
    this.count++
    return true
  }
}

/** The quote behind backslashes, as in program text within JSON; -1 if there is none. */
function escapedQuote(text: string, at: number): number {
  let i = at
  while (i - at < backslashesMax && codeAt(text, i) === 92) i++
  return inSet(quoteSet, codeAt(text, i)) ? i : -1
}

/** The closing quote, with as many backslashes before it as the opening one; -1 if there is none on its line. */
function textEnd(text: string, open: number, backslashes: number, limit: number): number {
  const quote = text.charCodeAt(open)
  for (let i = open + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) return -1
    if (code === quote && i - runStart(text, i, backslashSet, backslashesMax) === backslashes) return i
  }
  return -1
}
