/** Numbers that their own name says are a count, a size or a time, whatever words stand further before. */
import { charSet, codeAt, inSet, letterSet, runStart, upperSet } from '../text/chars.ts'

const measures = new Set(
  (
    'count counter total size bytes length len offset position limit sum sequence seq revision duration elapsed latency ' +
    'octets pkts packets sent received time timestamp ts nanos nanoseconds microseconds milliseconds millis micros ns us ms uptime epoch cursor lsn xid tick ticks'
  ).split(' ')
)
/** Names of ids that are told apart as a whole: of what a program did, and of no person's means. */
const ids = new Set(['traceid', 'spanid', 'requestid', 'correlationid', 'messageid', 'seed'])
const gapSet = charSet(' \t"\'\\:=|')
const gapUnitsMax = 32
const nameUnitsMax = 24

/** Whether the name right before the number at `at` ends in the word of a measure, or is one of those ids: `"count": 4...`, `offset=4...`, `byteCount: 4...`. */
export function isMeasured(text: string, at: number): boolean {
  const end = runStart(text, at, gapSet, gapUnitsMax)
  if (end === at) return false
  let start = runStart(text, end, letterSet, nameUnitsMax)
  if (ids.has(text.slice(start, end).toLowerCase())) return true
  // The last part of a name in camelCase.
  for (let i = end - 1; i > start; i--)
    if (inSet(upperSet, text.charCodeAt(i)) && !inSet(upperSet, text.charCodeAt(i - 1))) {
      start = i
      break
    }
  const word = text.slice(start, end).toLowerCase()
  // Bytes are sent, and so are numbers.
  if (sentences.has(word) && codeAt(text, start - 1) !== 95) return false
  return measures.has(word)
}
const sentences = new Set(['sent', 'received'])
