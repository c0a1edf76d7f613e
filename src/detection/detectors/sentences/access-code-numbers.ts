/** The numbers of PINs and codes: four to eight digits that are neither counts, years, nor samples. */
import { charSet, codeAt, digitSet, inSet, leftClear, letterSet, runEnd, wordSet } from '../../text/chars.ts'
import { ideographsFrom } from '../../values/language-words.ts'

const digitsMin = 4
export const digitsMax = 8

/** The end of four to eight digits that stand alone, or of two groups of three; `at` if there is no such number. */
export function numberEnd(text: string, at: number): number {
  if (!leftClear(text, at, wordSet) || codeAt(text, at - 1) === 45 || codeAt(text, at - 1) === 46) return at
  let end = runEnd(text, at, digitSet, digitsMax + 1)
  const joint = codeAt(text, end)
  if (end - at === 3 && (joint === 32 || joint === 45) && runEnd(text, end + 1, digitSet, 4) === end + 4) end += 4
  if (end - at < digitsMin || end - at > digitsMax) return at
  const next = codeAt(text, end)
  const goesOn =
    next === 46 || next === 44 || next === 58
      ? inSet(wordSet, codeAt(text, end + 1)) && !isClause(text, end)
      : inSet(tailSet, next)
  return goesOn || isCount(text, end) ? at : end
}

/** Whether a comma ends a clause of a script without blanks: `482913,5分钟内有效`. */
function isClause(text: string, comma: number): boolean {
  return codeAt(text, comma) === 44 && codeAt(text, runEnd(text, comma + 1, digitSet, 3)) >= ideographsFrom
}

/** Whether it counts something: `4827 lines`. */
function isCount(text: string, end: number): boolean {
  if (codeAt(text, end) !== 32) return false
  return counted.has(text.slice(end + 1, runEnd(text, end + 1, letterSet, countedUnitsMax)).toLowerCase())
}
const counted = new Set(
  (
    'line lines byte bytes kb mb ms seconds minutes hours days times chars characters words files items tests rows pages ' +
    'commits users requests points percent px passed failed skipped errors warnings findings nodes'
  ).split(' ')
)
const countedUnitsMax = 12
/** Characters that make a number something else: a unit, part of a date or path. */
const tailSet = charSet('A-Z', 'a-z', '0-9', '_-/%')

/**
 * Whether digits are a sequence or a year: `1234`, `0000`, `4321`, `2026`. Documentation contains them, and few people
 * choose them.
 */
export function isSeries(text: string, start: number, end: number): boolean {
  if (end - start === 4 && (text.startsWith('19', start) || text.startsWith('20', start))) return true
  const step = codeAt(text, start + 1) - codeAt(text, start)
  if (Math.abs(step) > 1) return false
  for (let i = start + 2; i < end; i++) if (codeAt(text, i) - codeAt(text, i - 1) !== step) return false
  return true
}
