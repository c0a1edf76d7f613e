/** What may stand between a name and its value and tie them. */
import { charSet, inSet, runEnd } from '../text/chars.ts'

const signs = charSet(' ', '"\'_:=>|,()#.\\[]')

/** Whether signs and some of `words`, in lower case, are all that stands between a name and its value. */
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
