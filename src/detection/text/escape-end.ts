/** Values in texts that are themselves written in quotes: `"PASS x7k...\"`, where the backslash belongs to the quote. */
import { charSet, codeAt, inSet } from './chars.ts'

const quoteSet = charSet('"\'`')

/**
 * Where a value ends that would take a piece of an escape along: before the backslashes that go on behind it, or of which
 * the last one escapes the quote that follows. An even count of them is signs of the value.
 */
export function beforeEscape(text: string, start: number, end: number): number {
  let from = end
  while (from > start && text.charCodeAt(from - 1) === 92) from--
  if (from === end || from === start) return end
  const next = codeAt(text, end)
  return next === 92 || ((end - from) % 2 === 1 && inSet(quoteSet, next)) ? from : end
}
