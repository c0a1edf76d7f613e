/** Where a text in quotes ends, in the ways in which languages write a quote inside of it. */
import { charSet, codeAt, runStart } from '../text/chars.ts'

const quotedUnitsMax = 4096
const backslash = 92
/** A text in JSON in JSON in JSON has this many before its quotes, and fifteen before those inside. */
const backslashesMax = 32

/**
 * The place of the quote, or of the first backslash before it, that closes a text; the end of the line where none does.
 * @param escapes how many backslashes stand before the quote that opens it
 */
export function quotedEnd(text: string, start: number, quote: number, escapes: number): number {
  const limit = Math.min(text.length, start + quotedUnitsMax)
  let first = -1
  let i = start
  for (; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 && quote !== 96) break
    if (code === quote) {
      const inner = escapes === 0 && i > start ? innerEnd(text, i, quote) : -1
      if (inner < 0) return i
      // Without a quote behind it this was the end after all.
      if (first < 0) first = i
      i = inner - 1
    } else if (code === backslash) {
      const run = backslashesEnd(text, i) - i
      if (escapes === 0) i += run % 2 === 0 ? run - 1 : run
      else if (codeAt(text, i + run) !== quote) i += run - 1
      else if (closesAt(run, escapes)) return i
      else i += run
    }
  }
  // The text may break off behind a backslash.
  return first < 0 ? outerEnd(text, start, Math.min(i, limit), quote) : first
}

/** Where a text that nothing closes up to `end` gives way to what closes the text around it: `{"key": "7f3a` in graves. */
function outerEnd(text: string, start: number, end: number, quote: number): number {
  if (quote === grave || codeAt(text, end) !== 10) return end
  const behind = runStart(text, end, behindTextSet, behindTextUnits)
  return behind > start + 1 && codeAt(text, behind - 1) === grave ? behind - 1 : end
}
const grave = 96
/** What may follow on a text, at the end of a line of a program. */
const behindTextSet = charSet(',;)')
const behindTextUnits = 4

function backslashesEnd(text: string, at: number): number {
  let i = at
  while (i - at < backslashesMax && codeAt(text, i) === backslash) i++
  return i
}

/**
 * Whether a quote behind so many backslashes closes a text that was opened behind `escapes` of them. Each turn of
 * escaping makes 2n + 1 of n, so what is left of them when all turns are undone tells: an odd number escapes the quote.
 */
function closesAt(run: number, escapes: number): boolean {
  const left = (run + 1) / (escapes + 1) - 1
  return left <= 0 || !Number.isInteger(left) || left % 2 === 0
}

/** Past a quote that is written twice, as in YAML and SQL, or as `'\\''`, as in shells; -1 where a quote closes. */
function innerEnd(text: string, at: number, quote: number): number {
  if (quote === 96) return -1
  if (codeAt(text, at + 1) === quote) {
    let end = at + 2
    while (end - at < quotesMax && codeAt(text, end) === quote) end++
    return (end - at) % 2 === 0 && goesOn(text, end, quote) ? end : -1
  }
  const isShell = quote === 39 && text.startsWith("\\''", at + 1)
  return isShell && goesOn(text, at + 4, quote) ? at + 4 : -1
}

const quotesMax = 8

/** Whether more of a text may stand there: not another quote, and not the end of the line. */
function goesOn(text: string, at: number, quote: number): boolean {
  const code = codeAt(text, at)
  return code > 32 && code !== quote
}

const tripledUnitsMax = 512

/** Where a text between three quotes on either side ends, on the same line; -1 where it does not. */
export function tripledEnd(text: string, start: number, quote: number): number {
  const limit = Math.min(text.length - 2, start + tripledUnitsMax)
  for (let i = start; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) return -1
    if (code === backslash) i++
    else if (code === quote && text.charCodeAt(i + 1) === quote && text.charCodeAt(i + 2) === quote) return i
  }
  return -1
}
