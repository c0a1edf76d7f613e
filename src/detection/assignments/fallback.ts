/** The literal that an expression falls back on: `env["PW"] ?: "..."`, `find(name).orElse("...")`. */
import { backslashSet, charSet, codeAt, inSet, runEnd, runStart, stringQuoteSet } from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'

const expressionUnitsMax = 120
const quotesMax = 6
/** Characters before an expression. One that begins with a literal has no fallback. */
const openingSet = charSet(' \t=:([')
const openingUnitsMax = 12
/** Characters that end the expression, so that a literal behind them belongs to another one. */
const endSet = charSet('\n\r;')
/** Finds the next quote or end. */
const quoteOrEnd = new NextOf(charSet('"\'', '\n\r;'))

/** What directly precedes the fallback: operators and, in languages without one, words and calls. */
const marks = [
  ...['?: ', '?? ', '|| ', ' or ', ' else ', '.orElse(', '.getOrElse(', '.orDefault(', '.unwrap_or(', '.unwrapOr('],
  ...['.defaultValue ', '.withDefault ', 'None -> ', 'Nothing -> ', '_ -> ', 'nil -> ', '(default=', '(default = '],
  ...['.unwrap_or(String::from(', 'fallback=', 'fallback = ', 'unset=', 'unset = ', 'else { '],
  ...['.unwrap_or_else(|_| ', '.unwrap_or_else(|| ', '.orElseGet(() -> '],
  // Perl.
  ...['} // ', '] // '],
  ...['default: ', 'fallback: ', ') { ']
]
/** By their last two characters, which hardly precede a quote anywhere else. */
const marksByTail = Map.groupBy(marks, (mark) => mark.slice(-2))

/**
 * The quote of the literal that the expression from `from` on falls back on, on the same line.
 * @param textNumber identifies the text, so that a text without quotes is read once; 0 for none
 * @returns -1 if there is none
 */
export function fallbackAt(text: string, from: number, textNumber = 0): number {
  if (inSet(stringQuoteSet, codeAt(text, runEnd(text, from, openingSet, openingUnitsMax)))) return -1
  const limit = Math.min(text.length, from + expressionUnitsMax)
  let quotes = 0
  for (let i = from; quotes < quotesMax; i++) {
    i = quoteOrEnd.at(text, i, limit, textNumber)
    if (i >= limit || inSet(endSet, text.charCodeAt(i))) return -1
    quotes++
    const start = runStart(text, i, backslashSet, 4)
    const likely = marksByTail.get(text.slice(start - 2, start))
    if (likely?.some((mark) => start - mark.length >= from && text.endsWith(mark, start))) return i
    const quote = text.charCodeAt(i)
    do i++
    while (i < limit && text.charCodeAt(i) !== quote)
  }
  return -1
}
