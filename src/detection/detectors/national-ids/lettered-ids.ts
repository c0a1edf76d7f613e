/**
 * National identifiers whose letters follow a dash or a blank, so that neither a `number` nor a `word` anchor covers
 * them.
 */
import {
  charSet,
  digitSet,
  inSet,
  leftClear,
  letterSet,
  rightClear,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import type { Detector, MatchContext } from '../../detector.ts'
import { idNumber } from '../../numbers/id-number.ts'
import * as americas from '../../validators/americas.ts'
import { isYyyymmdd } from '../../validators/digits.ts'
import * as check from '../../validators/europe-west.ts'

/** Reads a value around a run of digits: its start and end, or undefined if it is wrong. */
type Reader = (text: string, at: number) => { start: number; end: number } | undefined

/** The characters right before or after a run of digits, and its lengths. */
interface RunPlace {
  readonly before?: string
  readonly after?: string
  readonly digits: readonly number[]
}

/**
 * Adds a way of writing in which the value begins at, or just before, a run of digits. A value that `read` accepts
 * proves itself.
 */
function withRun(detector: Detector, place: RunPlace, read: Reader): Detector {
  return {
    ...detector,
    anchors: [...detector.anchors, { run: true, ...place }],
    match(text, at, context) {
      if (context.by !== 'run') return detector.match(text, at, context)
      const found = read(text, at)
      if (found === undefined || !leftClear(text, found.start, wordSet) || !rightClear(text, found.end, wordSet))
        return undefined
      return rated(found.start, found.end, context)
    }
  }
}

function rated(start: number, end: number, context: MatchContext) {
  return context.near(start)
    ? ({ start, end, confidence: 'strong', byContext: true } as const)
    : ({ start, end, confidence: 'medium', tier: 'medium' } as const)
}

/** A date in UTC is none: `20240101Z`. */
const isDni = (value: string): boolean => check.esDni(value) && !(value.endsWith('Z') && isYyyymmdd(value.slice(0, -1)))

const dni = idNumber({
  id: 'es_dni',
  label: 'ES_DNI',
  title: 'Spanish identity number',
  ways: [{ forms: ['99999999@', '99999999-@', '99.999.999-@'], check: isDni, proof: 'tight' }],
  words: ['dni', 'nif', 'documento nacional', 'documento nacional de identidad'],
  valid: ['62274~427H', '62274~427 H', '62.274~.427-H'],
  invalid: ['1234~5678A', '12345~6789Z'],
  others: ['see V1_2-202011~10-A/HTML', 'ENST0037:605886~51-G-<DEL>'],
  source: 'Ministerio del Interior: letter by the number modulo 23.'
})

/** Letters of a genome. */
const baseSet = charSet('ACGT')
const isChange = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 45 && (text.charCodeAt(at + 1) === 60 || inSet(baseSet, text.charCodeAt(at + 1)))

const esDni = withRun(dni, { after: '-', digits: [3, 8] }, (text, at) => {
  const end = runEnd(text, at, digitSet, 9)
  if (text.charCodeAt(end) !== 45 || !inSet(letterSet, text.charCodeAt(end + 1))) return undefined
  const start = end - at === 8 ? at : groupsBefore(text, at)
  const digits = start < 0 ? '' : text.slice(start, end).replaceAll('.', '')
  if (digits.length !== 8 || runEnd(digits, 0, digitSet, 9) !== 8) return undefined
  // A dated version: `V1_2-20201110-A`.
  if (isYyyymmdd(digits) && inSet(wordSet, text.charCodeAt(start - 2))) return undefined
  // A place in a genome and the letters there: `60588651-G-<DEL>`.
  if (inSet(baseSet, text.charCodeAt(end + 1)) && isChange(text, end + 2)) return undefined
  return check.esDni(digits + text.charAt(end + 1).toUpperCase()) ? { start, end: end + 2 } : undefined
})

const nie = idNumber({
  id: 'es_nie',
  label: 'ES_NIE',
  title: 'Spanish foreigner identity number',
  ways: [{ forms: ['@9999999@', '@-9999999-@', '@-9999999@', '@9999999-@'], check: check.esNie, proof: 'tight' }],
  words: ['nie', 'nif', 'extranjero'],
  valid: ['Y1229~037T', 'Y1229~037-T'],
  invalid: ['X1234~567A', 'W123~4567L'],
  source: 'Ministerio del Interior: X, Y and Z count as 0, 1 and 2; letter as in the DNI.'
})

const esNie = withRun(nie, { before: '-', digits: [7] }, (text, at) => {
  if (text.charCodeAt(at - 1) !== 45 || runEnd(text, at, digitSet, 8) !== at + 7) return undefined
  const letterAt = text.charCodeAt(at + 7) === 45 ? at + 8 : at + 7
  const value = (text.charAt(at - 2) + text.slice(at, at + 7) + text.charAt(letterAt)).toUpperCase()
  return value.length === 9 && check.esNie(value) ? { start: at - 2, end: letterAt + 1 } : undefined
})

const rut = idNumber({
  id: 'cl_rut',
  label: 'CL_RUT',
  title: 'Chilean RUT number',
  ways: [
    {
      forms: ['99.999.999-9', '9.999.999-9'],
      check: americas.clRut,
      proof: 'tight'
    },
    {
      // With K and a dash it is read from the dash on. Without a dash, `3707912K` is a size in kilobytes more often.
      forms: [
        ...['99999999-9', '9999999-9', '99.999.999-K', '9.999.999-K'],
        ...['99999999-K', '9999999-K', '9999999K', '99999999K', '999999999']
      ],
      check: americas.clRut,
      proof: 'loose'
    }
  ],
  words: ['rut', 'rol único', 'rol unico', 'cédula de identidad', 'run nº', 'run n°', 'r.u.n'],
  valid: ['96.061~.840-8', '12.345~.684-K'],
  invalid: ['12.531~.909-3'],
  source: 'Registro Civil e Identificación: weights 2 to 7 from the right, modulo 11.'
})

const clRut = withRun(rut, { after: '-', digits: [3, 7, 8] }, (text, at) => {
  // The check letter stands behind the last group: eight or seven digits, or three after a dot.
  const end = runEnd(text, at, digitSet, 9)
  const letter = text.charCodeAt(end + 1)
  if (text.charCodeAt(end) !== 45 || (letter !== 75 && letter !== 107)) return undefined
  if (end - at === 7 || end - at === 8) {
    return americas.clRut(text.slice(at, end) + 'K') ? { start: at, end: end + 2 } : undefined
  }
  const start = groupsBefore(text, at)
  if (start < 0) return undefined
  const digits = text.slice(start, end).replaceAll('.', '')
  return runEnd(digits, 0, digitSet, 9) === digits.length && americas.clRut(digits + 'K')
    ? { start, end: end + 2 }
    : undefined
})

/** The start of a number whose last three digits, behind two dots, are at `at`: `12.345.684`; -1 if it is none. */
function groupsBefore(text: string, at: number): number {
  const dot = at - 5
  if (runEnd(text, at, digitSet, 4) !== at + 3 || text.charCodeAt(at - 1) !== 46 || text.charCodeAt(dot) !== 46)
    return -1
  const start = runStart(text, dot, digitSet, 3)
  return start === dot || dot - start > 2 || text.charCodeAt(start - 1) === 46 ? -1 : start
}

const centuries = charSet('+-', 'A-F', 'U-Y', 'a-f', 'u-y')

function isHetu(value: string): boolean {
  return check.fiHetu(value.slice(0, 6), value.slice(-4, -1), value.slice(-1))
}

const hetu = idNumber({
  id: 'fi_hetu',
  label: 'FI_HETU',
  title: 'Finnish personal identity code',
  ways: [
    {
      forms: ['999999@999?'],
      check: (value) => inSet(centuries, value.charCodeAt(6)) && isHetu(value),
      proof: 'tight'
    },
    { forms: ['999999-9999', '999999999?'], check: isHetu, proof: 'loose' }
  ],
  words: [
    'hetu',
    'henkilötunnus',
    'henkilotunnus',
    'personbeteckning',
    'sotu',
    'identity code',
    'henkilötunnukseni',
    'henkilötunnuksesi',
    'henkilötunnuksen',
    'hetuni',
    'hetun'
  ],
  valid: ['120385~A644V'],
  invalid: ['131052-~308U', '321052-~308T'],
  source: 'Digital and Population Data Services Agency: birthday, sign of the century, serial, modulo 31.'
})

const fiHetu = withRun(hetu, { after: '+-', digits: [6] }, (text, at) => {
  const sign = text.charCodeAt(at + 6)
  if ((sign !== 43 && sign !== 45) || runEnd(text, at, digitSet, 7) !== at + 6) return undefined
  if (!inSet(letterSet, text.charCodeAt(at + 10)) || runEnd(text, at + 7, digitSet, 4) !== at + 10) return undefined
  return isHetu((text.slice(at, at + 6) + text.slice(at + 7, at + 11)).toUpperCase())
    ? { start: at, end: at + 11 }
    : undefined
})

const ninoNames = [
  'nino',
  'national insurance',
  'ni number',
  'ni no',
  'insurance number',
  'n.i. number',
  'n.i. no',
  'ni num',
  'nat. ins',
  'nat ins'
]

const gbNino = idNumber({
  id: 'gb_nino',
  label: 'UK_NINO',
  title: 'UK national insurance number',
  ways: [
    {
      forms: ['@@999999@', '@@ 99 99 99 @', '@@ 999999 @', '@@999999 @', '@@ 999999@', '@@ 99 99 99@', '@@99 99 99 @'],
      check: check.gbNino,
      proof: 'loose'
    }
  ],
  words: [...ninoNames, 'ni'],
  valid: ['AB12~3456C', 'AB-12~-34-56-C', 'CE 26~ 80 42 B', 'JK 47~1848 C'],
  invalid: ['BG12~3456A', 'AB12~3456E', 'DA12~3456A', 'AB123~4567C'],
  source: 'HMRC National Insurance Manual NIM39110: prefixes and suffixes.'
})
export const letteredIdDetectors: readonly Detector[] = [esDni, esNie, clRut, fiHetu, gbNino]
