/** Reads the texts in quotes between two brackets of program text, of whatever language, without knowing the language. */
import { charSet, codeAt, inSet, runEnd, runStart, wordSet } from '../text/chars.ts'

const unitsMax = 480
const literalsMax = 12
const depthMax = 4
const backslashesMax = 4

const quoteSet = charSet('"\'`')
const backslashSet = charSet('\\')
const blankSet = charSet(' \t\r\n')

const sortOfNothing = 1
const sortOfOpen = 2
const sortOfClose = 3
const sortOfComma = 4
const sortOfQuote = 5
const sortOfColon = 6
const sortOfEnd = 7
/** What each character of ASCII is among arguments; what names, members and blanks are made of is nothing, and 0 is any other sign. */
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

/** The texts between two brackets. A single object serves all readings. */
export class LiteralList {
  count = 0
  /** Past the closing bracket; -1 where it is too far. */
  end = -1
  readonly #starts = new Int32Array(literalsMax)
  readonly #ends = new Int32Array(literalsMax)
  readonly #depths = new Uint8Array(literalsMax)
  readonly #places = new Uint16Array(literalsMax)
  readonly #before = new Uint16Array(literalsMax)
  readonly #signs = new Int32Array(literalsMax)
  readonly #after = new Uint16Array(literalsMax)

  /** How many elements were read of each open bracket, and whether it is that of a call with nothing in it so far. */
  readonly #counts = new Uint16Array(depthMax + 1)
  readonly #wraps = new Uint8Array(depthMax + 1)

  /** Where text `i` starts, behind its quote. */
  start(i: number): number {
    return this.#starts[i] as number
  }

  /** Where its closing quote stands, or the first of the backslashes before that. */
  endOf(i: number): number {
    return this.#ends[i] as number
  }

  /** In how many brackets it stands, counted from the first one, and without those of a call that has nothing else in it. */
  depth(i: number): number {
    return this.#depths[i] as number
  }

  /** How many elements stand before it in its bracket. */
  place(i: number): number {
    return this.#places[i] as number
  }

  /** The last sign before it, over blanks and what wraps it: a bracket, a comma, a colon. */
  signBefore(i: number): number {
    return this.#before[i] as number
  }

  /** Where that sign stands. */
  signAt(i: number): number {
    return this.#signs[i] as number
  }

  /** The first sign behind it, over blanks. */
  signAfter(i: number): number {
    return this.#after[i] as number
  }

  /**
   * Reads the texts behind the bracket that ends before `from`, in 480 units, of which twelve at most are told, in four
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
          // `Some("...")`, `String::from("...")`: what stands before the call stands before such a text.
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
          // What a remark begins with in some languages, or has for an apostrophe: `"...", ' the key`.
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
    this.#after[this.count] = codeAt(text, runEnd(text, quote + 1, blankSet, 64))
    this.count++
    return true
  }
}

/** The quote behind backslashes, as program text in a text of JSON has it; -1 where none stands there. */
function escapedQuote(text: string, at: number): number {
  let i = at
  while (i - at < backslashesMax && codeAt(text, i) === 92) i++
  return inSet(quoteSet, codeAt(text, i)) ? i : -1
}

/** The quote that closes, with as many backslashes before it as the opening one has; -1 where none does on its line. */
function textEnd(text: string, open: number, backslashes: number, limit: number): number {
  const quote = text.charCodeAt(open)
  for (let i = open + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) return -1
    if (code === quote && i - runStart(text, i, backslashSet, backslashesMax) === backslashes) return i
  }
  return -1
}
