/** Words that an operator wants masked everywhere, such as names of customers or code names. */
import { wordSet } from '../text/chars.ts'
import type { Detector } from '../detector.ts'
import { denyWordKind } from './added-kinds.ts'

const wordUnitsMin = 2
const wordUnitsMax = 200

/**
 * One detector per distinct word, all of the kind `deny_word`. Words match whole and in any case.
 * @throws RangeError for a word of fewer than 2 or more than 200 code units
 */
export function denyWordDetectors(words: readonly string[]): Detector[] {
  const known = new Set<string>()
  return words.flatMap((given, index) => {
    const word = given.trim()
    if (word.length < wordUnitsMin || word.length > wordUnitsMax)
      throw new RangeError(`deny[${index}] has less than ${wordUnitsMin} or more than ${wordUnitsMax} characters.`)
    const folded = word.toLowerCase()
    if (known.has(folded)) return []
    known.add(folded)
    return [detectorOf(word, folded.length)]
  })
}

function detectorOf(word: string, units: number): Detector {
  return {
    ...denyWordKind,
    anchors: [{ literal: word, fold: true }],
    match(text, at) {
      const end = at + units
      const inside = continues(text, at - 1, at) || continues(text, end - 1, end)
      return inside ? undefined : { start: at, end, confidence: 'strong' }
    },
    hits: () => [word],
    misses: () => [word + 'x'],
    source: 'The policy of the workspace.'
  }
}

/**
 * Whether two neighbouring units belong to one word: both are letters or digits, of a script that separates words by
 * spaces.
 */
function continues(text: string, left: number, right: number): boolean {
  return isLetterOrDigit(text, left) && isLetterOrDigit(text, right)
}

function isLetterOrDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return wordSet[code] === 1 && code !== 95
  const one = text.charAt(at)
  return one.toLowerCase() !== one.toUpperCase()
}
