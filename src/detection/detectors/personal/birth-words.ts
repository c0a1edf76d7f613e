/**
 * Words that call a date before them one of birth: `12.03.1985 г.р.`, `12.03.1985 doğumlu`, `1985年3月12日生まれ`,
 * `am 12.03.1985 in Ulm geboren`. In Russian, Turkish, Chinese, Japanese and Korean this order is the usual one.
 */
import type { Match } from '../../detector.ts'
import { charSet, codeAt, digitSet, inSet, plainBlankSet, runStart, wordSet } from '../../text/chars.ts'
import { followsBound } from './other-dates.ts'
import { SpelledNames } from '../../text/spelled-names.ts'
import { dateEnd } from '../../validators/dates.ts'

/** Right behind the date, across a blank. In lower case. */
const closeWords = [
  ...['г.р.', 'г. р.', 'г/р', 'года рожд', 'г. рожд', 'г.рожд', 'р.н.', 'р. н.', 'року народж', 'doğumlu', 'dogumlu'],
  ...['日生', '日出生', '일생', '일 출생'],
  ...['syntynyt', 'sündinud', 'született', 'szül']
]
/** Behind the date and a place. */
const farWords = ['geborene', 'geboren']
export const birthWords: readonly string[] = [...closeWords, ...farWords]

const dateUnitsMin = 6
const dateUnitsMax = 28
const placeUnitsMax = 28
const placeSet = charSet('A-Z', 'a-z', ' -')
/** `-án` and `-i` behind a Hungarian date, a comma, and the `г.` of a Russian year. */
const endings = ['-án', '-én', '-jén', ' г.', 'г.', ' р.', ',', '']

/** The date of birth that ends before the word at `at`. */
export function beforeWord(text: string, at: number): Match | undefined {
  const word = spelledWords.nameAt(text, at)
  if (word === undefined || goesOn(text, at + word.length, word)) return undefined
  // A date in East Asia ends with the sign for its day.
  const end = '日일'.includes(word.charAt(0)) ? at + 1 : runStart(text, at, plainBlankSet, 1)
  const near = dateBefore(text, end)
  if (near !== undefined || !farWords.includes(word)) return near
  const place = placeStart(text, end)
  return place < 0 ? undefined : dateBefore(text, place)
}
const spelledWords = new SpelledNames(birthWords)

/** Whether something else follows the sign for birth, as in `日生产`, than its ending (`日生まれ`), a particle (`日生于北京`) or a sex (`日生男`). */
function goesOn(text: string, at: number, word: string): boolean {
  const next = codeAt(text, at)
  return word === '日生' && next >= firstKana && next <= lastIdeograph && !birthEndings.includes(text.charAt(at))
}
const birthEndings = 'まれの于於男女'
const firstKana = 0x3041
const lastIdeograph = 0x9fff

/** Where ` in Ulm` begins that ends at `end`; -1 if no such place stands there. */
function placeStart(text: string, end: number): number {
  let at = end
  for (const limit = Math.max(0, end - placeUnitsMax); at > limit; at--) {
    const code = codeAt(text, at - 1)
    if (code < 128 && !inSet(placeSet, code)) break
  }
  return text.startsWith(' in ', at) || text.startsWith(' te ', at) ? at : -1
}

/** The longest date that ends at `to`, or before what its language appends to it. */
function dateBefore(text: string, to: number): Match | undefined {
  for (const ending of endings) {
    const end = to - ending.length
    if (!text.startsWith(ending, end) || !mayEndDate(text, end)) continue
    for (let start = Math.max(0, end - dateUnitsMax); start <= end - dateUnitsMin; start++) {
      if (inSet(wordSet, codeAt(text, start - 1)) || inSet(noStartSet, codeAt(text, start))) continue
      if (dateEnd(text, start) !== end) continue
      return followsBound(text, start) ? undefined : { start, end, confidence: 'strong', byContext: true }
    }
  }
  return undefined
}
/** Whether a date may end at `end`: with a digit, or with one and the sign for a day. */
function mayEndDate(text: string, end: number): boolean {
  const last = codeAt(text, end - 1)
  return inSet(digitSet, last === 0x65e5 || last === 0xc77c ? codeAt(text, end - 2) : last)
}

const noStartSet = charSet(' .,-/()')
