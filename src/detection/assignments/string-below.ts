/**
 * Strings that stand apart from their name: below it, where formatters put them if both are too long for one line, and in
 * braces.
 */
import { blankSet, charSet, codeAt, inSet, quoteSet, runEnd } from '../text/chars.ts'
import { endsLine, skipSpace } from './lexing.ts'

/** What may close a bracket, a member or a statement behind such a string. */
const tailSet = charSet(' ,;)]}')
const tailUnitsMax = 8

/**
 * Where the quote of an indented string on the next line stands: below `const apiKey =`, `apiKey:`.
 * @param at behind the operator; a bracket may open there, as in Python
 * @returns -1 if there is none
 */
export function stringBelow(text: string, at: number): number {
  const end = codeAt(text, at) === 40 ? at + 1 : at
  const lineBreak = codeAt(text, end) === 13 ? end + 1 : end
  if (codeAt(text, lineBreak) !== 10) return -1
  const quote = skipSpace(text, end)
  const code = codeAt(text, quote)
  if ((code !== 34 && code !== 39) || !inSet(blankSet, codeAt(text, quote - 1))) return -1
  // An empty line ends what precedes it.
  return text.slice(lineBreak + 1, quote).includes('\n') ? -1 : quote
}

/**
 * The quote of a string in braces, as JSX writes the value of an attribute: `apiKey={"..."}`; -1 if there is none.
 * @param at where the brace may stand
 */
export function stringInBraces(text: string, at: number): number {
  if (codeAt(text, at) !== 123) return -1
  const quote = skipSpace(text, at + 1)
  return inSet(quoteSet, codeAt(text, quote)) ? quote : -1
}

/** Whether the brace before a string whose closing quote is at `end` closes behind it. */
export function closesBraces(text: string, end: number): boolean {
  return codeAt(text, skipSpace(text, end + 1)) === 125
}

/** Whether a string whose closing quote is at `end` ends its line. In a map of the next line a colon follows it. */
export function fillsLineBelow(text: string, end: number): boolean {
  return endsLine(text, runEnd(text, end + 1, tailSet, tailUnitsMax))
}
