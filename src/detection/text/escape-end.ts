/** Ends of values in string literals: in `"PASS x7k...\"`, the backslash belongs to the quote. */
import { codeAt, inSet, quoteSet } from './chars.ts'

/**
 * Where a value ends that would otherwise include part of an escape: before backslashes that continue behind it, or of
 * which the last one escapes the quote that follows. An even number of them belongs to the value.
 */
export function beforeEscape(text: string, start: number, end: number): number {
  let from = end
  while (from > start && text.charCodeAt(from - 1) === 92) from--
  if (from === end || from === start) return end
  const next = codeAt(text, end)
  return next === 92 || ((end - from) % 2 === 1 && inSet(quoteSet, next)) ? from : end
}
