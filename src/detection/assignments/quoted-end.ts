/** Where a quoted text ends, in the ways in which languages write a quote within one. */
import { charSet, codeAt, runStart, wordEndIn } from '../text/chars.ts'

const quotedUnitsMax = 4096
const backslash = 92
const grave = 96
/**
 * The most backslashes before a quote. JSON nested four levels deep has seven before its quotes, and fifteen before
 * those within.
 */
const backslashesMax = 32

/**
 * The place of the closing quote, or of the first backslash before it; the end of the line if there is none, and that of
 * the first word behind a backtick.
 * @param escapes the number of backslashes before the opening quote
 * @param unitsMax how far to read, in code units. Behind doubled quotes, a closing one counts only if it is as near
 */
export function quotedEnd(
  text: string,
  start: number,
  quote: number,
  escapes: number,
  unitsMax = quotedUnitsMax
): number {
  const limit = Math.min(text.length, start + unitsMax)
  let first = -1
  let lineBreak = -1
  let i = start
  for (; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) {
      if (quote !== grave) break
      if (lineBreak < 0) lineBreak = i
    }
    // Sentences follow on the next lines: nothing closes this one, and a further backtick opens another.
    if (code === 32 && lineBreak >= 0 && text.charCodeAt(i - 1) > 32) return wordEndIn(text, start, lineBreak)
    if (code === quote) {
      const inner = escapes === 0 && i > start ? innerEnd(text, i, quote) : -1
      if (inner < 0) return i
      // If no further quote follows, this one was the end.
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
  if (lineBreak >= 0) return wordEndIn(text, start, lineBreak)
  // The text may break off behind a backslash.
  return first < 0 ? outerEnd(text, start, Math.min(i, limit), quote) : first
}

/** Where an unterminated text ends because the string around it does: `{"key": "7f3a` in backticks. */
function outerEnd(text: string, start: number, end: number, quote: number): number {
  if (quote === grave || codeAt(text, end) !== 10) return end
  const behind = runStart(text, end, behindTextSet, behindTextUnits)
  return behind > start + 1 && codeAt(text, behind - 1) === grave ? behind - 1 : end
}
/** Characters that may follow a string at the end of a line of program text. */
const behindTextSet = charSet(',;)')
const behindTextUnits = 4

function backslashesEnd(text: string, at: number): number {
  let i = at
  while (i - at < backslashesMax && codeAt(text, i) === backslash) i++
  return i
}

/**
 * Whether a quote behind `run` backslashes closes a text that was opened behind `escapes` of them. Each level of
 * escaping turns n backslashes into 2n + 1; after undoing all levels, an odd number escapes the quote.
 */
function closesAt(run: number, escapes: number): boolean {
  const left = (run + 1) / (escapes + 1) - 1
  return left <= 0 || !Number.isInteger(left) || left % 2 === 0
}

/** Past a doubled quote, as in YAML and SQL, or `'\\''`, as in shells; -1 if the quote closes. */
function innerEnd(text: string, at: number, quote: number): number {
  if (quote === 96) return -1
  if (codeAt(text, at + 1) === quote) {
    let end = at + 2
    while (end - at < quotesMax && codeAt(text, end) === quote) end++
    return (end - at) % 2 === 0 && goesOn(text, end, quote) ? end : -1
  }
  if (quote !== 39) return -1
  let end = at
  while (end - at < shellQuotesMax * 4 && text.startsWith("'\\''", end)) end += 4
  return end > at && goesOn(text, end, quote) ? end : -1
}

const quotesMax = 8
const shellQuotesMax = 4

/** Whether more of a text may follow: not another quote, and not the end of the line. */
function goesOn(text: string, at: number, quote: number): boolean {
  const code = codeAt(text, at)
  return code > 32 && code !== quote
}

const tripledUnitsMax = quotedUnitsMax

/** Where a triple-quoted text ends on the same line; -1 if it does not. */
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
