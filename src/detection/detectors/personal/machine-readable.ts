/** The machine-readable lines of passports, identity cards and visas (ICAO Doc 9303). */
import { charSet, codeAt, countOf, digitSet, inSet, runEnd, runStart } from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { documentCheck } from '../../validators/documents.ts'

/** The lengths of lines: passports and large visas, cards of two lines and small visas, cards of three. */
const passportUnits = 44
const twoLineUnits = 36
const cardUnits = 30
const mrzSet = charSet('A-Z', '0-9', '<')
const breakSet = charSet('\r\n ')
const breakUnitsMax = 3
/** Between lines that are members of a list: `"P<...", "K2..."`. */
const listSet = charSet('"\',-\r\n \t')
const listUnitsMax = 16

/** Fillers behind a name or optional data. Nearly every line has them, and hardly any other text. */
const filler = '<<<<'
const fillerGuard = { notBefore: charSet('<') }
/** How a first line begins that a long name may fill. */
const firsts = ['P<', 'V<', 'I<', 'A<', 'C<', 'IDD<<']
const firstGuard = { notBefore: mrzSet, behind: mrzSet, behindUnits: 25 }

/** Past a line break, also one written as an escape in JSON, or between the members of a list. */
function nextLine(text: string, at: number): number {
  if (codeAt(text, at) === 92) {
    const from = text.startsWith('\\r', at) ? at + 2 : at
    return text.startsWith('\\n', from) ? from + 2 : at
  }
  const end = runEnd(text, at, breakSet, breakUnitsMax)
  return inSet(mrzSet, codeAt(text, end)) ? end : runEnd(text, at, listSet, listUnitsMax)
}

/** The length of the line that begins at `at`; 0 if nothing that begins there is one. */
function lineUnits(text: string, at: number): number {
  if (inSet(mrzSet, codeAt(text, at - 1))) return 0
  const units = runEnd(text, at, mrzSet, passportUnits + 1) - at
  return units === passportUnits || units === twoLineUnits || units === cardUnits ? units : 0
}

/** Whether `[from, to)` is a date of six digits with the check digit that follows. */
function isDate(line: string, from: number): boolean {
  return countOf(line, from, from + 6, digitSet) === 6 && documentCheck(line, from, from + 6)
}

/** Whether a line holds the number of the document, the date of birth and that of expiry, each with its check digit. */
function isSecondOfTwo(line: string): boolean {
  if (documentCheck(line, 0, 9) && isDate(line, 13) && isDate(line, 21)) return true
  // The French identity card of 1988.
  return line.length === twoLineUnits && documentCheck(line, 0, 12) && isDate(line, 27)
}

/** Whether a line holds the two dates of a card of three lines, and its holder's sex between them. */
function isSecondOfThree(line: string): boolean {
  return isDate(line, 0) && isDate(line, 8) && 'MFX<'.includes(line.charAt(7))
}

/** Two or three lines, of which the first begins at `at`. */
function allLines(text: string, at: number): Match | undefined {
  const units = lineUnits(text, at)
  if (units === 0) return undefined
  const start = nextLine(text, at + units)
  if (lineUnits(text, start) !== units) return undefined
  const second = text.slice(start, start + units)
  if (units > cardUnits)
    return isSecondOfTwo(second) ? { start: at, end: start + units, confidence: 'certain' } : undefined
  const third = nextLine(text, start + units)
  const isCard = documentCheck(text.slice(at, at + units), 5, 14) && isSecondOfThree(second)
  return isCard && lineUnits(text, third) === units
    ? { start: at, end: third + units, confidence: 'certain' }
    : undefined
}

/** The line with the check digits alone: `"line2": "K2..."`. */
function oneLine(text: string, start: number): Match | undefined {
  const units = lineUnits(text, start)
  if (units === 0) return undefined
  const line = text.slice(start, start + units)
  const isProven = units > cardUnits ? isSecondOfTwo(line) : isSecondOfThree(line)
  return isProven ? { start, end: start + units, confidence: 'certain' } : undefined
}

const card = [
  'I<UTO' + 'K23456789',
  '<'.repeat(15),
  '8503127F3106154UTO' + '<'.repeat(11) + '2',
  'BRAUN<<JANA<MARIA' + '<'.repeat(13)
] as const
const passportLines = [
  'P<UTOBRAUN<<' + 'JANA<MARIA' + '<'.repeat(22),
  'K23456789',
  'UTO' + '8503127F3106154' + '<'.repeat(14) + '<2'
] as const
const small = [
  'I<UTOBRAUN<<' + 'JANA<MARIA' + '<'.repeat(14),
  'K23456789',
  'UTO' + '8503127F3106154' + '<'.repeat(7) + '6'
] as const

/** Nothing is left to be filled. */
const longName = [
  'P<UTOBRAUNHOFFERSTEIN<<' + 'JANA<MARIA<LUISE<ANNA',
  'K234567890UTO85031' + '27F3106154ZE184226BRAUNX06'
]

export const machineReadable: Detector = {
  id: 'passport_mrz',
  label: 'PASSPORT_MRZ',
  title: 'machine-readable lines of a passport',
  group: 'pii',
  tier: 'high',
  lengthMin: cardUnits,
  anchors: [{ literal: filler, guard: fillerGuard }, ...firsts.map((literal) => ({ literal, guard: firstGuard }))],
  match(text, at) {
    if (codeAt(text, at) !== 60) return allLines(text, at)
    if (codeAt(text, at - 1) === codeAt(text, at)) return undefined
    const start = runStart(text, at, mrzSet, passportUnits + 1)
    return allLines(text, start) ?? oneLine(text, start)
  },
  hits: () => [
    longName.join('\n'),
    `${card[0]}0${card[1]}\n${card[2]}\n${card[3]}`,
    `${passportLines[0]}\n${passportLines[1]}0${passportLines[2]}`,
    `"mrz": "${small[0]}\\r\\n${small[1]}0${small[2]}"`,
    `"mrz": [\n  "${passportLines[0]}",\n  "${passportLines[1]}0${passportLines[2]}"\n]`,
    `line 2: ${passportLines[1]}0${passportLines[2]}`,
    `line 2: ${card[2]}`
  ],
  misses: () => [
    'P<UTO',
    '<<<<<<< HEAD',
    '<'.repeat(44),
    `${card[0]}1${card[1]}\n`,
    `${passportLines[0]}\n${passportLines[1]}8${passportLines[2]}`,
    `line 2: ${small[1]}1${small[2]}`,
    `line 1: ${passportLines[0]}`,
    `line 2: ${card[2].replace('3106154', '3106155')}`
  ],
  source:
    'ICAO Doc 9303, parts 4 to 7: two lines of 44 or 36 characters, or three of 30; check digits by weights 7-3-1.'
}
