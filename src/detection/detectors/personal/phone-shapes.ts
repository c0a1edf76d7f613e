/**
 * National telephone numbers in the grouping of one country, which nothing else has: a trunk zero and groups, as in
 * `07700 209653`, `06.12.43.91.10`, `090-5906-0567`, `(11) 93758-3159`.
 */
import type { Guard } from '../../anchor-guard.ts'
import type { Match } from '../../detector.ts'
import { shapeKey, type NumberRun } from '../../numbers/number-run.ts'
import {
  blankSet,
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
import { isYyyymmdd, longestRun } from '../../validators/digits.ts'

/**
 * Groups of digits, and what the number begins with: one of these, or any trunk zero if none is given. Taken from the
 * national numbering plans and from how libphonenumber formats them.
 */
const written: readonly (readonly [shapes: string, heads?: string])[] = [
  // Britain
  ['5 6', '07 01'],
  // Britain, Japan, Korea, Australia
  ['3 4 4|3-4-4|2 4 4|2-4-4'],
  // Australia, Romania, Taiwan, Vietnam; Philippines, Nigeria, Britain
  ['4 3 3|4-3-3|4 3 4|4-3-4'],
  // Belgium; Switzerland, Ukraine; Turkey; Sweden; Hungary
  ['4 2 2 2|4.2.2.2|4 3 2 2|3 3 2 2|3.3.2.2|3-3-2-2|3-3 2 2|2-3 3 2|2-3 2 2|3-3 3 2|2 3 2 2|2 2 3 4|3 2 2 2 2'],
  // South Africa, Finland, the Emirates, Thailand; Malaysia
  ['3 3 4|3-3-4|3.3.4|3-3 4|3-4 4'],
  // Serbia, New Zealand
  ['3 3 3', '06 02'],
  // Germany, Austria, Pakistan
  ['4 7|4-7', '015 016 017 06 03'],
  ['4 8|4-8|4/8', '015 016 017'],
  // Kenya, Austria
  ['4 6', '07 06'],
  // Germany and Austria, where a slash stands behind the area
  ['3/7|3/8|4/6|4/7|5/6|4/3 2 2|4/3 3|4/3 4'],
  // Israel
  ['3-7', '05'],
  // The Netherlands
  ['2 8|2-8', '06'],
  // Indonesia
  ['4-4-4|4 4 4|4-4-3', '081 082 083 085 087 088 089'],
  // China
  ['3-4-4', '13 14 15 16 17 18 19'],
  // Brazil, by the nine with which its mobile numbers begin
  ['2 5-4|2-5-4|2 5 4', '1 2 3 4 5 6 7 8 9'],
  // Russia
  ['1 3 3 2 2|1 3 3-2-2|1-3-3-2-2', '89']
]

const ownHeads = written.flatMap(([shapes, heads]) =>
  shapes.split('|').map((shape) => [shapeKey(shape), heads?.split(' ') ?? ['0']] as const)
)
const headsOf = Map.groupBy(ownHeads, ([key]) => key)
const brazilian = new Set(['2 5-4', '2-5-4', '2 5 4'].map(shapeKey))
const dutch = new Set(['2 8', '2-8'].map(shapeKey))

/** The shapes that {@link localNumber} reads. */
export const localShapes: readonly string[] = [...new Set(written.flatMap(([shapes]) => shapes.split('|')))]

/** Service numbers, free or expensive, of Britain, Germany, Turkey and Japan. */
const services = '0800 0808 0844 0845 0870 0871 0180 0700 0900 0850 0120 0570'.split(' ')
/** Reserved for fiction and documentation by Ofcom and by the Australian authority. */
const fictions = '07700900 0207946 01632960 0491570'.split(' ')

/** The number of such a shape that begins at `at`. */
export function localNumber(text: string, at: number, number: NumberRun): Match | undefined {
  const heads = headsOf.get(number.key)
  if (heads === undefined) return undefined
  const digits = number.compact()
  if (!heads.some(([, own]) => own.some((head) => digits.startsWith(head)))) return undefined
  if (brazilian.has(number.key) && digits.charAt(2) !== '9') return undefined
  if (dutch.has(number.key) && isYyyymmdd(digits.slice(2))) return undefined
  // A decimal without its zero: `-.0127 403 307`.
  if (codeAt(text, at - 1) === 46) return undefined
  if (number.key === stamped && isStamp(text, at, number.end)) return undefined
  if (!isLikely(digits) || isAmongNumbers(text, at, number.end) || isNumberOfObject(text, at)) return undefined
  return { start: at, end: number.end, confidence: 'medium' }
}

const stamped = shapeKey('4/6')

/** Whether it is the month, day and time of a log line of Chromium: `[0701/114930:WARNING`, `:0701/114930.512:`. */
function isStamp(text: string, start: number, end: number): boolean {
  return inSet(beforeStampSet, codeAt(text, start - 1)) && inSet(behindStampSet, codeAt(text, end))
}
const beforeStampSet = charSet('[:')
const behindStampSet = charSet(':.')

/** Whether digits are not a service number, a sample, or a count padded with zeros. */
function isLikely(digits: string): boolean {
  if (digits.startsWith('00') || digits.startsWith('01234')) return false
  if (services.some((head) => digits.startsWith(head)) || fictions.some((head) => digits.startsWith(head))) return false
  return new Set(digits).size >= differentMin && !counts(digits)
}
const differentMin = 4

/** Whether six digits in a row count up or down: `0161 123 4567`. */
function counts(digits: string): boolean {
  return longestRun(digits, 1) >= countMin || longestRun(digits, -1) >= countMin
}
const countMin = 6

/** Whether more digits, or a hexadecimal byte, stand next to it across a blank: a row of a table, a hex dump. */
function isAmongNumbers(text: string, start: number, end: number): boolean {
  if (isTexCell(text, start, end)) return true
  const before = runStart(text, start, blankSet, blanksMax)
  if (before < start && (inSet(digitSet, codeAt(text, before - 1)) || isBytes(text, before))) return true
  const after = runEnd(text, end, blankSet, blanksMax)
  return after > end && (inSet(digitSet, codeAt(text, after)) || isByte(text, after) || isBytePair(text, after))
}
const blanksMax = 4

/** Whether it fills a cell of a LaTeX table: `& 062 979 086 &`. */
function isTexCell(text: string, start: number, end: number): boolean {
  return text.startsWith('& ', start - 2) && (text.startsWith(' &', end) || text.startsWith(' \\\\', end))
}

/** Things that have numbers of their own. */
const numberedObjects = new Set(
  'serial part sku item article product order invoice ref reference batch lot tracking parcel policy imei isbn'.split(
    ' '
  )
)
/** The same in Japanese, Chinese and Korean: slips, orders, goods, batches, parcels. */
const objectsBeyondAscii =
  '伝票 注文 受注 商品 品番 型番 製造番号 管理番号 追跡 订单 訂單 单号 單號 编号 編號 주문 송장 상품'.split(' ')
const objectUnitsMax = 10
const numberWords = new Set(['no', 'nr', 'num', 'number'])
const labelGapSet = charSet(' .:#"\'=')
const labelGapMax = 6
const labelUnitsMax = 12

/** Whether the words right before the number name another thing: `Part no. 020 7613 0958`, `Serial: 090-5906-0567`. */
export function isNumberOfObject(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - objectUnitsMax), at)
  if (codeAt(text, at - 1) > 127 || codeAt(text, at - 2) > 127)
    return objectsBeyondAscii.some((word) => before.includes(word))
  let end = runStart(text, at, labelGapSet, labelGapMax)
  let start = runStart(text, end, letterSet, labelUnitsMax)
  if (numberWords.has(text.slice(start, end).toLowerCase())) {
    end = runStart(text, start, labelGapSet, labelGapMax)
    start = runStart(text, end, letterSet, labelUnitsMax)
  }
  return numberedObjects.has(text.slice(start, end).toLowerCase())
}

/** Whether one byte of a hex dump, or two, end at `end`. */
function isBytes(text: string, end: number): boolean {
  return isByte(text, end - 2) || isBytePair(text, end - 4)
}

/** Whether it is two bytes of a hex dump, and not a word: `a45f`. */
function isBytePair(text: string, at: number): boolean {
  if (runEnd(text, at, hexSet, 5) !== at + 4 || countOf(text, at, at + 4, digitSet) === 0) return false
  return !inSet(wordSet, codeAt(text, at - 1)) && !inSet(wordSet, codeAt(text, at + 4))
}

function isByte(text: string, at: number): boolean {
  if (!inSet(hexSet, codeAt(text, at)) || !inSet(hexSet, codeAt(text, at + 1))) return false
  return !inSet(wordSet, codeAt(text, at - 1)) && !inSet(wordSet, codeAt(text, at + 2))
}

/** The anchors of {@link inPairs}. */
export const pairHeads: readonly string[] = ['06 ', '07 ', '06.', '07.']

/** Checks what stands around the first pair. */
export const pairGuard: Guard = {
  notBefore: wordSet,
  behind: digitSet,
  behindUnits: 2
}

/** A French mobile number, with blanks or dots throughout: `06 12 43 91 10`. */
export function inPairs(text: string, at: number): Match | undefined {
  const before = codeAt(text, at - 1)
  if (inSet(wordSet, before) || inSet(pairJointSet, before)) return undefined
  const separator = text.charCodeAt(at + 2)
  let digits = text.slice(at, at + 2)
  let end = at + 2
  for (let pair = 1; pair < pairs; pair++, end += 3) {
    const from = end + 1
    if (text.charCodeAt(end) !== separator || runEnd(text, from, digitSet, 3) !== from + 2) return undefined
    digits += text.slice(from, from + 2)
  }
  if (inSet(wordSet, codeAt(text, end)) || isAmongNumbers(text, at, end) || isNumberOfObject(text, at)) return undefined
  if (inSet(pairJointSet, codeAt(text, end)) && inSet(wordSet, codeAt(text, end + 1))) return undefined
  return isLikely(digits) && (separator !== 32 || !inStepsOf(digits))
    ? { start: at, end, confidence: 'medium' }
    : undefined
}
const pairs = 5
const pairJointSet = charSet('.,:/+[-')

/** Whether each pair is greater than the one before, as with hours, pages and minutes: `06 12 18 24 30`. */
function inStepsOf(digits: string): boolean {
  const parts = Array.from({ length: pairs }, (_, i) => Number(digits.slice(2 * i, 2 * i + 2)))
  return parts.every((part, i) => i === 0 || part > (parts[i - 1] as number))
}

/** How many digits stand right behind an area code in brackets. */
export const bracketedDigits: readonly number[] = [3, 4, 5, 7]
/** How the rest is grouped, behind area codes of two digits, three, and so on. */
const bracketed: readonly (readonly string[])[] = [
  ['4 4', '4-4', '5-4', '5 4'],
  ['3-2-2', '3 2 2', '4-4', '4 4', '3 4', '7'],
  ['3 4', '3-4', '3 3'],
  ['3 3']
]

/**
 * A number with its area code in brackets: `(11) 93758-3159`, `8 (916) 591-76-50`, `(0161) 736 2201`.
 * @param at the first digit behind the bracket
 */
export function behindBracket(text: string, at: number): Match | undefined {
  const close = text.charCodeAt(at - 1) === 41 ? at - 1 : at - 2
  const areaAt = runStart(text, close, digitSet, areaMax + 1)
  const shapes = bracketed[close - areaAt - areaMin]
  if (shapes === undefined || text.charCodeAt(close) !== 41 || codeAt(text, areaAt - 1) !== 40) return undefined
  const isRussian = codeAt(text, areaAt - 2) === 56 && !inSet(wordSet, codeAt(text, areaAt - 3))
  if (!isRussian && inSet(beforeAreaSet, codeAt(text, areaAt - 2))) return undefined
  const { shape, digits, end } = groupsAt(text, at)
  const area = text.slice(areaAt, close)
  if (!shapes.includes(shape) || !fitsArea(area, shape, digits) || inSet(wordSet, codeAt(text, end))) return undefined
  if (!isLikely(area + digits) || isAmongNumbers(text, at, end) || isNumberOfObject(text, areaAt - 1)) return undefined
  return { start: isRussian ? areaAt - 2 : areaAt - 1, end, confidence: 'medium' }
}
const areaMin = 2
const areaMax = 5
/** The bracket of a call, a plus before a country code, and another bracket. */
const beforeAreaSet = charSet('A-Z', 'a-z', '0-9', '_+)')

/** The groups of digits from `at` on, separated by a blank or a dash. */
function groupsAt(text: string, at: number): { readonly shape: string; readonly digits: string; readonly end: number } {
  let shape = ''
  let digits = ''
  let end = at
  for (let groups = 0; groups < groupsMax; groups++) {
    const from = groups === 0 ? at : end + 1
    const to = runEnd(text, from, digitSet, groupDigitsMax + 1)
    if (to === from) break
    shape += (groups === 0 ? '' : text.charAt(end)) + String(to - from)
    digits += text.slice(from, to)
    end = to
    if (!inSet(groupSet, codeAt(text, end))) break
  }
  return { shape, digits, end }
}
const groupsMax = 4
const groupDigitsMax = 8
const groupSet = charSet(' -')

/** Area codes have a trunk zero, except for those of Brazil and of Russian mobile numbers. */
function fitsArea(area: string, shape: string, digits: string): boolean {
  if (area.startsWith('0')) return !shape.startsWith('5')
  if (area.length === areaMin) return shape.startsWith('5') && digits.startsWith('9')
  return area.startsWith('9') && shape.endsWith('2')
}

/** Texts in which a number is recognised by its shape alone. */
export const localHits = (): readonly string[] => [
  'Erreichst mich unter 0171 886' + '8043',
  'give us a bell on 07700 209' + '653',
  'Appelez le 06.12.22.' + '10.48 svp',
  'c’est le 06 52 22 ' + '10 48',
  'Daytime: 020 7613 ' + '0958',
  '折り返し090-5906-' + '0567まで',
  '010-2460-' + '5641로 전화주세요',
  'mini Nummere isch 079 247 ' + '12 12',
  'ring 070-495 ' + '76 20',
  'beni 0532 855 ' + '34 92 numaradan arayın',
  'skakel my by 082 458 ' + '0161',
  'hubungi 0812-2052-' + '4356',
  'app me op 06 126' + '71096',
  'numerul 0722 802 ' + '360',
  'zovite 063 857 ' + '310',
  'chama no (11) 99738-' + '5786',
  'ligue 11 92016-' + '2677',
  'наберите 8 916 275 ' + '25 79',
  'наберите 8(916)275-' + '25-79',
  'Anna, (0161) 736 ' + '2201',
  'her desk is (02) 9243 ' + '2324',
  'die Nummer 089/429' + '9584',
  'תתקשר 052-331' + '9820',
  '致电138-4772-' + '9603'
]

/** Texts with digits in such groups that are not a telephone number. */
export const localMisses: readonly string[] = [
  'Call us free on 0800 736 2201',
  '0161 123 4567, 0123 456 789 or 0412 345 678',
  '07700 900461 and 020 7946 0958 are for films',
  'count 0001 736 2201',
  'orcid 0000-0002-1825-0097',
  'mode 041 117 132',
  'values 05 61 62 65 93',
  '00000010 06 61 22 65 93 0a 7f',
  'at 06 12 18 24 30',
  '06.12.22.10.48.3 or 2.06.12.22.10.48',
  'row 0412 423 654 17',
  'angle 0801 0601 0800 ?? 110.5 0.014',
  'in 2026.07 12 22 10 48',
  'f(11) 93758-3159',
  'pages (10) 2024-2048',
  'month 06 20251103',
  'range (011) 2019-2020-2021',
  'ref 11 23758-3159',
  'sum 138 4772 9603 and 212 999 2344',
  'registered 0708.865.310 in Brussels',
  'part 0000 0000 0000',
  'Part no. 020 7613 0958',
  '0.589549 & 4126 & 062 979 086 & 77',
  '伝票番号 0816-1470-2363、商品コード',
  '"serial": "090-5906-0567"',
  'Invoice number: (11) 93758-3159',
  'order #06.12.22.10.48',
  'matrix(-.01551 -.00286 -.00327 -.0127 403 307)',
  'cc7a 8fcc a45f 0812 2052 4356',
  '0812 2052 4356 a45f cc7a 8fcc',
  '[0301/114930:WARNING:net.cc(306)] x',
  '[4711:4711:0301/114930.512:ERROR:gpu.cc(41)] x'
]
