/** Whether a word of a text stands for itself, or is part of a longer word or of a random token. */
import { charSet, codeAt, countOf, digitSet, inSet, letterSet, lowerSet, runEnd, upperSet } from './chars.ts'
import { WordSet } from './word-set.ts'

/**
 * Whether `[start, end)` is a whole word. `_`, digits and a change of case bound a word, so that `ssn` is found in
 * `customer_ssn`, `ssnNumber` and `userSSN`, and not in `lessness`.
 */
export function isWholeWord(text: string, start: number, end: number): boolean {
  return isBounded(text, start, end) && (end - start > shortUnits || !isInsideToken(text, start, end))
}

/** Words of at most this many letters occur in random tokens by chance. */
const shortUnits = 4

/**
 * Whether a short word is part of a random token: behind a digit, between letters on both sides, before digits that
 * letters follow, before three to five digits, or with mixed case: `4sSN`, `BvqRutZl`, `CC12ab`, `PCN033`, `xsSN`.
 */
function isInsideToken(text: string, start: number, end: number): boolean {
  const before = codeAt(text, start - 1)
  if (inSet(digitSet, before)) return true
  const after = codeAt(text, end)
  const letters = Number(inSet(letterSet, before)) + Number(inSet(letterSet, after))
  if (letters === 2 || (letters === 1 && end - start === 2)) return true
  const digitsEnd = runEnd(text, end, digitSet, tokenUnitsMax)
  if (digitsEnd > end && inSet(letterSet, codeAt(text, digitsEnd))) return true
  if (inSet(letterSet, codeAt(text, end - 1)) && isSerial(text, digitsEnd, digitsEnd - end)) return true
  if (letters === 0) return false
  return countOf(text, start + 1, end, upperSet) > 0 && countOf(text, start, end, lowerSet) > 0
}

const tokenUnitsMax = 40

/** Whether digits that end at `end` number something (`PCN033`), rather than a name or the value of one (`SSN 2`). */
function isSerial(text: string, end: number, count: number): boolean {
  if (count < serialDigitsMin || count > serialDigitsMax) return false
  return !(inSet(groupSet, codeAt(text, end)) && inSet(digitSet, codeAt(text, end + 1)))
}
const serialDigitsMin = 3
const serialDigitsMax = 5
/** Between groups of digits. */
const groupSet = charSet(' -./')

function isBounded(text: string, start: number, end: number): boolean {
  const before = codeAt(text, start - 1)
  const first = text.charCodeAt(start)
  const last = text.charCodeAt(end - 1)
  let after = codeAt(text, end)
  if (inSet(letterSet, before) && inSet(letterSet, first) && !(inSet(lowerSet, before) && inSet(upperSet, first)))
    return false
  // The escape of a line break or a tab: `\nID: 5226073533` names no NID.
  if (before === 92 && inSet(escapeSet, first)) return false
  // `Výborný` was not born.
  if (before >= accentedFrom && before <= accentedTo && inSet(lowerSet, first)) return false
  // The `s` of a plural; the capital in `ssnStore` begins the next word.
  if ((after === 115 && inSet(letterSet, last)) || (after === 83 && inSet(upperSet, last)))
    after = codeAt(text, end + 1)
  return !(inSet(letterSet, after) && inSet(letterSet, last)) || (inSet(upperSet, after) && inSet(lowerSet, last))
}

const escapeSet = charSet('nrt')
/** Latin letters with accents: Latin-1 Supplement, Latin Extended-A and -B. */
const accentedFrom = 0xc0
const accentedTo = 0x24f

const quantities = new WordSet(
  (
    'amount amounts rate rates total totals count counts length len size sum percent percentage pct score growth ratio ' +
    'price cost index offset position hash'
  ).split(' ')
)
const jointSet = charSet(' _-')

/** Whether the word that ends at `end` goes on as the name of a quantity, of which it is only the subject: `vat_amount`. */
export function isCounted(text: string, end: number): boolean {
  const from = inSet(jointSet, codeAt(text, end)) ? end + 1 : end
  // In `vatAmount` a capital begins the next part.
  if (from === end && !inSet(upperSet, codeAt(text, end))) return false
  const to = runEnd(text, from + 1, from === end ? lowerSet : letterSet, quantities.unitsMax)
  return quantities.stands(text, from, to)
}
