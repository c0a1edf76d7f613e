/** Leaders: dots or lines that lead the eye from a label to its value, as in forms: `Date of birth ........ 12.03.1985`. */
import { blankSet, charSet, codeAt, inSet, runEnd, runStart } from './chars.ts'

const dotSet = charSet('._')
const dotsMin = 4
const dotsMax = 120
const blanksMax = 4
const ellipsis = 0x2026
const middleDot = 0xb7

/** Whether leaders consist of such characters. */
export function isLeader(code: number): boolean {
  return inSet(dotSet, code) || code === ellipsis || code === middleDot
}

/** Where the leader begins that ends right before `at`, and the blanks before it; `at` if there is none. */
export function leaderStart(text: string, at: number): number {
  let from = at
  while (from > 0 && at - from < dotsMax && isLeader(text.charCodeAt(from - 1))) from--
  return at - from >= dotsMin ? runStart(text, from, blankSet, blanksMax) : at
}

/** Past the leader that begins at `at`; `at` if there is none. */
export function leaderEnd(text: string, at: number): number {
  let to = at
  while (to - at < dotsMax && isLeader(codeAt(text, to))) to++
  return to - at >= dotsMin ? runEnd(text, to, blankSet, blanksMax) : at
}
