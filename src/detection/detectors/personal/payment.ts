/** Payment cards. */
import { withCode } from './card-codes.ts'
import { isInColumnOfOthers } from '../../numbers/column-of-others.ts'
import { isDrawingCommand, isNarrow } from '../../numbers/chance-matches.ts'
import {
  charSet,
  codeAt,
  countOf,
  digitSet,
  hexSet,
  inSet,
  letterSet,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import { isMeasurement } from '../../numbers/measurements.ts'
import type { Detector, Match, MatchContext } from '../../detector.ts'
import { isCard, isIssued, isIssuedAtHome, isMadeUp, isRow, risingMin, zerosIn } from './card-numbers.ts'
import { iban } from './iban.ts'
import type { NumberRun } from '../../numbers/number-run.ts'
import { luhn } from '../../validators/checksums.ts'
import { int, isDigits, isFlat, longestRun, luhnOf } from '../../validators/digits.ts'

const cardShapes = ['4-4-4-4', '4 4 4 4', '4-6-5', '4 6 5', '4-6-4', '4 6 4', '4 4 4 4 3', '4-4-4-4-3']
const cardContextUnits = 40
const cardLengths = [13, 14, 15, 16, 17, 18, 19]

/** A card alone on its line, however grouped: scheme, length and Luhn must agree. */
function cardLine(text: string, at: number, context: MatchContext): Match | undefined {
  const value = context.line
  if (
    !isDigits(value) ||
    isFlat(value) ||
    isRow(value) ||
    !isEven(text, at, context.wordEnd) ||
    !luhnOf(value) ||
    !isIssued(int(value, 0, 4), value.length)
  )
    return undefined
  const span = { start: at, end: context.wordEnd }
  return context.near(at, cardContextUnits) && !isMadeUp(value)
    ? { ...span, confidence: 'strong', byContext: true }
    : { ...span, confidence: 'medium', tier: 'medium' }
}

/**
 * A card behind its name whose groups are two blanks apart, as text that was copied from a page has them. The anchor is its
 * second group.
 */
function wideCard(text: string, at: number, context: MatchContext): Match | undefined {
  const start = at - leadUnits - wideGap.length
  const groups = runEnd(text, at, digitSet, 7) - at === leadUnits ? [4, 4, 4] : [6, 5]
  if (runStart(text, at - wideGap.length, digitSet, leadUnits + 1) !== start) return undefined
  let value = text.slice(start, start + leadUnits)
  let end = start + leadUnits
  for (const units of groups) {
    const from = end + wideGap.length
    end = runEnd(text, from, digitSet, units + 1)
    if (!text.startsWith(wideGap, from - wideGap.length) || end !== from + units) return undefined
    value += text.slice(from, end)
  }
  if (inSet(wordSet, codeAt(text, start - 1)) || inSet(wordSet, codeAt(text, end)) || isFlat(value)) return undefined
  if (!isCard(value) || isRow(value) || !context.near(start, cardContextUnits)) return undefined
  return isMadeUp(value)
    ? { start, end, confidence: 'medium', tier: 'medium' }
    : { start, end, confidence: 'strong', byContext: true }
}
const leadUnits = 4
const wideGap = '  '

/** Whether all groups have the same separator between them. */
function isEven(text: string, start: number, end: number): boolean {
  let separator = 0
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (inSet(digitSet, code)) continue
    if (separator !== 0 && code !== separator) return false
    separator = code
  }
  return true
}

/** Whether more numbers of the same form stand on either side, as in a table: `2403 2404 2405 2406 240A`. */
function isListed(text: string, start: number, end: number): boolean {
  if (codeAt(text, start - 1) === 32) {
    const before = runStart(text, start - 1, hexSet, 6)
    if (inSet(digitSet, codeAt(text, start - 2)) || isHexGroup(text, before, start - 1)) return true
  }
  if (codeAt(text, end) !== 32) return false
  const after = runEnd(text, end + 1, hexSet, 6)
  return isHexGroup(text, end + 1, after) && codeAt(text, after) !== 45
}

/** Four or five hexadecimal digits, a decimal one among them. */
function isHexGroup(text: string, start: number, end: number): boolean {
  return end - start >= 4 && end - start <= 5 && countOf(text, start, end, digitSet) > 0
}

/** Whether the digits are one side of a decimal point: `.5446307051249019`, `8291032395191335. / 3`. */
function isFraction(text: string, start: number, end: number): boolean {
  if (codeAt(text, start - 1) === 46) return true
  return codeAt(text, end) === 46 && codeAt(text, end + 1) === 32 && inSet(sumSet, codeAt(text, end + 2))
}
const sumSet = charSet('*/+-')

/**
 * Whether the digits are a code: bare digits of a narrow range, repeated groups as in `4537 4537 4537 4392`, or nearly
 * all zeros.
 */
function isCode(number: NumberRun): boolean {
  if (number.groups === 1 && isNarrow(number)) return true
  const value = number.compact()
  if (number.groups === 4 && hasTwins(value)) return true
  return zerosIn(value) >= zerosMin
}

const zerosMin = 9

/** Whether two of four groups are the same, as in coordinates of a drawing: `2228 2560 1964 2560`. */
function hasTwins(value: string): boolean {
  return new Set([0, 4, 8, 12].map((at) => value.slice(at, at + 4))).size < 4
}

/**
 * Whether bare digits are a term of a formula or descend along the keyboard: `4828147466240000*t**12`,
 * `6543210123456788`.
 */
function isTerm(text: string, number: NumberRun): boolean {
  if (number.groups === 1 && isOfFraction(text, number.start, number.end)) return true
  return number.groups === 1 && (codeAt(text, number.end) === 42 || longestRun(number.compact(), -1) >= risingMin)
}

/**
 * Whether the digits are a power of two, or one side of a rational number of Julia: `344904825219069 // 34592383870`.
 * A comment of digits alone does not stand behind as many digits.
 */
function isOfFraction(text: string, start: number, end: number): boolean {
  // A power of two among floating-point numbers, 2^51 or 2^52, and its neighbours.
  if (text.startsWith('22517998136852', start) || text.startsWith('45035996273704', start)) return true
  if (text.startsWith('BigInt(', start - 7)) return true
  const behind = end + 4
  if (text.startsWith(' // ', end) && runEnd(text, behind, digitSet, termDigitsMin) === behind + termDigitsMin)
    return true
  const before = start - 4
  return text.startsWith(' // ', before) && runStart(text, before, digitSet, termDigitsMin) === before - termDigitsMin
}
const termDigitsMin = 10

/** Whether the groups are coordinates in a drawing: `2428 2183 2343 2334 moveto`. */
function isOfPicture(text: string, { start, end, groups, digits }: NumberRun): boolean {
  if (groups !== 4) return false
  if (isDrawingCommand(text, start, groups)) return true
  if (digits[0] !== 2) return false
  const sign = runStart(text, start - 1, letterSet, 2)
  if (codeAt(text, start - 1) === 32 && sign === start - 2 && !inSet(wordSet, codeAt(text, sign - 1))) return true
  const word = runEnd(text, end + 1, letterSet, 12)
  return codeAt(text, end) === 32 && word > end + 1 && codeAt(text, word) === 10
}

const card: Detector = {
  id: 'credit_card',
  label: 'CARD',
  title: 'payment card number',
  group: 'financial',
  tier: 'high',
  // Its runs of digits are parts of numbers, and would have every text of three characters scanned.
  lengthMin: Math.min(...cardLengths),
  anchors: [
    { number: cardLengths },
    { shapes: cardShapes },
    { line: cardLengths },
    { run: true, before: ' ', beforeThat: [' '], digits: [4, 6] }
  ],
  context: [
    'card',
    'cc',
    'pan',
    'visa',
    'mastercard',
    'amex',
    'american express',
    'discover',
    'jcb',
    'diners',
    'cvv',
    'cvc',
    'cardnumber',
    'ccnumber',
    'ccnum',
    'credit',
    'debit',
    'kreditkarte',
    'karte',
    'carte',
    'tarjeta',
    'cartão',
    'carta'
  ],
  match(text, at, context) {
    if (context.by === 'line') return cardLine(text, at, context)
    if (context.by === 'run') return wideCard(text, at, context)
    const { number } = context
    const lead = number.value(0, 4)
    const isWorldwide = isIssued(lead, number.count)
    if (!isWorldwide && !isIssuedAtHome(lead, number.count)) return undefined
    if (!luhn(number.digits, number.count) || number.isFlat() || isRow(number.compact())) return undefined
    if (isFraction(text, number.start, number.end) || isMeasurement(text, number.start)) return undefined
    const near = context.near(number.start, cardContextUnits)
    if (!near && !isWorldwide) return undefined
    // Bare digits of unusual lengths are message ids and times far more often than cards.
    if (!near && number.groups === 1 && (number.digits[0] === 1 || (number.count !== 16 && number.count !== 15)))
      return undefined
    if (
      !near &&
      (isListed(text, number.start, number.end) || isCode(number) || isOfPicture(text, number) || isTerm(text, number))
    )
      return undefined
    if (!near && number.groups === 1 && isInColumnOfOthers(text, number.start, number.end, isCard)) return undefined
    const span = { start: number.start, end: number.end }
    return near && !isMadeUp(number.compact())
      ? { ...span, confidence: 'strong', byContext: true }
      : { ...span, confidence: 'medium', tier: 'medium' }
  },
  hits: () => [
    'card ' + ['4539', '1488', '0343', '6467'].join(' '),
    `"ccNumber": "${['4539', '1488', '0343', '6467'].join('')}"`,
    ['5425', '2334', '3010', '9903'].join('-'),
    'amex: 37828' + '2246310005',
    '45391488' + '03436467',
    'card ' + ['6363', '6804', '1952', '7384'].join(' '),
    ['4539', '1488', '0343', '6467'].join(' ') + ' 04/29 417',
    'Karte ' + ['4539', '1488', '0343', '6467'].join(' ') + ' Sicherheitscode 417',
    'card no.  ' + ['4539', '1488', '0343', '6467'].join('  ') + '  04/29',
    'amex  ' + ['3714', '496353', '98431'].join('  ')
  ],
  misses: () => [
    ['4111', '1111', '1111', '1111'].join(' '),
    '42424242' + '42424242',
    'Ulm  ' + ['4539', '1488', '0343', '6467'].join('  '),
    'card ' + ['4539', '1488', '0343', '6468'].join('  '),
    'card 1' + ['4539', '1488', '0343', '6467'].join('  '),
    '4539148803436468',
    '1700000000000',
    '1234567890123456789',
    '45391488034364670',
    '4539-1488 0343-6467',
    'a4539148803436467',
    '-.45391488' + '03436467',
    '45391488' + '03436467. / 3',
    'a[4, 1] = 344904825219069 // ' + '3459238' + '38700000',
    '{22517998' + '13685250.5, 22517998' + '13685251},',
    'b = ' + '41357804' + '51822750 // 874504037187843',
    ['4201', '4202', '4203', '4204'].join(' '),
    'b f f ' + ['4537', '4537', '4537', '4392'].join(' ') + ' 0',
    ['2228', '2560', '1964', '2560'].join(' ') + ' curve',
    ['2428', '2183', '2343', '2334'].join(' ') + ' moveto\n',
    '"M 1 2 Q ' + ['2625', '1972', '2144', '2069'].join(' '),
    'Q ' + ['4309', '1634', '4034', '1044'].join(' '),
    String.raw`"z\nQ ` + ['4219', '3659', '3833', '3768'].join(' '),
    `bytes_sent: "${'37141664' + '3096885'}"`,
    `RX_PKT_OCTETS                  | ${'26846188' + '46662334'}`,
    'CONECT ' + ['6445', '6444', '6446', '6452'].join(' '),
    ['605F', '6024', '6044', '6058', '6066', '606E'].join(' '),
    ['2600', '0000', '0000', '0000'].join(' '),
    `# ${'34112431' + '1214544'}`,
    `R4 // $-${'22517976' + '66199552'}`,
    '0.4539148803436467',
    `{"card":{"last4":"4242","count":${'45391488' + '03436467'}}}`,
    `card 7: byteOffset=${'45391488' + '03436467'}`,
    '14633730048000000*t**14 + ' + '48281474' + '66240000*t**12',
    "add '" + '65432101' + "23456788' 0.5",
    ['2300280690004007', '23002806' + '90004008', '2300280690004009'].join('  0700000US\n'),
    `level=debug traceID=${'22238395' + '16656616'} orgID=3648`
  ],
  source: 'ISO/IEC 7812-1 (Luhn); issuer ranges as the schemes publish them. Ranges and test numbers are from memory.'
}

export const paymentDetectors: readonly Detector[] = [withCode(card, isMadeUp), iban]
