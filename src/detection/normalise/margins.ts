/**
 * Texts in which a tool has put something before each line that it shows: listings with line numbers, lines that
 * grep found, logs that were collected, and the hunks of diffs and patches. Agents read and write nearly all files in
 * this way, and what a value stands in (a table, a section, an element and its name on the line above) is only seen once
 * the margin is gone. The line break is left out, too, where a terminal cut a line.
 *
 * Source of facts: GNU coreutils, "cat invocation" and "nl invocation"; the tool results of Claude Code, OpenCode, SWE-agent
 * and Cline; GNU diffutils, "Detailed Description of Unified Format"; the patches that Codex applies.
 */
import { charSet, codeAt, digitSet, hexSet, inSet, nextLine, runEnd } from '../text/chars.ts'
import { collectedEnd } from './collected-lines.ts'
import { foundEnd, foundNumber, foundPath } from './found-lines.ts'
import { beginsQuote, hasQuote, quoteEnd } from './quoted-lines.ts'
import { runOf } from './run-of.ts'
import { goesOnBelow, wrapColumns } from './wrapped-lines.ts'

/** Two lines with a margin and a value in one of them have more units than this. */
const unitsMin = 12
/** A text has a margin from its first or second line on, or behind the tags with which some tools begin. */
const tagLinesMax = 8
const firstLineUnitsMax = 512
const gutterStartSet = charSet(' L', '0-9')
const blanksMax = 8
const digitsMax = 7
/** How texts begin that hold hunks. */
const patchHead = '*** Begin Patch'
const diffHeads = ['diff ', 'commit ', 'Index: ', '--- ', '@@ -', 'From ', patchHead]
const diffStartSet = charSet(diffHeads.map((head) => head.charAt(0)).join(''))
const patchEnd = '*** End Patch'
const patchMark = '*** '

const tab = 9
const lineFeed = 10
const blank = 32
const star = 42
const plus = 43
const comma = 44
const minus = 45
const colon = 58
const less = 60
const greater = 62
const at = 64
const letterL = 76
const backslash = 92
const stroke = 124
const arrow = 0x2192

/** What separates a number from its line. Others than these two also occur in tables and lists, so more lines must count up. */
const isRareSign = (sign: number): boolean => sign === tab || sign === arrow
/** Those of the signs that separate cells as well. */
const isCellSign = (sign: number): boolean => sign === tab || sign === stroke
const endsIntroduction = (code: number): boolean => code === colon || code === greater || code === 93 || code === 41

/** Whether a text begins like one whose lines have a margin. Looks at its beginning only. */
export const hasMargin = (text: string): boolean =>
  mayHaveLines(text) && (hasToolMargin(text) || hasQuote(text) || wrapColumns(text) > 0)

/** Most texts of a request are a word or a line. Looks for no line break in a long text, which most often has one. */
const mayHaveLines = (text: string): boolean =>
  text.length >= unitsMin && (text.length >= firstLineUnitsMax || text.includes('\n'))

/** Whether it begins like one in which a tool put something before each line. */
function hasToolMargin(text: string): boolean {
  const first = text.charCodeAt(0)
  if (inSet(diffStartSet, first) && diffHeads.some((head) => text.startsWith(head))) return true
  const tries = first === less ? tagLinesMax : 2
  for (let i = 0, line = 0; i < tries && line >= 0; i++) {
    if (inSet(gutterStartSet, codeAt(text, line)) && new MarginReader(text).beginsRun(line)) return true
    if (foundPath(text, line) >= 0 || beginsCollected(text, line)) return true
    line = nextLine(text, line, firstLineUnitsMax)
  }
  return false
}

/** Whether a collector of logs put something before the line and the next one, and no head of a table stands above. */
function beginsCollected(text: string, line: number): boolean {
  const end = collectedEnd(text, line)
  if (end < 0 || isCellUnderHead(text, line, end)) return false
  const next = text.indexOf('\n', line) + 1
  if (next === 0 || collectedEnd(text, next) < 0) return false
  return !text.slice(line, end).includes('|') || namesAgain(text, line)
}

/**
 * Whether one of the containers of the lines from `line` on is named again soon. A list of names and values, as
 * `ssn_1 | ...` above `ssn_2 | ...`, has each name once.
 */
function namesAgain(text: string, line: number): boolean {
  const names = new Set<string>()
  for (let i = line; names.size < namesMax && collectedEnd(text, i) > 0;) {
    const name = text.slice(i, text.indexOf('|', i))
    if (names.has(name)) return true
    names.add(name)
    i = text.indexOf('\n', i) + 1
    if (i === 0) return false
  }
  return false
}
/** How many of them are looked at. */
const namesMax = 8

/** Whether a sign that separates cells ends the first cell in `[line, end)`, and stands in the line above as well. */
function isCellUnderHead(text: string, line: number, end: number): boolean {
  const margin = text.slice(line, end)
  const sign = margin.includes('\t') ? tab : stroke
  return margin.includes(String.fromCharCode(sign)) && standsInLine(text, line - 1, sign)
}

/** Reads a text without its margin, and knows where each unit stands in it. */
export class MarginReader {
  /** The text without the margin, as far as it is read. */
  plain = ''
  readonly #text: string
  #pieces: string[] = []
  /** Where pieces begin in the text without the margin, and where they stand in the text. */
  readonly #units: number[] = []
  readonly #places: number[] = []
  #length = 0
  #at = 0
  /** Where the piece begins that is being read. */
  #from = 0
  /** The number and the sign of the line above, in a listing. */
  #number = -1
  #sign = 0
  /** The path that grep put before the number of the line above; undefined in other listings. */
  #path: string | undefined
  /** How many lines of either side the hunk still has. */
  #before = 0
  #behind = 0
  #isPatch = false
  /** Whether a collector of logs put something before the line above. */
  #isCollected = false
  /** Behind how many columns a terminal cut the lines, and whether it cut the line above there. */
  #columns = 0
  #goesOn = false
  /** Whether the line above is quoted. */
  #isQuoted = false
  /** Whether quotations are all that has a margin, so that other lines need not be read. */
  #hasQuotesOnly = false
  /** Where the gutter ends that was read last, and the number and sign in it. */
  #gutterEnd = 0
  #gutterNumber = 0
  #gutterSign = 0

  constructor(text: string) {
    this.#text = text
  }

  /**
   * Reads on.
   * @param units about how many code units
   * @returns whether the text is read
   */
  step(units: number): boolean {
    const text = this.#text
    if (this.#at === 0) {
      this.#columns = wrapColumns(text)
      this.#hasQuotesOnly = this.#columns === 0 && !hasToolMargin(text)
    }
    for (const until = this.#at + units; this.#at < until && this.#at < text.length;) {
      const line = this.#at
      const margin = this.#goesOn ? line : this.#marginEnd(line)
      if (margin > line) this.#leaveOut(line, margin)
      const end = text.indexOf(this.#hasQuotesOnly && !this.#isQuoted ? '\n>' : '\n', margin)
      this.#at = end < 0 ? text.length : end + 1
      this.#goesOn = this.#columns > 0 && goesOnBelow(text, line, end, this.#columns)
      if (this.#goesOn) this.#leaveOut(end, end + 1)
    }
    const isRead = this.#at === text.length
    if (isRead) this.#leaveOut(text.length, text.length)
    this.plain += this.#pieces.join('')
    this.#pieces = []
    return isRead
  }

  /** Where a unit of the text without the margin stands in the text. */
  placeOf(unit: number): number {
    const run = runOf(this.#units, unit)
    return (this.#places[run] as number) + unit - (this.#units[run] as number)
  }

  /** Whether the lines at and behind `line` are numbered. */
  beginsRun(line: number): boolean {
    if (!this.#readGutter(line)) return false
    const number = this.#gutterNumber
    const sign = this.#gutterSign
    const linesMin = isRareSign(sign) ? 2 : 3
    if (!this.#isIntroduced(line, sign)) return false
    for (let i = 1, next = line; i < linesMin; i++) {
      next = this.#text.indexOf('\n', next) + 1
      if (next === 0 || !this.#readGutter(next)) return false
      if (this.#gutterNumber !== number + i || this.#gutterSign !== sign) return false
    }
    return this.#readGutter(line)
  }

  /** Whether a listing may begin at `line`: not below the head of a table, whose first column may count up as well. */
  #isIntroduced(line: number, sign: number): boolean {
    const text = this.#text
    let i = line - 1
    while (i > 0 && codeAt(text, i - 1) === 13) i--
    const code = codeAt(text, i - 1)
    if (line === 0 || i <= 0 || code === lineFeed) return true
    return endsIntroduction(code) && !(isCellSign(sign) && standsInLine(text, i, sign))
  }

  /** Adds what was read since the last margin, and leaves out `[from, to)`. */
  #leaveOut(from: number, to: number): void {
    if (from > this.#from) {
      this.#units.push(this.#length)
      this.#places.push(this.#from)
      this.#pieces.push(this.#text.slice(this.#from, from))
      this.#length += from - this.#from
    }
    this.#from = to
  }

  /** Where the margin of the line ends; `line` if it has none. */
  #marginEnd(line: number): number {
    const text = this.#text
    const code = codeAt(text, line)
    if (this.#hasQuotesOnly) return this.#readsQuoted(line, code) ? quoteEnd(text, line) : line
    if (code === star && text.startsWith(patchMark, line)) {
      this.#isPatch = text.startsWith(patchHead, line) || (this.#isPatch && !text.startsWith(patchEnd, line))
      return line
    }
    if (code === minus && isPemLine(text, line)) return line
    if (this.#isPatch) return code === plus || code === minus || code === blank ? line + 1 : line
    if (this.#before + this.#behind > 0) return this.#hunkMargin(line, code)
    if (code === at) {
      this.#number = -1
      this.#readHunkHead(line)
      return line
    }
    if (this.#number >= 0 && this.#readNext(line)) {
      if (this.#gutterNumber === this.#number + 1 && this.#gutterSign === this.#sign) return this.#numbered()
    }
    this.#number = -1
    this.#isCollected = this.#isCollected ? collectedEnd(text, line) > 0 : beginsCollected(text, line)
    if (this.#isCollected) return collectedEnd(text, line)
    if (this.#readsQuoted(line, code)) return quoteEnd(text, line)
    return this.#beginsFound(line) || this.beginsRun(line) ? this.#numbered() : line
  }

  #readsQuoted(line: number, code: number): boolean {
    this.#isQuoted = this.#isQuoted ? code === greater : beginsQuote(this.#text, line)
    return this.#isQuoted
  }

  /** Whether the lines from `line` on are some that grep found. */
  #beginsFound(line: number): boolean {
    const path = foundPath(this.#text, line)
    this.#path = path < 0 ? undefined : this.#text.slice(line, line + path)
    return this.#path !== undefined && this.#readFound(line, this.#path)
  }

  #readNext(line: number): boolean {
    return this.#path === undefined ? this.#readGutter(line) : this.#readFound(line, this.#path)
  }

  #readFound(line: number, path: string): boolean {
    const text = this.#text
    const end = text.startsWith(path, line) ? foundEnd(text, line, path.length) : -1
    if (end < 0) return false
    this.#gutterNumber = foundNumber(text, line, path.length, end)
    this.#gutterSign = colon
    this.#gutterEnd = end
    return true
  }

  #numbered(): number {
    this.#number = this.#gutterNumber
    this.#sign = this.#gutterSign
    return this.#gutterEnd
  }

  /** Reads blanks, a number and a sign. @returns whether the line begins with them */
  #readGutter(line: number): boolean {
    const text = this.#text
    let i = line
    while (codeAt(text, i) === blank && i < line + blanksMax) i++
    if (codeAt(text, i) === letterL) i++
    const end = runEnd(text, i, digitSet, digitsMax + 1)
    if (end === i || end > i + digitsMax) return false
    let to = end
    if (codeAt(text, to) === blank && codeAt(text, to + 1) === stroke) to++
    const sign = codeAt(text, to)
    if (sign !== tab && sign !== arrow && sign !== stroke && sign !== colon) return false
    to++
    if (sign === colon && isGroupOfHex(text, to)) return false
    if ((sign === stroke || sign === colon) && codeAt(text, to) === blank) to++
    this.#gutterNumber = numberIn(text, i, end)
    this.#gutterSign = sign
    this.#gutterEnd = to
    return true
  }

  /** Reads `@@ -1,5 +1,6 @@`; a side without a count has one line. */
  #readHunkHead(line: number): void {
    const text = this.#text
    if (!text.startsWith('@@ -', line)) return
    const first = this.#countAt(line + 4)
    const second = text.startsWith(' +', this.#gutterEnd) ? this.#countAt(this.#gutterEnd + 2) : -1
    if (first < 0 || second < 0 || !text.startsWith(' @@', this.#gutterEnd)) return
    this.#before = first
    this.#behind = second
  }

  /** The count of lines in a range such as `12,5`; -1 if there is no range. */
  #countAt(from: number): number {
    const text = this.#text
    const end = runEnd(text, from, digitSet, digitsMax)
    this.#gutterEnd = end
    if (end === from) return -1
    if (codeAt(text, end) !== comma) return 1
    this.#gutterEnd = runEnd(text, end + 1, digitSet, digitsMax)
    return numberIn(text, end + 1, this.#gutterEnd)
  }

  #hunkMargin(line: number, code: number): number {
    if (code === backslash) return line
    const isBoth = code === blank || code === lineFeed || code === 13
    if (!isBoth && code !== plus && code !== minus) {
      this.#before = 0
      this.#behind = 0
      return line
    }
    if (code !== plus && this.#before > 0) this.#before--
    if (code !== minus && this.#behind > 0) this.#behind--
    return code === lineFeed || code === 13 ? line : line + 1
  }
}

/** Whether hexadecimal digits and a further group stand at `from`, as in an IPv6 address or a time: `2001:db8:...`. */
function isGroupOfHex(text: string, from: number): boolean {
  const end = runEnd(text, from, hexSet, groupUnitsMax)
  const next = codeAt(text, end + 1)
  return codeAt(text, end) === colon && (next === colon || inSet(hexSet, next))
}
const groupUnitsMax = 4

/** Whether a sign stands in the line before `to`, as far as it is read. */
function standsInLine(text: string, to: number, sign: number): boolean {
  for (let i = to - 1; i >= 0 && i > to - firstLineUnitsMax; i--) {
    const code = text.charCodeAt(i)
    if (code === lineFeed) return false
    if (code === sign) return true
  }
  return false
}

/** Whether a line is the head or the foot of a key, whose dashes are no margin where a tool or a model left that out. */
const isPemLine = (text: string, line: number): boolean =>
  text.startsWith('-----BEGIN ', line) || text.startsWith('-----END ', line)

function numberIn(text: string, from: number, to: number): number {
  let number = 0
  for (let i = from; i < to; i++) number = number * 10 + text.charCodeAt(i) - 48
  return number
}
