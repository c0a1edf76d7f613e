/** Finds long runs of base64 letters, and decodes the text in them. */
import {
  anyBase64Set,
  blankSet,
  charSet,
  countOf,
  digitSet,
  inSet,
  lowerSet,
  runEnd,
  runStart,
  upperSet
} from '../text/chars.ts'
import type { TextBlock } from '../engine/text-block.ts'
import { newlineEnd } from './escapes.ts'

/** The shortest run that is looked at, in code units: 18 bytes of text, and the greater part of most keys. */
export const runUnitsMin = 24
/** The longest part of a run that is read in one go. The next part begins a little before its end. */
const runUnitsMax = 8192
const overlapUnits = 512
/** The shortest line of a wrapped base64 block. */
export const wrappedUnitsMin = 60
const indentMax = 16

/** Text that was decoded from base64 in another text. */
export interface Decoded {
  readonly text: string
  /** For each unit of the text, where the letters that encode it begin and end. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** The whole run with its padding; undefined if it is too long to be one value. */
  readonly whole: { readonly start: number; readonly end: number } | undefined
  /** Whether all of it reads as text, and not only its beginning. */
  readonly isText: boolean
  /** Where to continue: past the run, or a little before the end of the part that was read. */
  readonly seenTo: number
}

/**
 * The search checks the first `groupUnits` of every `stepUnits` units; a run of {@link runUnitsMin} covers one of these
 * groups.
 */
const stepUnits = 16
const groupUnits = runUnitsMin - stepUnits

const runByte = new Uint8Array(256)
runByte.set(anyBase64Set)

function isGroup(bytes: Uint8Array, at: number): boolean {
  let all = 1
  for (let i = at; i < at + groupUnits; i++) all &= runByte[bytes[i] as number] as number
  return all === 1
}

/** Looks for runs, block by block, reading half of the units of a text. */
export class RunFinder {
  /** The end of the last run, or of as much of it as is read in one go. */
  end = 0
  /** Whether a digit may be among its letters: in program text most runs are names, and have none. */
  mayHaveDigit = true
  readonly #text: string
  /** No run that was not yet reported begins at or before this place. */
  #bound = -1

  constructor(text: string) {
    this.#text = text
  }

  /** The start of the next run that covers a whole group in the block, or -1. Blocks begin with a group. */
  next(block: TextBlock): number {
    const text = this.#text
    const { bytes, machine, from, to } = block
    const count = to - from
    const first = Math.max(0, this.#bound + 1 - from)
    for (let at = Math.ceil(first / stepUnits) * stepUnits; at + groupUnits <= count; at += stepUnits) {
      if (machine !== undefined) {
        at = machine.group(bytes, count, at)
        if (at < 0) return -1
      } else if (!isGroup(bytes, at)) continue
      const start = this.#startAround(block, at)
      const end = machine === undefined ? start : Math.max(start, from + machine.runEnd)
      this.end = end < to && end > start ? end : runEnd(text, end, anyBase64Set, runUnitsMax - (end - start))
      if (this.end - start < runUnitsMin) continue
      const isWhole = machine !== undefined && machine.runStart >= 0 && end < to && end > start
      this.mayHaveDigit = !isWhole || machine.runHasDigit
      this.#bound = start
      return start
    }
    return -1
  }

  /** The start of the run that covers the group at `at` in the block, if it was not reported already. */
  #startAround({ bytes, machine, from }: TextBlock, at: number): number {
    const least = this.#bound + 1
    if (machine !== undefined && machine.runStart >= 0) return Math.max(least, from + machine.runStart)
    // It began behind the previous group.
    const low = Math.max(at - stepUnits, least - from)
    let start = at
    while (start > Math.max(0, low) && runByte[bytes[start - 1] as number] === 1) start--
    return start > 0 ? from + start : runStart(this.#text, from, anyBase64Set, Math.max(0, -low))
  }

  /** Continues behind what was read of a run. */
  skip(to: number): void {
    this.#bound = Math.max(this.#bound, to - 1)
  }
}

const valueOf = new Int8Array(128).fill(-1)
;[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((letter, value) => {
  valueOf[letter.charCodeAt(0)] = value
})
valueOf[45] = 62
valueOf[95] = 63

/** How many decoded bytes at the start of a run decide whether it is text. */
const headBytes = 15

/**
 * The first of four base64 letters whose first byte is a visible character, a blank, a line break, or the zero of
 * UTF-16.
 */
const headSet = charSet('ACD', 'I-Z', 'a-f')

/** Whether the run at `from`, in groups of four letters, begins like text. */
function beginsLikeText(text: string, from: number, end: number): boolean {
  for (let at = from; at < from + 16; at += 4) if (headSet[text.charCodeAt(at)] !== 1) return false
  let beyond = 0
  let zeros = 0
  for (let group = 0; group < headBytes / 3; group++) {
    const at = from + group * 4
    if (at + 4 > end) return false
    const bits = bitsAt(text, at)
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (bits >> shift) & 255
      if (byte === 0) zeros++
      else if (byte >= 127) beyond++
      else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return false
    }
    if (beyond > 2 || zeros > headBytes / 2 + 1) return false
  }
  return true
}

function bitsAt(text: string, at: number): number {
  let bits = 0
  for (let i = at; i < at + 4; i++) bits = (bits << 6) | (valueOf[text.charCodeAt(i)] as number)
  return bits
}

/** Decodes a run as base64 if it contains text. Up to three letters at its start may not belong to it. */
export function decodeRun(text: string, start: number, end: number): Decoded | undefined {
  for (let from = start; from < start + 4; from++) {
    if (beginsLikeText(text, from, end)) return decode(text, from, start)
  }
  return undefined
}

function decode(text: string, from: number, runBegin: number): Decoded {
  const starts: number[] = []
  const ends: number[] = []
  let out = ''
  let lineStart = runBegin
  let bits = 0
  let letters = 0
  let first = from
  let i = from
  const limit = Math.min(text.length, from + runUnitsMax)
  while (i < limit) {
    const code = text.charCodeAt(i)
    if (anyBase64Set[code] !== 1) {
      const next = wrapEnd(text, i, i - lineStart)
      if (next < 0) break
      lineStart = next
      i = next
      continue
    }
    if (letters === 0) first = i
    bits = (bits << 6) | (valueOf[code] as number)
    letters++
    i++
    if (letters < 4) continue
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (bits >> shift) & 255
      if (byte === 0) continue
      out += String.fromCharCode(byte)
      starts.push(first)
      ends.push(i)
    }
    bits = 0
    letters = 0
  }
  // The last group has two or three letters and one or two bytes.
  for (let left = letters - 1, shift = letters * 6 - 8; left > 0; left--, shift -= 8) {
    const byte = (bits >> shift) & 255
    if (byte === 0) continue
    out += String.fromCharCode(byte)
    starts.push(first)
    ends.push(i)
  }
  let odd = 0
  for (let at = 0; at < out.length; at++) if (isOdd(out.charCodeAt(at))) odd++
  const cut = i === limit && limit < text.length
  let whole = i
  while (whole < i + 2 && text.charCodeAt(whole) === 61) whole++
  return {
    text: out,
    isText: odd * oddShare <= out.length,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    whole: cut ? undefined : { start: from, end: whole },
    seenTo: cut ? i - overlapUnits : whole
  }
}

/** One unprintable byte in this many still makes a text. */
const oddShare = 20

/** Whether a byte does not occur in UTF-8 or UTF-16 text. */
function isOdd(byte: number): boolean {
  return byte < 32 && byte !== 9 && byte !== 10 && byte !== 13
}

/** Past the line break at which a long base64 line is wrapped, and the indent behind it; -1 if it is not wrapped. */
function wrapEnd(text: string, at: number, lineUnits: number): number {
  if (lineUnits < wrappedUnitsMin) return -1
  let next = newlineEnd(text, at)
  if (next < 0 && text.charCodeAt(at) === 92) {
    if (text.startsWith('\\n', at)) next = at + 2
    else if (text.startsWith('\\r\\n', at)) next = at + 4
  }
  if (next < 0) return -1
  next = runEnd(text, next, blankSet, indentMax)
  return anyBase64Set[text.charCodeAt(next)] === 1 && !isOther(text, next, lineUnits) ? next : -1
}

/**
 * Whether something else begins with the line, and not more of the run: `NEXT_NAME=value`, `next: value`, `export X=1`,
 * `EOF`. The last line of a run ends with it, and its groups of four letters begin with the line if those before do.
 */
function isOther(text: string, at: number, lineUnits: number): boolean {
  const end = runEnd(text, at, anyBase64Set, wrappedUnitsMin)
  if (end - at === wrappedUnitsMin || isMixed(text, at, end)) return false
  const behind = text.charCodeAt(end)
  if (inSet(behindSet, behind) && !endsLine(text, end)) return true
  if (behind === 61 && inSet(valueSet, text.charCodeAt(end + 1)) && !endsLine(text, end + 1)) return true
  if (lineUnits % 4 !== 0) return false
  if (behind !== 61) return (end - at) % 4 !== 0 && end - at < wordUnitsMax && isWord(text, at, end)
  const padded = text.charCodeAt(end + 1) === 61 ? end + 2 : end + 1
  return (padded - at) % 4 !== 0
}
const wordUnitsMax = 12
/** Characters behind a name or word. */
const behindSet = charSet(' \t:.([{$@')
/** Characters that begin a value, and stand behind no padding. */
const valueSet = charSet('A-Z', 'a-z', '0-9', '/._$')

/** Whether it is long and of all sorts of letters and digits, as no name is. */
function isMixed(text: string, start: number, end: number): boolean {
  return (
    end - start >= mixedUnitsMin && [upperSet, lowerSet, digitSet].every((set) => countOf(text, start, end, set) > 1)
  )
}
const mixedUnitsMin = 20

/** Whether only blanks and the end of a sentence follow on the line, or in the string literal. */
function endsLine(text: string, at: number): boolean {
  const end = runEnd(text, at, trailSet, trailUnitsMax)
  return end === text.length || inSet(lineEndSet, text.charCodeAt(end))
}
const trailSet = charSet(' \t.')
const trailUnitsMax = 64
const lineEndSet = charSet('\n\r\\"\'`')

/** Whether all of its letters are of one case, but for the first. */
function isWord(text: string, start: number, end: number): boolean {
  const length = end - start
  return runEnd(text, start + 1, lowerSet, length - 1) === end || runEnd(text, start, upperSet, length) === end
}
