/**
 * Tells numbers that fit the check of some identity number by chance, where no word names them: rows of a table, codes,
 * samples, parts of longer values.
 */
import {
  base62Set,
  charSet,
  codeAt,
  consistsOf,
  digitSet,
  dottedDigitSet,
  hexSet,
  inSet,
  letterSet,
  plainBlankSet,
  runEnd,
  runStart,
  spaceSet,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { WordSet } from '../text/word-set.ts'
import type { NumberRun } from './number-run.ts'
import { isFlat, isYyyymmdd } from '../validators/digits.ts'

const narrowCountMin = 12
const narrowSpan = 4
const blanksMax = 4

/** Times in milliseconds since 1970 end so on a full hour or minute. */
const roundTime = '00000'

/** Whether an unnamed number fits by chance. */
export function isChanceNumber(text: string, at: number, number: NumberRun): boolean {
  // `,.190390725005857`: digits behind a decimal point.
  if (codeAt(text, at - 1) === 46 && !inSet(wordSet, codeAt(text, at - 2))) return true
  if (number.groups === 1 && text.startsWith(roundTime, number.end - roundTime.length)) return true
  if (isDrawingCommand(text, at, number.groups)) return true
  return isPattern(number.compact(), number.groups) || isNarrow(number) || isListed(text, at, number.end)
}

/** Whether it directly follows a word for a document or an order: `invoice no. 750-67-8428`, `Circular No. 002-07-2024`. */
export function isOfDocument(text: string, at: number): boolean {
  let end = at
  for (let words = 0; words < 2; words++) {
    const to = runStart(text, end, leadSet, leadUnitsMax)
    const from = runStart(text, to, letterSet, documentUnitsMax)
    if (to === from || inSet(letterSet, codeAt(text, from - 1))) return false
    if (documentWords.stands(text, from, to)) return true
    if (!numberWords.stands(text, from, to)) return false
    end = from
  }
  return false
}
/** What stands between the word and its number. */
const leadSet = charSet(' .:#=_-"\'')
const leadUnitsMax = 4
const documentUnitsMax = 12
const documentWords = new WordSet(
  (
    'invoice order receipt quote quotation shipment ticket case docket circular resolution memorandum regulation decree ' +
    'rechnung bestellung facture commande factura pedido fattura ordine'
  ).split(' ')
)
const numberWords = new WordSet(['no', 'nr', 'number', 'num', 'id', 'ref'])

/** Whether a heading is that of a column of documents or orders: `Invoice ID`, `order_no`, `Rechnung`. */
export function headsDocuments(text: string, from: number, to: number): boolean {
  let end = to
  while (end > from && !inSet(letterSet, codeAt(text, end - 1))) end--
  for (let words = 0; words < 2 && end > from; words++) {
    const start = runStart(text, end, letterSet, documentUnitsMax)
    if (documentWords.stands(text, start, end)) return true
    // `invoiceId`
    if (inSet(upperSet, codeAt(text, end - 2)) && documentWords.stands(text, start, end - 2)) return true
    if (!numberWords.stands(text, start, end)) return false
    end = runStart(text, start, leadSet, leadUnitsMax)
  }
  return false
}

/**
 * Whether an unnamed word of letters and digits fits by chance: it is part of something longer, or its digits are a
 * pattern.
 */
export function isChanceWord(text: string, start: number, end: number, value: string): boolean {
  return isPiece(text, start, end) || isMadeUp(text, start, end) || isMessageCode(value)
}

/** Whether the word is the offset that begins a line of a hex dump: `00000060  fc 86 f6 e9`, `00000060: fc86 f6e9`. */
export function isOffset(text: string, start: number, end: number): boolean {
  const before = codeAt(text, start - 1)
  if (before !== 0 && !inSet(spaceSet, before)) return false
  const sign = codeAt(text, end) === 58 ? end + 1 : end
  const first = runEnd(text, sign, plainBlankSet, blanksMax)
  const second = runEnd(text, first, hexSet, bytesUnits + 1)
  const third = runEnd(text, second + 1, hexSet, bytesUnits + 1)
  return first > sign && isBytes(second - first) && codeAt(text, second) === 32 && isBytes(third - second - 1)
}
const bytesUnits = 4

function isBytes(units: number): boolean {
  return units === 2 || units === bytesUnits
}

/** Whether a hexadecimal number stands in a line: `.word 0xdc338383`. */
export function holdsHexNumber(text: string, start: number, end: number): boolean {
  return text.slice(start, end).includes('0x')
}

/** Whether the word is a version with a date: `jetty-9.4.56.v20240826`. */
export function isDatedVersion(text: string, start: number, end: number): boolean {
  return end === start + 9 && codeAt(text, start) === 118 && isYyyymmdd(text.slice(start + 1, end))
}

/** Whether the value is a message code, of a component, a number and a severity: `AMQJS0002E`. */
function isMessageCode(value: string): boolean {
  return value.length === messageUnits && value.startsWith('00', 5) && severities.includes(value.charAt(9))
}
const messageUnits = 10
const severities = 'EIWS'

/**
 * Whether a long number uses only five neighbouring digits, as codes of strokes, musical notes and octal values do. By
 * chance one number of twelve digits in 700 does, and one of sixteen in 11,000.
 */
export function isNarrow({ digits, count }: NumberRun): boolean {
  if (count < narrowCountMin) return false
  let least = 9
  let most = 0
  for (let i = 0; i < count; i++) {
    const digit = digits[i] as number
    if (digit < least) least = digit
    if (digit > most) most = digit
  }
  return most - least <= narrowSpan
}

/** Whether the digits of a value are those of a specimen, `12345678Z`, `ABCDE1234F`, whatever letters are among them. */
export function isMadeUp(text: string, start: number, end: number): boolean {
  let digits = ''
  let groups = 0
  for (let i = start; i < end; i++) {
    if (!inSet(digitSet, codeAt(text, i))) continue
    if (i === start || !inSet(base62Set, codeAt(text, i - 1))) groups++
    digits += text.charAt(i)
  }
  if (digits.length < madeUpDigitsMin) return false
  return isFlat(digits) || isPattern(digits, groups) || countedUp.some((row) => row.includes(digits))
}
const madeUpDigitsMin = 4
/** Behind nine, people go on with zero or one. */
const countedUp = ['012345678901234567890', '123456789123456789']

/**
 * Whether a value is one that people write where any number would do: `123-45-6789`, `111-22-3333`.
 * @param groups the number of digit groups in which it is written
 */
export function isPattern(value: string, groups: number): boolean {
  let rising = 1
  let changes = 1
  for (let i = 1; i < value.length; i++) {
    const step = value.charCodeAt(i) - value.charCodeAt(i - 1)
    if (step === 1) rising++
    if (step !== 0) changes++
  }
  return rising === value.length || (groups > 2 && changes <= groups)
}

const taxonDigitsMax = 7
const taxonReach = 16

/**
 * Whether the number is a taxon, an NCBI species id, whose name begins like that of a tax number:
 * `<taxid>1296100</taxid>`, `tax ids", "1071378"`.
 */
export function isTaxon(text: string, at: number, value: string): boolean {
  if (value.length > taxonDigitsMax) return false
  const before = text.slice(Math.max(0, at - taxonReach), at).toLowerCase()
  return before.includes('taxid') || before.includes('tax ids') || before.includes('tax_ids')
}

const fewDigits = 3
const fewDigitsCountMin = 11

/**
 * Whether a long number has at most three distinct digits, such as `01010202010`. By chance one number of eleven digits
 * in 300 does.
 */
export function hasFewDigits(value: string): boolean {
  return value.length >= fewDigitsCountMin && new Set(value).size <= fewDigits
}

/**
 * Whether groups separated by blanks have more numbers on either side, `245 252 259 266`, or two decimals without a
 * blank between them follow a number, as in the paths of images: `4.2691 2.397.2175`.
 */
function isListed(text: string, start: number, end: number): boolean {
  const isDecimals = consistsOf(text, start, end, dottedDigitSet)
  if (consistsOf(text, start, end, digitSet) || !(isDecimals || text.slice(start, end).includes(' '))) return false
  const before = runStart(text, start, plainBlankSet, blanksMax)
  if (before < start && inSet(digitSet, codeAt(text, before - 1))) return true
  if (isDecimals) return false
  const after = runEnd(text, end, plainBlankSet, blanksMax)
  return after > end && inSet(digitSet, codeAt(text, after))
}

/** Whether it is a span of years: `1880-1919`. */
export function isYears(value: string, groups: number): boolean {
  if (groups !== 2 || value.length !== 8) return false
  const from = Number(value.slice(0, 4))
  const to = Number(value.slice(4))
  return from >= yearMin && from < to && to <= yearMax
}
const yearMin = 1500
const yearMax = 2100

/**
 * Commands of vector paths and fonts that stand before their numbers. In no language do they precede one in a sentence.
 */
const drawingSet = charSet('A-Z', 'hlmqv')
const beforeDrawingSet = charSet('\n\r;"\'`')

/**
 * Whether the groups are coordinates behind a drawing command that begins a line or follows other numbers:
 * `Q 4309 1634 4034 1044` in a path, `B 62 120 433 565 ;` in a font.
 */
export function isDrawingCommand(text: string, start: number, groups: number): boolean {
  const letter = start - 2
  if (groups < 2 || codeAt(text, start - 1) !== 32 || !inSet(drawingSet, codeAt(text, letter))) return false
  if (letter === 0) return true
  const before = codeAt(text, letter - 1)
  if (before !== 32) return inSet(beforeDrawingSet, before) || text.startsWith('\\n', letter - 2)
  const that = codeAt(text, runStart(text, letter, plainBlankSet, blanksMax) - 1)
  return inSet(digitSet, that) || inSet(beforeDrawingSet, that)
}

/** Whether a word is part of a decimal, a path or a hyphenated name. */
function isPiece(text: string, start: number, end: number): boolean {
  const before = codeAt(text, start - 1)
  // `\1028385K`: an escape in Haskell. A plus is the sign of a number: `+635806667E27`.
  if (before === 92 || before === 43) return true
  if ((before === 46 || before === 45 || before === 47) && inSet(wordSet, codeAt(text, start - 2))) return true
  const after = codeAt(text, end)
  // `3217048K/25165432K`: sizes.
  if (after === 47 && inSet(digitSet, codeAt(text, end + 1))) return true
  // `1609272K bytes`.
  if (after === 32 && text.startsWith('bytes', end + 1)) return true
  const isExponent = codeAt(text, end - 1) === 69 && (after === 43 || after === 45)
  return isExponent && inSet(digitSet, codeAt(text, end + 1))
}

/**
 * Whether a line is a number of the Chemical Abstracts Service: `7732-18-5`, whose last digit is the sum of the others
 * by their places from the right, modulo 10.
 */
export function isCompound(text: string, start: number, end: number): boolean {
  const first = runEnd(text, start, digitSet, compoundDigitsMax + 1)
  if (first - start < 2 || first - start > compoundDigitsMax || end !== first + '-18-5'.length) return false
  if (codeAt(text, first) !== 45 || codeAt(text, first + 3) !== 45) return false
  const digits = text.slice(start, first) + text.slice(first + 1, first + 3)
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += (digits.length - i) * Number(digits.charAt(i))
  return sum % 10 === Number(text.charAt(end - 1))
}
const compoundDigitsMax = 7
