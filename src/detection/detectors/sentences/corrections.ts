/** Corrections behind a password: "my password is tango8841. sorry, it's tango8842". */
import type { Match } from '../../detector.ts'
import { charSet, codeAt, countOf, digitSet, foldCode, inSet, letterSet, runEnd, runStart } from '../../text/chars.ts'

const reachUnits = 64
const valueSet = charSet('A-Z', 'a-z', '0-9', '_!@#$%^&*+-')
const openSet = charSet(' "\'`*(')
const tailSet = charSet('!-')
const headUnitsMin = 4
const lengthsApart = 2

/** The match with a similar word behind it, which is masked as well: either may be the valid password. */
export function withCorrection(text: string, match: Match): Match {
  if (match.next !== undefined || countOf(text, match.start, match.end, digitSet) === 0) return match
  const limit = Math.min(text.length, match.end + reachUnits)
  for (let i = match.end; i < limit;) {
    const code = text.charCodeAt(i)
    // The line ends, or an assignment or a block follows.
    if (code === 10 || code === 61 || code === 123) return match
    if (!inSet(valueSet, code)) {
      i++
      continue
    }
    const stop = runEnd(text, i, valueSet, reachUnits)
    const end = runStart(text, stop, tailSet, stop - i)
    if (inSet(openSet, codeAt(text, i - 1)) && isAlike(text, match, i, end)) {
      const next: Match = { start: i, end, confidence: 'medium', ...(match.byContext === true && { byContext: true }) }
      return { ...match, next }
    }
    i = Math.max(stop, i + 1)
  }
  return match
}

/** Whether the word in `[from, to)` begins like the password, contains a digit and is about as long, but differs. */
function isAlike(text: string, { start, end }: Match, from: number, to: number): boolean {
  if (Math.abs(end - start - (to - from)) > lengthsApart || countOf(text, from, to, digitSet) === 0) return false
  let same = 0
  while (same < end - start && foldCode(codeAt(text, start + same)) === foldCode(codeAt(text, from + same))) same++
  // The word before the number is the same or, if it is short, half of all characters are, as in generated ones.
  const word = runEnd(text, start, letterSet, end - start) - start
  const own = runEnd(text, from, letterSet, to - from) - from
  const isSame = word >= headUnitsMin ? word === own && same >= word : same >= headUnitsMin && same * 2 >= end - start
  return isSame && text.slice(start, end) !== text.slice(from, to)
}
