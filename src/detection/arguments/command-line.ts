/** Reads a command line as a shell does: into words, with quotes and continued lines, up to the end of the command. */
import {
  backslashSet,
  base62Set,
  charSet,
  codeAt,
  inSet,
  runEnd,
  runStart,
  spaceSet,
  standsAt,
  stringQuoteSet
} from '../text/chars.ts'

const unitsMax = 256
const wordsMax = 24

/** Characters that end a command outside of quotes: a line break, a pipe, a list, a substitution, a redirection. */
const endSet = charSet('\n\r;|&<>)`')
const continuations = charSet('\\`^')

/** The words of one command. A single object serves all readings and holds only numbers. */
export class CommandLine {
  count = 0
  readonly #starts = new Int32Array(wordsMax)
  readonly #ends = new Int32Array(wordsMax)

  /** Where word `i` starts, behind its opening quote. */
  start(i: number): number {
    return this.#starts[i] as number
  }

  /** Where word `i` ends, before its closing quote. */
  wordEnd(i: number): number {
    return this.#ends[i] as number
  }

  /**
   * Reads the words from `from` on, at most 24 in 256 units, up to where the command is named again and the next one
   * begins.
   * @param name the name of the command, in lower case
   */
  read(text: string, from: number, name: string): void {
    const limit = Math.min(text.length, from + unitsMax)
    this.count = 0
    let i = from
    while (this.count < wordsMax) {
      i = skipGap(text, i, limit)
      if (i >= limit || inSet(endSet, text.charCodeAt(i)) || standsAt(text, i, name)) break
      const next = this.#word(text, i, limit)
      if (next < 0) break
      i = next
    }
  }

  /**
   * @returns where the word ends; -1 if it is the last word and a quote behind it closes the string around the whole
   *   command
   */
  #word(text: string, from: number, limit: number): number {
    const quote = text.charCodeAt(from)
    if (quote === 34 || quote === 39) {
      const close = quotedEnd(text, from + 1, quote, limit)
      if (close < 0) return -1
      if (!continuesWord(text, close + 1)) {
        this.#add(from + 1, close)
        return close + 1
      }
    }
    const written = quote === 92 ? this.#escapedWord(text, from, limit) : -1
    if (written >= 0) return written
    let i = from
    for (; i < limit; i++) {
      const code = text.charCodeAt(i)
      if (code <= 32 || inSet(endSet, code)) break
      if (i > from && closesText(text, i)) {
        this.#add(from, i)
        return -1
      }
      // An escaped quote belongs to the word.
      if (code === 92 && codeAt(text, i + 1) === 39) i++
      if (code !== 34 && code !== 39) continue
      // `-p'...'`, `bob%"..."`. An unmatched quote ends the string around the command.
      const close = quotedEnd(text, i + 1, code, limit)
      if (close < 0) {
        this.#add(from, i)
        return -1
      }
      i = close
    }
    this.#add(from, i)
    return i
  }

  /** `\"...\"`: a quoted word of a command that stands in a string literal itself. @returns -1 if it is not one */
  #escapedWord(text: string, from: number, limit: number): number {
    const open = runEnd(text, from, backslashSet, 8)
    const quote = codeAt(text, open)
    if (quote !== 34) return -1
    for (let i = open + 1; i < limit; i++) {
      const code = text.charCodeAt(i)
      if (code === 10) return -1
      if (code !== quote) continue
      const close = runStart(text, i, backslashSet, 8)
      if (i - close !== open - from || close <= open) return -1
      this.#add(open + 1, close)
      return i + 1
    }
    return -1
  }

  #add(start: number, end: number): void {
    this.#starts[this.count] = start
    this.#ends[this.count] = end
    this.count++
  }
}

const memberEndSet = charSet(',}]:')

/** Whether the string around the whole command ends there: `... add-token x7k...","user":`, `... x7k...\"}"`. */
function closesText(text: string, at: number): boolean {
  if (text.charCodeAt(at) === 34) return inSet(memberEndSet, codeAt(text, at + 1))
  const quote = text.charCodeAt(at) === 92 ? runEnd(text, at, backslashSet, 8) : at
  return quote > at && codeAt(text, quote) === 34 && !inSet(base62Set, codeAt(text, quote + 1))
}

/** Whether a shell writes a quote within quotes there: `'it'\\''s'`. */
function continuesWord(text: string, at: number): boolean {
  return codeAt(text, at) === 92 && codeAt(text, at + 1) === 39 && codeAt(text, at + 2) === 39
}

/** Past blanks, line breaks behind a continuation mark, and what separates the words of a list. */
function skipGap(text: string, from: number, limit: number): number {
  let i = from
  // `["ipmitool", "-P", "..."]`: the words as a program passes them.
  if (codeAt(text, i) === 44 && inSet(stringQuoteSet, codeAt(text, i - 1)))
    i = runEnd(text, i + 1, spaceSet, gapUnitsMax)
  for (; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 32 || code === 9) continue
    if (!inSet(continuations, code)) break
    const next = codeAt(text, i + 1) === 13 ? i + 2 : i + 1
    if (codeAt(text, next) !== 10) break
    i = next
  }
  return i
}

const gapUnitsMax = 40

/** Where the quote closes on the same line; -1 if it does not. */
function quotedEnd(text: string, from: number, quote: number, limit: number): number {
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) return i
    if (code === 10) return -1
    if (code === 92 && quote === 34) i++
  }
  return -1
}
