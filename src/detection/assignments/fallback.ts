/** The text on which an expression falls back: `env["PW"] ?: "..."`, `find(name).orElse("...")`. */
import { charSet, codeAt, inSet, runStart } from '../text/chars.ts'

const expressionUnitsMax = 120
const quotesMax = 6
const quoteSet = charSet('"\'')
const backslashSet = charSet('\\')
/** What ends the expression, so that a text behind it is of another. */
const endSet = charSet('\n\r;')

/** What stands right before the text, in the languages that have no sign for it a word or a call. */
const marks = [
  ...['?: ', '?? ', '|| ', ' or ', ' else ', '.orElse(', '.getOrElse(', '.orDefault(', '.unwrap_or(', '.unwrapOr('],
  ...['.defaultValue ', '.withDefault ', 'None -> ', 'Nothing -> ', '_ -> ', 'nil -> ', '(default=', '(default = '],
  ...['default: ', 'fallback: ', ') { ']
]
const markUnitsMax = Math.max(...marks.map((mark) => mark.length))

/**
 * The quote of the text on which the expression from `from` on falls back, on the same line.
 * @returns -1 where none does
 */
export function fallbackAt(text: string, from: number): number {
  const limit = Math.min(text.length, from + expressionUnitsMax)
  let quotes = 0
  let i = from
  for (; i < limit && quotes < quotesMax; i++) {
    const code = text.charCodeAt(i)
    if (inSet(endSet, code)) return -1
    if (!inSet(quoteSet, code)) continue
    quotes++
    const start = runStart(text, i, backslashSet, 4)
    const before = text.slice(Math.max(from, start - markUnitsMax), start)
    if (marks.some((mark) => before.endsWith(mark))) return i
    const close = text.slice(i + 1, limit).indexOf(text.charAt(i))
    if (close < 0 || codeAt(text, i + 1 + close) === 10) return -1
    i += close + 1
  }
  return -1
}
