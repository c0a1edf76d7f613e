/** Telephone numbers in lists of contacts: a heading says what they are, and each line whose they are. */
import { wordGuard } from '../../anchor-guard.ts'
import { type Anchor, chained, contextMatch, type Match } from '../../detector.ts'
import { charSet, codeAt, countOf, digitSet, inSet, letterSet, runEnd } from '../../text/chars.ts'
import { lineEnd } from '../../text/rows.ts'
import { SpelledNames } from '../../text/spelled-names.ts'
import { dialled, isDate, isVersion, type Dialled } from './phone-forms.ts'

/** Words in headings of such lists, in lower case. */
const heads = [
  ...['contact list', 'phone list', 'phone numbers', 'key contacts', 'useful numbers', 'emergency numbers'],
  ...['telefonliste', 'kontaktliste', 'ansprechpartner', 'wichtige nummern', 'notfallnummern', 'telefoonlijst'],
  ...['rubrica', 'contatti', 'numeri utili', 'contactos', 'agenda de contactos', 'contatos', 'lista telefônica'],
  ...['annuaire', 'numéros utiles', 'kontakty', 'контакты', 'контакти', 'rehber']
]

export const phoneListAnchors: readonly Anchor[] = heads.map((literal) => ({
  literal,
  fold: true,
  guard: wordGuard(literal, '')
}))

const spelledHeads = new SpelledNames(heads)
const headingUnitsMax = 80
const beforeUnitsMax = 32
const linesMax = 12
const lineUnitsMax = 160
const numberDigitsMin = 8
const numberDigitsMax = 12
const nameLettersMin = 4
/** Separators between name and number. */
const signSet = charSet(':,-|\t')
const behindSet = charSet(',;|/(\t\r\n')
/** Labels of other numbers in such lines. */
const others = new Set('id nr no ref order ticket case invoice konto account port pin code iban'.split(' '))

/**
 * The numbers in the lines below the heading that contains the word at `at`.
 * @param isNumber whether a dialled number is a telephone number
 */
export function listedNumbers(
  text: string,
  at: number,
  isNumber: (text: string, at: number, read: Dialled) => boolean
): Match | undefined {
  const headEnd = spelledHeads.endAt(text, at)
  if (headEnd < 0 || !opensLine(text, at)) return undefined
  let line = headingEnd(text, headEnd)
  const found: Match[] = []
  for (let lines = 0; line >= 0 && lines < linesMax; lines++) {
    const end = lineEnd(text, line, lineUnitsMax)
    if (end < 0 || (end === line && lines > 1)) break
    const match = numberIn(text, line, end, isNumber)
    if (match !== undefined) found.push(match)
    line = end < text.length ? end + 1 : -1
  }
  return chained(found)
}

/** Whether the line begins shortly before, without digits in between. */
function opensLine(text: string, at: number): boolean {
  for (let i = at; i > at - beforeUnitsMax; i--) {
    if (i === 0 || text.charCodeAt(i - 1) === 10) return true
    if (inSet(digitSet, text.charCodeAt(i - 1))) return false
  }
  return false
}

/** Where the line behind a heading begins; -1 if the heading's line is long, or contains a number itself. */
function headingEnd(text: string, from: number): number {
  const end = lineEnd(text, from, lineUnitsMax)
  if (end < 0 || end - from > headingUnitsMax || end === text.length) return -1
  return countOf(text, from, end, digitSet) > 4 ? -1 : end + 1
}

/** The first number of a line, behind a name and a separator. */
function numberIn(
  text: string,
  from: number,
  to: number,
  isNumber: (text: string, at: number, read: Dialled) => boolean
): Match | undefined {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (!inSet(digitSet, code)) continue
    const before = codeAt(text, i - 1)
    const sign = codeAt(text, i - 2)
    if (before !== 32 || !(inSet(signSet, sign) || sign === 0x2013)) return undefined
    const read = dialled(text, i)
    if (read === undefined || read.end > to || !closes(text, read.end)) return undefined
    const { digits } = read
    if (digits.length < numberDigitsMin || digits.length > numberDigitsMax || !isNamed(text.slice(from, i)))
      return undefined
    if (isDate(text, i, read.end) || isVersion(text, i, read.end) || !isNumber(text, i, read)) return undefined
    return contextMatch(i, read.end)
  }
  return undefined
}

/** Whether the line ends there, or another part of it begins. */
function closes(text: string, at: number): boolean {
  const next = codeAt(text, at) === 32 ? codeAt(text, at + 1) : codeAt(text, at)
  return next === 0 || next === 45 || next === 0x2013 || inSet(behindSet, next)
}

/** Whether a name precedes, and not a label of another number. */
function isNamed(label: string): boolean {
  if (countOf(label, 0, label.length, letterSet) < nameLettersMin) return false
  for (let i = 0; i < label.length;) {
    const end = runEnd(label, i, letterSet, label.length)
    if (end > i && others.has(label.slice(i, end).toLowerCase())) return false
    i = end + 1
  }
  return true
}
