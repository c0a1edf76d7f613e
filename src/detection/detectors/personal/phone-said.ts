/** Telephone numbers that are named behind: `06 12 34 56 78 (mobile)`, `13812345678（手机）`, `... is my phone number`. */
import type { Match } from '../../detector.ts'
import { isPattern } from '../../numbers/chance-matches.ts'
import { charSet, codeAt, digitSet, inSet, stringQuoteSet, wordSet } from '../../text/chars.ts'
import { closesRemark, opensRemark, saidBefore } from '../../text/spelled-names.ts'
import { tailEnd } from '../../values/column-values.ts'
import { dialled, isDate, isVersion, type Dialled } from './phone-forms.ts'

const numberUnitsMax = 24
/** Eight digits in one piece are a count as often. */
const bareDigitsMin = 9
const groupedDigitsMin = 8
const jointSet = charSet('+-./')

/**
 * The number that the name in `[at, nameTo)` is said of: one that a verb ties to it, or before brackets that hold nothing
 * but the name.
 * @param isNumber whether what is dialled is a telephone number
 */
export function numberBefore(
  text: string,
  at: number,
  nameTo: number,
  isNumber: (text: string, at: number, read: Dialled) => boolean
): Match | undefined {
  const said = saidBefore(text, at)
  if (said < 0) return undefined
  if (opensRemark(text, said) && !closesRemark(text, tailEnd(text, nameTo))) return undefined
  const to = inSet(stringQuoteSet, codeAt(text, said - 1)) ? said - 1 : said
  for (let start = Math.max(0, to - numberUnitsMax); start < to; start++) {
    const from = codeAt(text, start) === 40 ? start + 1 : start
    const before = codeAt(text, start - 1)
    if (!inSet(digitSet, codeAt(text, from)) || inSet(wordSet, before) || inSet(jointSet, before)) continue
    const read = dialled(text, from)
    if (read?.end !== to || isDate(text, from, to) || isVersion(text, from, to)) continue
    if (isPlausible(read) && isNumber(text, from, read))
      return { start, end: to, confidence: 'strong', byContext: true }
  }
  return undefined
}

function isPlausible({ digits, separators }: Dialled): boolean {
  return digits.length >= (separators > 0 ? groupedDigitsMin : bareDigitsMin) && !isPattern(digits, 1)
}
