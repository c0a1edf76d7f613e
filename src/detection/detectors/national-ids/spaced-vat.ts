/** VAT numbers in groups behind the letters of their country: `GB 123 4567 89`, `BE 0123.456.789`, `DK 12 34 56 78`. */
import type { Detector, MatchContext, Match } from '../../detector.ts'
import { fits } from '../../numbers/id-forms.ts'
import {
  base62Set,
  charSet,
  codeAt,
  digitSet,
  inSet,
  runEnd,
  runStart,
  upperDigitSet,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { vatForms } from '../../validators/vat.ts'

interface Plan {
  readonly forms: readonly string[]
  readonly check: (value: string) => boolean
}

const plans = new Map<string, Plan>(vatForms.map(([country, forms, check]) => [country, { forms, check }]))
/** Countries whose check one number in fifty passes by chance, or fewer. All others must be named, as must bare digits. */
const strict = new Set(['BE', 'FR', 'GB', 'IT', 'NL', 'XI'])
const countryUnitsMax = 3
/** The longest form and the blanks, dots and dashes in it. */
const unitsMax = 24
const jointSet = charSet(' .-')
/** France has a key of two characters before the first group of three. */
const keyUnits = 2
/**
 * The number of Denmark is written in pairs, which are no run of three digits, and which nothing else behind these
 * letters has.
 */
const pairHeads = ['DK ', 'DK-']

/** The number at `from`, whose country ends before the blank or dash in front of it. */
function numberAt(text: string, from: number, context: MatchContext): Match | undefined {
  const countryTo = from - 1
  if (!inSet(jointSet, codeAt(text, countryTo))) return undefined
  const start = runStart(text, countryTo, upperSet, countryUnitsMax + 1)
  const country = text.slice(start, countryTo)
  const plan = plans.get(country)
  if (plan === undefined || inSet(wordSet, codeAt(text, start - 1))) return undefined
  const end = endOf(text, from, plan)
  if (end < 0) return undefined
  if (context.near(start)) return { start, end, confidence: 'strong', byContext: true }
  const isWritten =
    (strict.has(country) || context.by === 'literal') && runEnd(text, from, upperDigitSet, unitsMax) < end
  return isWritten ? { start, end, confidence: 'medium' } : undefined
}

/** Where the longest number of a plan ends that begins at `from`; -1 if none does. */
function endOf(text: string, from: number, { forms, check }: Plan): number {
  let compact = ''
  let end = -1
  for (let i = from; i < from + unitsMax; i++) {
    const code = codeAt(text, i)
    if (inSet(upperDigitSet, code)) compact += text.charAt(i)
    else if (!inSet(jointSet, code) || !inSet(upperDigitSet, codeAt(text, i + 1))) break
    if (inSet(base62Set, code) && !inSet(base62Set, codeAt(text, i + 1)) && isOf(compact, forms) && check(compact))
      end = i + 1
  }
  return end
}

function isOf(value: string, forms: readonly string[]): boolean {
  return forms.some((form) => form.length === value.length && fits(value, form))
}

/** Adds numbers in groups to the detector of those without. */
export function withGroups(detector: Detector): Detector {
  return {
    ...detector,
    anchors: [
      ...detector.anchors,
      { run: true, before: ' -', beforeThat: ['A-Z', '0-9'], digits: [3, 4, 8, 9, 10, 11, 12] },
      ...pairHeads.map((literal) => ({ literal, guard: { behind: digitSet, behindUnits: 2 } }))
    ],
    match(text, at, context) {
      if (context.by === 'literal') return numberAt(text, at + (pairHeads[0] as string).length, context)
      if (context.by !== 'run') return detector.match(text, at, context)
      const key = at - keyUnits - 1
      return (
        numberAt(text, at, context) ??
        (inSet(upperDigitSet, codeAt(text, key)) ? numberAt(text, key, context) : undefined)
      )
    },
    hits: () => [
      ...detector.hits(),
      ['USt-IdNr.: DE', '126', '698', '572'].join(' '),
      'Umsatzsteuer-ID: DE ' + '126698572',
      'BTW BE ' + '0407.189.964',
      ['our GB', '784', '6219', '96'].join(' '),
      ['our FR', '24', '461', '765', '109'].join(' '),
      ['our DK', '27', '34', '27', '01'].join(' '),
      ['MWST CHE-751', '903', '376'].join('.') + ' MWST',
      'UID-Nr. ATU ' + '74548082'
    ],
    misses: () => [
      ...detector.misses(),
      ['USt-IdNr.: DE', '126', '698', '573'].join(' '),
      ['of DE', '126', '698', '572'].join(' '),
      'of BE ' + '0407189964',
      ['XGB', '784', '6219', '96'].join(' '),
      ['GB', '784', '6219', '97'].join(' '),
      ['CVR DK', '27', '34', '27', '02'].join(' ')
    ]
  }
}
