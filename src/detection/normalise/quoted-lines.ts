/**
 * The marks that mail and Markdown put before each line of a text that they quote: `> `, and `> > ` or `>> ` where what is
 * quoted quotes. Behind an answer they stand in the midst of a text.
 *
 * Source of facts: RFC 3676 section 4.5 (quoting); CommonMark 0.31.2, "Block quotes".
 */
import { codeAt } from '../text/chars.ts'

/** How far from its beginning a text is searched for a quotation. */
const searchUnits = 4096

const blank = 32
const greater = 62

/**
 * Where the marks of a quoted line end.
 * @returns `line` if it has none; the prompt of Python, `>>> `, is none
 */
export function quoteEnd(text: string, line: number): number {
  if (codeAt(text, line) !== greater || text.startsWith('>>>', line)) return line
  let i = line + 1
  while (codeAt(text, i) === greater || (codeAt(text, i) === blank && codeAt(text, i + 1) === greater)) i++
  return codeAt(text, i) === blank ? i + 1 : i
}

/** Whether the lines at and behind `line` are quoted. One alone may be the output of a program. */
export function beginsQuote(text: string, line: number): boolean {
  if (quoteEnd(text, line) === line) return false
  const next = text.indexOf('\n', line) + 1
  return next > 0 && quoteEnd(text, next) > next
}

/** Whether a text has a quotation near its beginning. */
export function hasQuote(text: string): boolean {
  if (beginsQuote(text, 0)) return true
  const searched = text.length > searchUnits ? text.slice(0, searchUnits) : text
  for (let i = searched.indexOf('\n>'); i >= 0; i = searched.indexOf('\n>', i + 1)) {
    if (beginsQuote(text, i + 1)) return true
  }
  return false
}
