/**
 * What runs of digits may be to the detectors of an engine, as a table for the search in WebAssembly; see
 * `digits-code.ts`.
 */
import { base62Set, charSet, digitSet, letterSet, wordSet, type CharSet } from '../text/chars.ts'
import { beforeSignSet } from '../numbers/number-run.ts'
import {
  besideAt,
  besideBits,
  byteBits,
  formsAt,
  lineRowsAt,
  rowsBytes,
  runUnits,
  shapeHash,
  shapesAt,
  wordsAt
} from './digits-layout.ts'

interface RunPlace {
  readonly always: boolean
  readonly before: CharSet
  readonly beforeThat: CharSet | undefined
  readonly after: CharSet
}

/** What runs of digits trigger. */
interface DigitCallees {
  /** By the number of digits (longer runs last), the characters next to which a run triggers. */
  readonly runs: readonly (readonly RunPlace[])[]
  /** The shape keys of numbers that trigger; that of bare digits is their number. */
  readonly shapes: readonly number[]
  /** By length, the forms of words that trigger: pairs of the positions of digits and of letters. */
  readonly words: readonly (readonly number[])[]
  /** The characters of a line; undefined if lines trigger nothing. */
  readonly line: CharSet | undefined
}

/** The table; undefined if it exceeds its own limits. */
export function digitRules({ runs, shapes, words, line }: DigitCallees): Uint8Array | undefined {
  const pairs = words.reduce((sum, forms) => sum + forms.length, 0)
  const rules = new Uint8Array(formsAt + 4 * pairs)
  if (rules.length > 0xffff) return undefined
  writeBytes(rules, line)
  if (line !== undefined) writeRows(rules.subarray(lineRowsAt, lineRowsAt + rowsBytes), line)
  runs.forEach((places, digits) => {
    const at = besideAt + Math.min(digits, runUnits) * 256
    for (const { always, before, beforeThat, after } of places) {
      if (always) mark(rules, at, undefined, besideBits.before)
      else if (beforeThat === undefined) mark(rules, at, before, besideBits.before)
      else {
        mark(rules, at, before, besideBits.beforeIf)
        mark(rules, at, beforeThat, besideBits.beforeThat)
      }
      mark(rules, at, after, besideBits.after)
    }
  })
  for (const key of shapes) {
    const bit = shapeHash(key)
    rules[shapesAt + (bit >> 3)] = (rules[shapesAt + (bit >> 3)] as number) | (1 << (bit & 7))
  }
  const halves = new Uint16Array(rules.buffer)
  const forms = new Int32Array(rules.buffer, formsAt)
  let at = 0
  words.forEach((ofLength, length) => {
    halves[(wordsAt + 4 * length) / 2] = formsAt + 4 * at
    forms.set(ofLength, at)
    at += ofLength.length
    halves[(wordsAt + 4 * length) / 2 + 1] = formsAt + 4 * at
  })
  return rules
}

function writeBytes(rules: Uint8Array, line: CharSet | undefined): void {
  const sets: readonly (readonly [CharSet | undefined, number])[] = [
    [base62Set, byteBits.base62],
    [wordSet, byteBits.word],
    [line, byteBits.line],
    [digitSet, byteBits.digit],
    [charSet(' -./'), byteBits.separator],
    [line && charSet('\0\r\n'), byteBits.lineBreak],
    [letterSet, byteBits.letter],
    [beforeSignSet, byteBits.head]
  ]
  for (const [set, bit] of sets) if (set !== undefined) mark(rules, 0, set, bit)
}

/** Writes a set as tables by the lower and the upper half of a code; the upper half of ASCII is one of eight. */
function writeRows(rows: Uint8Array, set: CharSet): void {
  for (let upper = 0; upper < 8; upper++) rows[16 + upper] = 1 << upper
  for (let code = 0; code < set.length; code++)
    if (set[code] === 1) rows[code & 15] = (rows[code & 15] as number) | (1 << (code >> 4))
}

/** Sets a bit for all bytes of a set, or for all bytes if there is none. */
function mark(rules: Uint8Array, at: number, set: CharSet | undefined, bit: number): void {
  for (let code = 0; code < 256; code++)
    if (set === undefined || set[code] === 1) rules[at + code] = (rules[at + code] as number) | bit
}
