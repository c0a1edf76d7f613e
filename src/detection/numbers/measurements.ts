/** Recognises numbers whose own name says that they are a count, a size or a time. */
import { charSet, codeAt, inSet, letterSet, runStart, upperSet } from '../text/chars.ts'
import { WordSet } from '../text/word-set.ts'

const measures = new WordSet(
  (
    'count counter total size bytes length len offset position limit sum sequence seq revision duration elapsed latency ' +
    'octets pkts packets sent received time timestamp ts nanos nanoseconds microseconds milliseconds millis micros ns us ms uptime epoch cursor lsn xid tick ticks'
  ).split(' ')
)
/** Names of ids that are compared whole. They identify events of a program, not persons. */
const ids = new WordSet(['traceid', 'spanid', 'requestid', 'correlationid', 'messageid', 'seed'])
const gapSet = charSet(' \t"\'\\:=|')
const gapUnitsMax = 32
const nameUnitsMax = 24

/**
 * Whether the name right before the number at `at` ends in the word for a measure, or is one of those ids:
 * `"count": 4...`, `offset=4...`, `byteCount: 4...`.
 */
export function isMeasurement(text: string, at: number): boolean {
  const end = runStart(text, at, gapSet, gapUnitsMax)
  if (end === at) return false
  let start = runStart(text, end, letterSet, nameUnitsMax)
  if (ids.stands(text, start, end)) return true
  // The last word of a camelCase name.
  for (let i = end - 1; i > start; i--)
    if (inSet(upperSet, text.charCodeAt(i)) && !inSet(upperSet, text.charCodeAt(i - 1))) {
      start = i
      break
    }
  // In a sentence, `sent` and `received` may precede any number. As a counter they follow an underscore: `bytes_sent`.
  if (sentences.stands(text, start, end) && codeAt(text, start - 1) !== 95) return false
  return measures.stands(text, start, end)
}
const sentences = new WordSet(['sent', 'received'])
