/** Strings that formatters put below their name where both are too long for one line: `const apiKey =`, `apiKey:`. */
import { blankSet, charSet, codeAt, inSet, runEnd } from '../text/chars.ts'
import { endsLine, skipSpace } from './lexing.ts'

/** What may close a bracket, a member or a statement behind such a string. */
const tailSet = charSet(' ,;)]}')
const tailUnitsMax = 8

/**
 * Where the quote of an indented string on the next line stands.
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

/** Whether a string whose closing quote is at `end` ends its line. In a map of the next line a colon follows it. */
export function fillsLineBelow(text: string, end: number): boolean {
  return endsLine(text, runEnd(text, end + 1, tailSet, tailUnitsMax))
}
