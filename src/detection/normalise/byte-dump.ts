/**
 * Dumps of bytes as tools print them, sixteen per line behind their offset: `xxd`, `hexdump` with and without `-C`,
 * `od -c`, `od -t x1`.
 *
 * Source of facts: the manual pages of `xxd`, `hexdump` and `od`, and their output.
 */
import { blankSet, charSet, codeAt, digitSet, hexSet, inSet, runEnd, runStart } from '../text/chars.ts'
import { DecodedText } from './decoded-text.ts'

const lineBytes = 16
const linesMax = 1024
const lineUnitsMax = 120
const indentMax = 24
const cellUnits = 4
/** At least this many bytes of the first line must be text; otherwise nobody reads it as such. */
const textBytesMin = 5
const colon = 58

/** How a tool writes a line. The first line of a dump tells. */
type Layout = 'pairs' | 'words' | 'bytes' | 'characters'

/** Finds dumps at the offset of their first line. */
export class DumpReader {
  readonly #text: string
  /** Everything before this place was read. */
  #seenTo = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the dump whose first offset is the zeros at `at`; undefined if there is none, or it was read already. */
  read(at: number): DecodedText | undefined {
    const text = this.#text
    const from = runStart(text, at, zeroSet, 1)
    const line = runStart(text, from, blankSet, indentMax)
    if (line < this.#seenTo || (line > 0 && codeAt(text, line - 1) !== 10)) return undefined
    const dump = new Dump(text, line)
    this.#seenTo = dump.end
    return dump.isText ? dump : undefined
  }
}
const zeroSet = charSet('0')

class Dump extends DecodedText {
  /** Where the last of its lines ends. */
  end: number
  /** Whether most of its first line is text. */
  isText = false
  readonly #source: string
  readonly #layout: Layout | undefined
  #printable = 0

  constructor(source: string, from: number) {
    super()
    this.#source = source
    this.end = from
    const bytesAt = offsetEnd(source, from)
    this.#layout = layoutAt(source, bytesAt)
    if (this.#layout === undefined) return
    for (let line = from, lines = 0; lines < linesMax && line >= 0; lines++) {
      const next = this.#line(line)
      if (lines === 0)
        this.isText =
          this.#printable >= Math.min(textBytesMin, this.text.length) && this.#printable * 4 >= this.text.length * 3
      if (!this.isText || next < 0) break
      line = next
    }
  }

  /** Reads the bytes of a line. Returns the next line, or -1 if the dump ends. */
  #line(from: number): number {
    const source = this.#source
    const limit = Math.min(source.length, from + lineUnitsMax)
    const start = offsetEnd(source, from)
    if (start < 0) return -1
    let end = start
    while (end < limit && source.charCodeAt(end) !== 10) end++
    this.end = end
    if (this.#layout === 'characters') this.#cells(start, end)
    else this.#digits(start, end)
    return end < limit ? end + 1 : -1
  }

  /** Reads digits in groups, up to the two blanks behind which the bytes follow as text. */
  #digits(start: number, end: number): void {
    const source = this.#source
    let i = start
    for (let bytes = 0; bytes < lineBytes && i < end;) {
      const gap = runEnd(source, i, blankSet, end - i) - i
      // `hexdump -C` separates its two halves by two blanks.
      if (gap > (bytes === 0 || this.#layout === 'bytes' ? 2 : 1)) return
      i += gap
      const group = runEnd(source, i, hexSet, cellUnits)
      if (group === i || (group - i) % 2 === 1) return
      for (let at = i; at < group; at += 2) {
        // A word of two bytes is written with the second byte first.
        const place = this.#layout === 'words' && group - i === 4 ? i + 2 - (at - i) : at
        this.#byte(parseInt(source.slice(place, place + 2), 16), i, end)
        bytes++
      }
      i = group
    }
  }

  /** Characters in cells of four units, or their escapes. */
  #cells(start: number, end: number): void {
    const source = this.#source
    for (let i = start; i + cellUnits <= end; i += cellUnits) {
      const cell = source.slice(i, i + cellUnits).trim()
      const code = cell.length <= 1 ? codeAt(source, i + cellUnits - 1) : (cellEscapes.get(cell) ?? 0)
      this.#byte(code, i, end)
    }
  }

  /** Adds one byte, written in digits at `from` and as text at the end of the line. */
  #byte(code: number, from: number, end: number): void {
    if (code === 0) return
    if (code === 9 || code === 10 || code === 13 || (code >= 32 && code < 127)) this.#printable++
    this.add(String.fromCharCode(code), from, end)
  }
}

const cellEscapes = new Map([
  ['\\n', 10],
  ['\\r', 13],
  ['\\t', 9],
  ['\\\\', 92]
])

/** Past the offset and colon at the start of a line; -1 if there are none. */
function offsetEnd(text: string, line: number): number {
  const from = runEnd(text, line, blankSet, indentMax)
  const end = runEnd(text, from, hexSet, 9)
  if (end - from !== 7 && end - from !== 8) return -1
  if (codeAt(text, end) === colon) return codeAt(text, end + 1) === 32 ? end + 1 : -1
  return codeAt(text, end) === 32 ? end : -1
}

/** The style of the line whose offset ends at `at`; undefined if it is not a line of a dump. */
function layoutAt(text: string, at: number): Layout | undefined {
  if (at < 0) return undefined
  const first = runEnd(text, at, blankSet, cellUnits)
  const units = runEnd(text, first, hexSet, 9) - first
  if (codeAt(text, at - 1) === colon) return first === at + 1 && units >= 2 ? 'pairs' : undefined
  const next = codeAt(text, first + units)
  if (first - at === 2 && units === 2 && next === 32) return 'bytes'
  if (first === at + 1 && units === 2 && next === 32) return 'pairs'
  if (first === at + 1 && units === 4 && next === 32) return 'words'
  return first - at >= 2 && !inSet(digitSet, codeAt(text, at + 1)) && codeAt(text, at + cellUnits - 1) > 32
    ? 'characters'
    : undefined
}
