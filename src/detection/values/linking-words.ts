/** What may link a name and the value behind it. */
import { charSet, inSet, runEnd } from '../text/chars.ts'

const signs = charSet(' ', '"\'_:=>|,()#.\\[]')

/** Whether only punctuation and some of `words` (lower case) stand between a name and its value. */
export function isLinked(between: string, words: ReadonlySet<string>): boolean {
  let from = 0
  while (from < between.length) {
    const start = runEnd(between, from, signs, between.length)
    from = start
    while (from < between.length && !inSet(signs, between.charCodeAt(from))) from++
    if (from > start && !words.has(between.slice(start, from).toLowerCase())) return false
  }
  return true
}
