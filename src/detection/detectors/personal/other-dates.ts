/**
 * Dates near a word for a birth that are those of something else: bounds, which are the birthday of nobody (`born before
 * 2008-01-01`), and what else happened (`Born to Run, released 1975-08-25`).
 */
import { blankSet, letterSet, runEnd } from '../../text/chars.ts'
import { WordSet } from '../../text/word-set.ts'
import { dateEnd } from '../../validators/dates.ts'

const bounds = ['before', 'after', 'since', 'until']
const boundWords = new WordSet(bounds)
/** Bounds in other languages, which stand before the date that `geboren` follows. */
const otherBounds = ['vor', 'nach', 'seit', 'ab', 'bis', 'voor', 'na', 'до', 'после']
const rangeWords = ['zwischen', 'tussen', 'между']
/** What may stand between a bound and its date. */
const lightWords = ['the', 'or', 'on', 'at', 'about', 'around', 'approximately', 'approx', 'circa', 'ca']
const lightWordsMax = 3
const wordUnitsMax = 16
const gapUnitsMax = 3

const events = new WordSet(
  'between released release recorded published died deceased married founded created updated modified revised pot po'.split(
    ' '
  )
)
/** Words behind which the date is what somebody wrote down, and not when: `DOB updated to 1985-03-12`. */
const results = [' to ', ' as ']

/**
 * Whether a date behind the word at `at`, which stands behind one for a birth, belongs to that word: to an event wherever
 * it stands, to a bound if it follows at once. `DOB after correction: 1985-03-12` is a date of birth.
 */
export function takesDate(text: string, at: number): boolean {
  const end = runEnd(text, at, letterSet, wordUnitsMax)
  if (events.stands(text, at, end)) return !results.some((result) => text.startsWith(result, end))
  return boundWords.stands(text, at, end) && isRightBehind(text, end)
}

function isRightBehind(text: string, from: number): boolean {
  let at = from
  for (let words = 0; words <= lightWordsMax; words++) {
    const next = runEnd(text, at, blankSet, gapUnitsMax)
    if (dateEnd(text, next) > next) return true
    at = runEnd(text, next, letterSet, wordUnitsMax)
    if (!lightWords.includes(text.slice(next, at).toLowerCase())) return false
    if (text.charCodeAt(at) === 46) at++
  }
  return false
}

const boundReach = 40

/**
 * Whether the date at `start` is one of a range, or behind a word for before or after, with at most an article between:
 * `vor dem 01.01.1958 geboren`.
 */
export function followsBound(text: string, start: number): boolean {
  const words = text
    .slice(Math.max(0, start - boundReach), start)
    .trimEnd()
    .toLowerCase()
    // The word may begin a line, or end the one above.
    .replaceAll('\n', ' ')
    .split(' ')
  const last = words.at(-1) ?? ''
  const before = last === 'dem' || last === 'de' ? (words.at(-2) ?? '') : last
  return bounds.includes(before) || otherBounds.includes(before) || words.some((word) => rangeWords.includes(word))
}
