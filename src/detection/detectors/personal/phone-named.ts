/** Telephone numbers behind a word that announces them, under it in a table, or on the line below. */
import { closesField, isOfOther } from '../../text/closed-field.ts'
import { charSet, codeAt, digitSet, foldCode, inSet, letterSet, runEnd, runStart, wordSet } from '../../text/chars.ts'
import type { Match, MatchContext } from '../../detector.ts'
import { dialled, digitsMax, isDate, isDecimal, isSpaced, isVersion, type Dialled } from './phone-forms.ts'
import { numberBefore } from './phone-said.ts'
import { listedMembers } from './phone-members.ts'
import { announcesShort, isAmbiguousName, isCellName, trunkUnits, phoneNameAt } from './phone-names.ts'
import { closesRemark } from '../../text/spelled-names.ts'
import { isPattern } from '../../numbers/chance-matches.ts'
import { isYyyymmdd } from '../../validators/digits.ts'
import { isFlatNumber, isInternational, isNorthAmerican } from '../../validators/phone-plans.ts'
import { NextOf } from '../../text/next-of.ts'
import { isWholeWord } from '../../text/whole-word.ts'
import { behindMarkup, endsInMarkup } from '../../values/markup-values.ts'
import { belowName, ColumnValues, endsLine, headingEnd, remarkEnd, tailEnd } from '../../values/column-values.ts'

const valueUnitsMax = 28
const nameTailMax = 12

const digitsOrEnds = new NextOf(charSet('0-9', '+@\n'))

/** The first digit behind a name, past a short word, a colon and quotes; -1 if there is none. */
function firstDigit(text: string, from: number, textNumber: number): number {
  const at = digitsOrEnds.at(text, from, Math.min(text.length, from + valueUnitsMax), textNumber)
  return at < from + valueUnitsMax && inSet(digitSet, codeAt(text, at)) && !isInside(text, at) ? at : -1
}

/** Whether the digits continue a word or a hyphenated name, as in `CVE-2013-1997`. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return inSet(wordSet, before) || (before === 45 && inSet(letterSet, codeAt(text, at - 2)))
}

/**
 * Whether it is a national number: ten digits of the North American plan, or a trunk zero and seven to twelve digits.
 */
function isNational(read: Dialled): boolean {
  const { digits } = read
  if (isFlatNumber(digits)) return false
  const prefix = abroad.find((one) => digits.startsWith(one))
  if (prefix !== undefined && isInternational(digits.slice(prefix.length))) return true
  if (digits.startsWith('0')) return digits.length >= 8 && digits.length <= 13 && digits.charAt(1) !== '0'
  if (digits.length === 11 && digits.startsWith('1')) return digits.charAt(1) >= '3' || isNorthAmerican(digits.slice(1))
  return isNorthAmerican(digits) || (digits.length >= 8 && digits.length <= 11 && read.separators >= 2)
}

/** International prefixes: of most countries, and of North America. */
const abroad = ['00', '011']

/**
 * Whether digits that only a name announces are a telephone number: ten or eleven digits right behind it, with or
 * without a country code, or as many as small countries have.
 * @param isLinked whether punctuation or a word stands between (`phone: 65211234`, `call me on 612 345 678`), or the name
 *   heads the number
 */
function isNamed(text: string, at: number, read: Dialled, isLinked: boolean): boolean {
  const { digits } = read
  if (isFlatNumber(digits)) return false
  if (digits.length === 10 || digits.length === 11) return true
  if (digits.length > 11) return isLinked && isInternational(digits)
  return digits.charAt(0) > '0' && isShort(text, at, read, isLinked)
}

/**
 * All that is dialled within a small country or a town: `612345678`, `6521 1234`, `65211234`, `321-4567`, `32 14 56`.
 */
function isShort(text: string, at: number, { digits, end, separators }: Dialled, isLinked: boolean): boolean {
  if (isPattern(digits, 1)) return false
  const isTight = end - at === digits.length + separators && runEnd(text, at, digitSet, digitsMax) - at > 1
  if (digits.length === 9) return isTight && (isLinked || separators > 0)
  if (digits.length === 8)
    return !isYyyymmdd(digits) && (separators === 0 ? isLinked && digits.charAt(0) > '1' : separators === 1 && isTight)
  if (digits.length === 7)
    return (
      !digits.startsWith('555') && (separators === 0 ? isLinked && digits.charAt(0) > '1' : isTight && separators < 3)
    )
  return digits.length === 6 && isLinked && isTight && (separators === 1 || separators === 2)
}

/** Words that may stand between a name and its number, beside punctuation and quotes. */
const links = new Set(
  (
    'number no nr num is on at to me my home work office private linked registered ' +
    'nummer ist lautet unter auf er är est au le numéro numero número es al el è é il o na to pod'
  ).split(' ')
)
const plainGapMax = 4
const signs = [':', '=', '>', '|', '\t']

/**
 * How a name is tied to the number behind it: `plain` with nothing between, `linked` by punctuation or words; undefined
 * if it is not.
 */
function tieOf(gap: string, isBare: boolean): 'plain' | 'linked' | undefined {
  const words = gap
    .split(' ')
    .map((word) => word.replaceAll('"', '').replaceAll("'", '').replaceAll(':', '').toLowerCase())
  const hasSign = !isBare || signs.some((sign) => gap.includes(sign))
  if (gap.length <= plainGapMax && hasSign) return 'linked'
  const isLinked = words.every((word) => word === '' || word === '=' || word === '.' || links.has(word))
  if (isLinked && words.some((word) => links.has(word))) return 'linked'
  return gap.length <= plainGapMax ? 'plain' : undefined
}

/** The same for a heading of several words with a sign behind it: `Teléfono fijo: 612345678`. */
function tieOfHeading(text: string, nameEnd: number, digitAt: number): 'linked' | undefined {
  const end = restEnd(text, nameEnd)
  if (end === nameEnd || isOther(text, end)) return undefined
  // Lines of a file: `MobileMenu.tsx:263-269`.
  if (digitAt === end + 1 && codeAt(text, runStart(text, end, letterSet, restWordUnitsMax) - 1) === 46) return undefined
  const gap = text.slice(end, digitAt)
  return gap.length <= plainGapMax && signs.some((sign) => gap.includes(sign)) ? 'linked' : undefined
}

/** Ends of names that belong to telephones and are not numbers: `phone_id`, `phoneCount`, `mobileBuild`. */
const others =
  'id ids count total type model code build version size width height index length speed price hash time date status'.split(
    ' '
  )

const othersByEnd = Map.groupBy(others, (word) => word.charCodeAt(word.length - 1))

/** Whether the word of an identifier that ends at `to` is `word`. */
function endsWord(text: string, to: number, word: string): boolean {
  const from = to - word.length
  return text.slice(from, to).toLowerCase() === word && isWholeWord(text, from, to)
}

const columns = new ColumnValues((text, at) => {
  const name = phoneNameAt(text, at)
  return name === undefined ? -1 : at + name.length - trunkUnits(name)
}, phoneHeadingEnd)

/**
 * The end of a heading that begins with the name ending at `at`: `Teléfono de contacto`, `Telefon komórkowy`; -1 if it
 * goes on with words of another meaning.
 */
function phoneHeadingEnd(text: string, at: number, tail?: number): number {
  const end = restEnd(text, at)
  return isOther(text, end) ? -1 : headingEnd(text, end, end === at ? tail : undefined)
}

/** Whether a name that ends at `at` is that of something other than a number. */
function isOther(text: string, at: number): boolean {
  const alike = othersByEnd.get(foldCode(codeAt(text, at - 1)))
  return (
    alike?.some(
      (word) => foldCode(codeAt(text, at - 2)) === word.charCodeAt(word.length - 2) && endsWord(text, at, word)
    ) === true
  )
}

/** Past further words of a heading, each behind a blank or a dot. */
function restEnd(text: string, at: number): number {
  let end = at
  for (let words = 0; words < restWordsMax; words++) {
    const from = runEnd(text, end, restJointSet, 2)
    const to = from === end ? from : wordEndAt(text, from)
    if (to === from) break
    end = to
  }
  return end
}
const restWordsMax = 3
const restJointSet = charSet(' .')
const restWordUnitsMax = 16

function wordEndAt(text: string, from: number): number {
  let i = from
  while (i < from + restWordUnitsMax && (inSet(letterSet, codeAt(text, i)) || codeAt(text, i) > 127)) i++
  return i
}

/** A number that fills a cell. */
function inCell(text: string, start: number, end: number): Match | undefined {
  // `0.439269256`: a column of measurements.
  if (codeAt(text, start + 1) === 46) return undefined
  // Two blanks between columns are read as one within a number, so what is read ends with the cell.
  const cell = text.slice(start, end)
  const read = dialled(cell, cell.startsWith('(') ? 1 : 0)
  return read !== undefined && read.end === cell.length && !isDate(text, start, end) && isHeaded(cell, 0, read)
    ? { start, end, confidence: 'strong', byContext: true }
    : undefined
}

/** Whether a number that has a name at the head of its column, line or list is one of a telephone. */
export function isHeaded(text: string, at: number, read: Dialled): boolean {
  if (isDecimal(text, at, read.end)) return false
  return isNational(read) || isNamed(text, at, read, true)
}

/** A number in the cell or field that its name labels. */
function inMarkup(text: string, nameTo: number, textNumber: number): Match | undefined {
  const at = behindMarkup(text, nameTo, textNumber)
  if (at < 0 || !inSet(startSet, codeAt(text, at)) || isOther(text, restEnd(text, nameTo))) return undefined
  const read = dialled(text, text.charCodeAt(at) === 40 ? at + 1 : at)
  if (read === undefined || !endsInMarkup(text, read.end)) return undefined
  return !isDate(text, at, read.end) && isHeaded(text, at, read)
    ? { start: at, end: read.end, confidence: 'strong', byContext: true }
    : undefined
}

/** A number on the line below its name. */
function below(text: string, nameTo: number): Match | undefined {
  const end = restEnd(text, nameTo)
  const at = isOther(text, end) ? -1 : belowName(text, remarkEnd(text, tailEnd(text, end)))
  if (at < 0 || !inSet(startSet, codeAt(text, at))) return undefined
  const read = dialled(text, text.charCodeAt(at) === 40 ? at + 1 : at)
  return read !== undefined && endsLine(text, read.end) && !isDate(text, at, read.end) && isHeaded(text, at, read)
    ? { start: at, end: read.end, confidence: 'strong', byContext: true }
    : undefined
}
const startSet = charSet('0-9', '(')

/** The number that the name at `at` announces: behind it, in its column, or on the line below. */
export function namedNumber(text: string, at: number, context: MatchContext): Match | undefined {
  const name = phoneNameAt(text, at)
  if (name === undefined) return undefined
  const nameTo = at + name.length - trunkUnits(name)
  // `XAllocColorCells` is not a telephone.
  const isCell = name === 'cell'
  if (isCell && (inSet(letterSet, codeAt(text, at - 1)) || text.startsWith('::', nameTo))) return undefined
  // `/cell_line="7550800303"`: cells of a laboratory.
  if (isCell && text.startsWith('line', nameTo + 1)) return undefined
  // `(iPhone; Opera Mini/7.0.3/34.1244;`
  if (name === 'phone' && isDevice(text, at, nameTo)) return undefined
  // `10.1016/j.cell.2010.12.001`: a journal.
  if (isCell && codeAt(text, at - 1) === 46) return undefined
  // `(tel)`
  if (isCellName(name) && closesRemark(text, nameTo)) return saidOf(text, name, at, nameTo)
  const listed = isCell ? undefined : listedMembers(text, nameTo, isHeaded)
  if (listed !== undefined) return listed
  const { textNumber } = context
  if (isCell) return behindName(text, name, nameTo, textNumber) ?? saidOf(text, name, at, nameTo)
  return columns.find(
    text,
    context,
    at,
    nameTo,
    (from, to) => inCell(text, from, to),
    () => behindName(text, name, nameTo, textNumber) ?? saidOf(text, name, at, nameTo)
  )
}

/** Whether the word is `iPhone` as user agents name it. In a list of contacts, a number follows. */
function isDevice(text: string, at: number, nameTo: number): boolean {
  const code = codeAt(text, at - 1)
  return (code === 105 || code === 73) && !inSet(wordSet, codeAt(text, at - 2)) && codeAt(text, nameTo) === 59
}

/** The number before a name that says so behind it. */
function saidOf(text: string, name: string, at: number, nameTo: number): Match | undefined {
  return isAmbiguousName(name) ? undefined : numberBefore(text, at, nameTo, isHeaded)
}

/** A number behind the name that ends at `nameTo`, or on the line below. */
function behindName(text: string, name: string, nameTo: number, textNumber: number): Match | undefined {
  const isCell = name === 'cell'
  const marked = inMarkup(text, nameTo, textNumber)
  if (marked !== undefined) return marked
  const digitAt = firstDigit(text, nameTo, textNumber)
  if (digitAt < 0) return isCell ? undefined : below(text, nameTo)
  if (closesField(text, nameTo, digitAt) || isOfOther(text, nameTo, digitAt)) return undefined
  // `0.0004392232`.
  if (text.startsWith('0.', digitAt)) return undefined
  const read = dialled(text, digitAt)
  if (read === undefined || isDate(text, digitAt, read.end) || isVersion(text, digitAt, read.end)) return undefined
  if (isDecimal(text, digitAt, read.end)) return undefined
  // `amr.n_cell = 128 128 32`, and the postal code of Brazil, `"cep": "01311902"`.
  if ((isCell || name === 'cep') && read.digits.length < 10) return undefined
  // `.is-8-mobile{width:66.66666667%}`.
  if (codeAt(text, read.end) === 37) return undefined
  // `phoneNumber`, `phone_no`: the rest of the name.
  const nameEnd = name.endsWith(' ') ? nameTo : Math.min(runEnd(text, nameTo, wordSet, nameTailMax), digitAt)
  if (isOther(text, nameEnd)) return undefined
  const isAmbiguous = isAmbiguousName(name)
  if (isAmbiguous && !isSpaced(text, digitAt, read.end)) return undefined
  if (isAmbiguous || !isNational(read)) {
    // The names `Tel.` and `Tel:` include their punctuation.
    const isRightBehind = digitAt === nameTo + 1 && codeAt(text, nameTo) === 32
    const isShortNumber = isRightBehind && read.digits.length > 7 && announcesShort(name)
    const isBare = inSet(letterSet, codeAt(text, nameTo - 1)) && !isShortNumber
    const tie =
      tieOf(text.slice(nameEnd, digitAt), isBare) ?? (isAmbiguous ? undefined : tieOfHeading(text, nameEnd, digitAt))
    if (tie === undefined) return undefined
    // `contact: 9747 4491`: a sign ties two groups to the word, and they are not years.
    const isAmbiguousOnly = isAmbiguous && (tie !== 'linked' || read.separators !== 1 || read.digits < '3')
    if (isAmbiguousOnly ? !isNational(read) : !isNamed(text, digitAt, read, tie === 'linked')) return undefined
  }
  // The bracket of an area code belongs to the number, that of a call does not.
  const isArea = text.charCodeAt(digitAt - 1) === 40 && text.slice(digitAt, read.end).includes(')')
  return { start: isArea ? digitAt - 1 : digitAt, end: read.end, confidence: 'strong', byContext: true }
}
