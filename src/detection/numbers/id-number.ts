/**
 * Identity and tax numbers as rows of a table: how they are written, how their check digits are computed, which words
 * name them. Each row becomes a detector that is called only where a number of such a form stands.
 */
import {
  hasFewDigits,
  holdsHexNumber,
  isChanceNumber,
  isChanceWord,
  isDatedVersion,
  isOfDocument,
  isCompound,
  isOffset,
  isTaxon,
  isYears
} from './chance-matches.ts'
import { wordGuard } from '../anchor-guard.ts'
import { charSet, countOf, digitSet, lowerSet, plainBlankSet } from '../text/chars.ts'
import { fits, keyOf, type IdForm } from './id-forms.ts'
import { anchorNamesOf, namesOf } from './id-names.ts'
import { IdPatterns, type Pattern } from './id-patterns.ts'
import { rated } from './id-rating.ts'
import { SpacedForms } from './spaced-forms.ts'
import type { SpelledNames } from '../text/spelled-names.ts'
import type { Anchor, Detector, Match, MatchContext } from '../detector.ts'
import type { Group, Tier } from '../findings.ts'
import { shapeKey } from './number-run.ts'
import { isFlat } from '../validators/digits.ts'

export interface IdRow {
  readonly id: string
  readonly label: string
  readonly title: string
  readonly ways: readonly IdForm[]
  /** Words that name the number. A blank in one also stands for `_`, `-` and nothing; accents may be missing. */
  readonly words: readonly string[]
  /**
   * Right and wrong values for the tests. Tildes in them are removed; they keep secret scanners from reporting this
   * source.
   */
  readonly valid: readonly string[]
  readonly invalid: readonly string[]
  /** Further texts in which nothing is found. */
  readonly others?: readonly string[]
  readonly source: string
  readonly group?: Group
  readonly tier?: Tier
  /** Its names are too many, too short or too common to be anchors; they only count as context. */
  readonly isManyNamed?: true
}

/** The detector of a row. */
export function idNumber(row: IdRow): Detector {
  const patterns = new IdPatterns(row.ways, namesOf(row.words))
  // A number that only its name identifies is masked at most.
  const tier =
    row.tier ?? (row.ways.every((way) => way.proof === 'none' || way.proof === 'ambiguous') ? 'medium' : 'high')
  const names = patterns.spaced.length === 0 || row.isManyNamed === true ? [] : anchorNamesOf(row.words)
  const behindNames = new SpacedForms(patterns.spaced, names, (text, start, end, way) =>
    rated(text, start, end, { way, tier, isNamed: true })
  )
  return {
    id: row.id,
    label: row.label,
    title: row.title,
    group: row.group ?? 'national_id',
    tier,
    lengthMin: Math.min(...patterns.lengths),
    anchors: anchorsOf(patterns, names),
    context: namesOf(row.words),
    match(text, at, context) {
      switch (context.by) {
        case 'literal':
          return behindNames.match(text, at, context)
        case 'number':
          return matchNumber(patterns, tier, text, at, context)
        case 'line':
          return matchLine(patterns, tier, text, at, context)
        default:
          return matchWord(patterns, tier, text, at, context)
      }
    },
    hits: () => hitsOf(row),
    misses: () => missesOf(row),
    source: row.source
  }
}

/** What calls the detector: lines, numbers and words of its patterns, and the names before those that none of these finds. */
function anchorsOf(patterns: IdPatterns, names: readonly string[]): Anchor[] {
  const { ofLine, ofNumber, ofWord, lengths, bareLengths, wordLengths } = patterns
  const classesOf = (list: readonly Pattern[] = []): string[] => list.map(({ classes }) => classes)
  const anchors: Anchor[] = [{ line: [...lengths], forms: ofLine.flatMap(classesOf) }]
  const written = [...patterns.shapes].filter((shape) => !bareLengths.has(Number(shape)))
  const isProof = (shape: string): boolean =>
    ofNumber.get(shapeKey(shape))?.some(({ way }) => provesNumber(way, 2)) === true
  const [proven, named] = [written.filter(isProof), written.filter((shape) => !isProof(shape))]
  if (proven.length > 0) anchors.push({ shapes: proven })
  if (named.length > 0) anchors.push({ shapes: named, named: true })
  if (bareLengths.size > 0) anchors.push({ number: [...bareLengths] })
  // A `word` anchor calls for all patterns of its length, also for those that are normally written with separators.
  const forms = [...wordLengths].flatMap((length) => classesOf(ofWord[length]))
  if (wordLengths.size > 0) anchors.push({ word: [...wordLengths], forms })
  for (const literal of names) anchors.push({ literal, fold: true, guard: wordGuard(literal, 's') })
  return anchors
}

/**
 * Tries the patterns of the number's shape. If the value proves itself, its check runs before the more expensive look
 * at the surroundings; otherwise after it.
 */
function matchNumber(
  { ofNumber, names }: IdPatterns,
  tier: Tier,
  text: string,
  at: number,
  context: MatchContext
): Match | undefined {
  const { number } = context
  const patterns = ofNumber.get(number.key)
  if (patterns === undefined || number.isFlat()) return undefined
  for (let i = 0; i < patterns.length; i++) {
    const { classes, isPlain, way } = patterns[i] as Pattern
    if (!provesNumber(way, number.groups) && !isNamed(names, text, at, number.end, context)) continue
    const value = number.compact()
    if ((!isPlain && !fits(value, classes)) || way.check?.(value) === false) continue
    const near = isNamed(names, text, at, number.end, context)
    if (
      isOfDocument(text, at) ||
      (!near && (isChanceNumber(text, at, number) || context.isOfDocuments(at))) ||
      (number.groups === 1 && hasFewDigits(value))
    )
      continue
    if (isTaxon(text, at, value) || isOffset(text, at, number.end) || isYears(value, number.groups)) continue
    return rated(text, at, number.end, { way, tier, isNamed: near })
  }
  return undefined
}

/** Whether a name stands before the value, or behind it as in `... is my passport number`. */
function isNamed(names: SpelledNames, text: string, at: number, end: number, context: MatchContext): boolean {
  return context.near(at) || names.areSaidBehind(text, end) || answers(text, at, end, context)
}

const speakerUnitsMax = 40
const questionUnits = 64
const questionBlanksMin = 4
const speakerSet = charSet('A-Z', '[<')

/**
 * Whether the value is all that a speaker says on the line below a question for it:
 * `Ana: May I have your tax number?` and `[14:05] Ben: ...`. A setting does not count, since no question precedes it.
 */
function answers(text: string, at: number, end: number, context: MatchContext): boolean {
  const next = text.charCodeAt(end)
  if (end < text.length && next !== 10 && next !== 13) return false
  if (text.charCodeAt(at - 1) !== 32 || text.charCodeAt(at - 2) !== 58) return false
  const from = Math.max(0, at - speakerUnitsMax)
  const line = from + text.slice(from, at).lastIndexOf('\n') + 1
  const first = text.charCodeAt(line)
  if (line === from || !(speakerSet[first] === 1 || first > 127)) return false
  const asked = Math.max(0, at - questionUnits)
  return countOf(text, asked, line, plainBlankSet) >= questionBlanksMin && context.near(at, questionUnits)
}

function matchWord(
  { ofWord, names }: IdPatterns,
  tier: Tier,
  text: string,
  at: number,
  context: MatchContext
): Match | undefined {
  const end = context.wordEnd
  const patterns = ofWord[end - at]
  if (patterns === undefined) return undefined
  const value = text.slice(at, end).toUpperCase()
  for (let i = 0; i < patterns.length; i++) {
    const { classes, isWordLike, way } = patterns[i] as Pattern
    // `passport | username123`
    if (isWordLike && countOf(text, at, end, lowerSet) > 0) continue
    if (!fits(value, classes) || (!provesWord(way, text, at, end) && !isNamed(names, text, at, end, context))) continue
    if (way.check?.(value) === false) continue
    const near = isNamed(names, text, at, end, context)
    if ((!near && isChanceWord(text, at, end, value)) || isDatedVersion(text, at, end)) continue
    if (isOffset(text, at, end)) continue
    return rated(text, at, end, { way, tier, isNamed: near })
  }
  return undefined
}

function matchLine(
  { ofLine }: IdPatterns,
  tier: Tier,
  text: string,
  at: number,
  context: MatchContext
): Match | undefined {
  const value = context.line
  const patterns = ofLine[value.length]
  if (patterns === undefined) return undefined
  lookAtLine(text, at, context)
  if (lineSeen.isOther || lineSeen.isFlat) return undefined
  for (let i = 0; i < patterns.length; i++) {
    const { classes, isPlain, key, way } = patterns[i] as Pattern
    if (!(isPlain ? lineSeen.isPlain : fits(value, classes)) || way.check?.(value) === false) continue
    if (way.check === undefined && key > value.length && key !== keyOfLine(text, at, context)) continue
    const near = context.near(at)
    if (near || way.proof !== 'none') return rated(text, at, context.wordEnd, { way, tier, isNamed: near })
  }
  return undefined
}

/** The line that was looked at last, by the number of its text: all detectors for values of its length ask the same. */
const lineSeen = { textNumber: 0, at: 0, isOther: false, isFlat: false, isPlain: false, key: 0 }
const unknownKey = -2

function lookAtLine(text: string, at: number, { textNumber, line, wordEnd }: MatchContext): void {
  if (textNumber === lineSeen.textNumber && at === lineSeen.at) return
  lineSeen.textNumber = textNumber
  lineSeen.at = at
  lineSeen.isOther = holdsDate(text, at, wordEnd) || isCompound(text, at, wordEnd) || holdsHexNumber(text, at, wordEnd)
  lineSeen.isFlat = isFlat(line)
  lineSeen.isPlain = countOf(line, 0, line.length, digitSet) === line.length
  lineSeen.key = unknownKey
}

/** The {@link shapeKey} of the line that was looked at. */
function keyOfLine(text: string, at: number, { wordEnd }: MatchContext): number {
  if (lineSeen.key === unknownKey) lineSeen.key = keyOf(text.slice(at, wordEnd))
  return lineSeen.key
}

/** Whether the parentheses in a line hold a date, and not a check digit or a country: `15.2.0 (2026-07-15)`. */
function holdsDate(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) === 40) return digitSet[text.charCodeAt(i + 2)] === 1
  return false
}

function provesNumber(way: IdForm, groups: number): boolean {
  return way.proof === 'tight' || (way.proof === 'written' && groups > 1)
}

/**
 * Whether the way of writing proves the value. Lower-case letters among digits are hexadecimal more often than part of
 * an identity number.
 */
function provesWord(way: IdForm, text: string, at: number, end: number): boolean {
  if (way.proof !== 'tight' && way.proof !== 'written') return false
  for (let i = at; i < end; i++) if (lowerSet[text.charCodeAt(i)] === 1) return false
  return true
}

function plain(value: string): string {
  return value.replaceAll('~', '')
}

function hitsOf(row: IdRow): string[] {
  return row.valid.flatMap((value) => [`${row.words[0] as string}: ${plain(value)}`])
}

function missesOf(row: IdRow): string[] {
  const wrong = row.invalid.flatMap((value) => [`${row.words[0] as string}: ${plain(value)}`, plain(value)])
  return [...wrong, ...(row.others ?? []).map(plain)]
}
