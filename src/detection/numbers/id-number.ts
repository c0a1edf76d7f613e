/**
 * Identity and tax numbers as rows of a table: how they are written, how their check digits are computed, which words
 * name them. Each row becomes a detector that is called only where a number of such a form stands.
 */
import {
  hasFewDigits,
  isChanceNumber,
  isChanceWord,
  isDatedVersion,
  isNetworkOrCompound,
  isOffset,
  isPattern,
  isTaxon
} from './chance-matches.ts'
import { wordGuard } from '../anchor-guard.ts'
import { charSet, countOf, digitSet, lowerSet } from '../text/chars.ts'
import { compactForm, fits, isAllDigits, keyOf, shapeOf } from './id-forms.ts'
import { SpacedForms, type SpacedForm } from './spaced-forms.ts'
import { SpelledNames } from '../text/spelled-names.ts'
import type { Anchor, Detector, Match, MatchContext } from '../detector.ts'
import type { Group, Tier } from '../findings.ts'
import { shapeKey } from './number-run.ts'
import { isFlat } from '../validators/digits.ts'
import { WordList } from '../text/word-list.ts'

/**
 * How much a value proves by itself, without a word that names it.
 * - `tight`: about one in a hundred random values passes, or no other number is written so. Found anywhere.
 * - `written`: the same, but only if written in groups or with letters; bare digits count as `loose`.
 * - `loose`: one in ten passes the checksum, or there is only a form. Found if it fills its line.
 * - `ambiguous`: as `loose`, and its name is a common word too, so it is never more than masked.
 * - `none`: proves nothing. Found only behind its name, and then only masked.
 */
type Proof = 'tight' | 'written' | 'loose' | 'ambiguous' | 'none'

/** One way of writing a value, and how to check it. */
export interface IdForm {
  /** Patterns: `9` is a digit, `@` a letter, `?` either, `&` also an Ñ or ampersand; capitals and the separators ` -./()` stand for themselves. */
  readonly forms: readonly string[]
  /** Checks a value in compact form: upper case, without separators. It is called only with values that fit `forms`. */
  readonly check?: (value: string) => boolean
  readonly proof: Proof
}

export interface IdRow {
  readonly id: string
  readonly label: string
  readonly title: string
  readonly ways: readonly IdForm[]
  /** Words that name the number. A blank in one also stands for `_`, `-` and nothing. */
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

interface Pattern {
  readonly classes: string
  /** Whether it is digits only, so that every number of its shape fits. */
  readonly isPlain: boolean
  /** Its {@link shapeKey}; -1 if it contains letters. */
  readonly key: number
  readonly way: IdForm
}

/** The patterns of a row, by the anchor that calls the detector. */
interface Patterns {
  /** By shape key. */
  readonly ofNumber: ReadonlyMap<number, readonly Pattern[]>
  /** Those with letters, by length. */
  readonly ofWord: readonly (readonly Pattern[] | undefined)[]
  /** All of them, by length. */
  readonly ofLine: readonly (readonly Pattern[] | undefined)[]
  readonly names: SpelledNames
}

/** Names of this length are too frequent to be anchors. */
const shortNameUnits = 2

/** The detector of a row. */
export function idNumber(row: IdRow): Detector {
  const shapes = new Set<string>()
  const patterns = {
    ofNumber: new Map<number, Pattern[]>(),
    ofWord: [] as Pattern[][],
    ofLine: [] as Pattern[][],
    names: new SpelledNames(namesOf(row.words))
  }
  const spaced: SpacedForm[] = []
  const lengths = new Set<number>()
  const bareLengths = new Set<number>()
  const words = new Set<string>()
  for (const way of row.ways) {
    for (const form of way.forms) {
      const classes = compactForm(form)
      const shape = shapeOf(form)
      const key = shape === undefined ? -1 : shapeKey(shape)
      addPattern(patterns, { classes, isPlain: isAllDigits(classes), key, way })
      lengths.add(classes.length)
      if (shape !== undefined) shapes.add(shape)
      if (shape !== undefined && classes === form && way.proof === 'tight') bareLengths.add(classes.length)
      if (shape === undefined && classes === form && !form.includes('&')) words.add(form)
      // No `word` anchor fires for a value without three digits in a row, or with other characters than ASCII.
      if (shape === undefined && (classes !== form || !form.includes('999') || form.includes('&')))
        spaced.push({ form, isUnbroken: classes === form, way })
    }
  }
  // A `word` anchor calls for all patterns of its length, also for those that are normally written with separators.
  const wordLengths = new Set([...words].map((word) => word.length))
  const forms = [...wordLengths].flatMap((length) => (patterns.ofWord[length] ?? []).map(({ classes }) => classes))
  // A number that only its name identifies is masked at most.
  const tier =
    row.tier ?? (row.ways.every((way) => way.proof === 'none' || way.proof === 'ambiguous') ? 'medium' : 'high')
  const lines = patterns.ofLine.flatMap((ofLength) => ofLength.map(({ classes }) => classes))
  const anchors: Anchor[] = [{ line: [...lengths], forms: lines }]
  const written = [...shapes].filter((shape) => !bareLengths.has(Number(shape)))
  if (written.length > 0) anchors.push({ shapes: written })
  if (bareLengths.size > 0) anchors.push({ number: [...bareLengths] })
  if (wordLengths.size > 0) anchors.push({ word: [...wordLengths], forms })
  const names =
    spaced.length === 0 || row.isManyNamed === true
      ? []
      : [...namesOf(row.words), ...identifiersOf(row.words)].filter((name) => name.length > shortNameUnits)
  for (const literal of names) anchors.push({ literal, fold: true, guard: wordGuard(literal, 's') })
  const behindNames = new SpacedForms(spaced, names, (text, start, end, way) =>
    rated(text, start, end, way, true, tier)
  )
  return {
    id: row.id,
    label: row.label,
    title: row.title,
    group: row.group ?? 'national_id',
    tier,
    lengthMin: Math.min(...lengths),
    anchors,
    context: namesOf(row.words),
    match: (text, at, context) =>
      context.by === 'literal'
        ? behindNames.match(text, at, context.textNumber)
        : context.by === 'number'
          ? matchNumber(patterns, tier, text, at, context)
          : context.by === 'line'
            ? matchLine(patterns, tier, text, at, context)
            : matchWord(patterns, tier, text, at, context),
    hits: () => hitsOf(row),
    misses: () => missesOf(row),
    source: row.source
  }
}

function addPattern(
  patterns: { ofNumber: Map<number, Pattern[]>; ofWord: Pattern[][]; ofLine: Pattern[][] },
  one: Pattern
) {
  const length = one.classes.length
  ;(patterns.ofLine[length] ??= []).push(one)
  if (one.key < 0) (patterns.ofWord[length] ??= []).push(one)
  else {
    const known = patterns.ofNumber.get(one.key)
    if (known === undefined) patterns.ofNumber.set(one.key, [one])
    else known.push(one)
  }
}

/**
 * Tries the patterns of the number's shape. If the value proves itself, its check runs before the more expensive look
 * at the surroundings; otherwise after it.
 */
function matchNumber(
  { ofNumber, names }: Patterns,
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
      (!near && (isChanceNumber(text, at, number) || context.isOfDocuments(at))) ||
      (number.groups === 1 && hasFewDigits(value))
    )
      continue
    if (isTaxon(text, at, value) || isOffset(text, at, number.end)) continue
    return rated(text, at, number.end, way, near, tier, isPattern(value, number.groups))
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
const blankSet = charSet(' ')
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
  return countOf(text, asked, line, blankSet) >= questionBlanksMin && context.near(at, questionUnits)
}

function matchWord(
  { ofWord, names }: Patterns,
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
    const { classes, way } = patterns[i] as Pattern
    if (!fits(value, classes) || (!provesWord(way, text, at, end) && !isNamed(names, text, at, end, context))) continue
    if (way.check?.(value) === false) continue
    const near = isNamed(names, text, at, end, context)
    if ((!near && isChanceWord(text, at, end, value)) || isDatedVersion(text, at, end)) continue
    if (isOffset(text, at, end)) continue
    return rated(text, at, end, way, near, tier)
  }
  return undefined
}

function matchLine(
  { ofLine }: Patterns,
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
    if (near || way.proof !== 'none') return rated(text, at, context.wordEnd, way, near, tier)
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
  lineSeen.isOther = holdsDate(text, at, wordEnd) || isNetworkOrCompound(text, at, wordEnd)
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

/**
 * The match of a value. Without a name it is masked at most. With one it has the tier of its kind, unless the value is
 * a specimen.
 */
function rated(
  text: string,
  start: number,
  end: number,
  way: IdForm,
  near: boolean,
  tier: Tier,
  isMadeUp = false
): Match {
  const lowered = tier === 'high' ? 'medium' : tier
  if (!near) return { start, end, confidence: 'medium', tier: lowered }
  return way.proof === 'none' || way.proof === 'ambiguous' || isMadeUp || isShown(text, start)
    ? { start, end, confidence: 'medium', tier: lowered, byContext: true }
    : { start, end, confidence: 'strong', byContext: true }
}

const showingWords = new WordList(['valid', 'example', 'sample', 'dummy', 'fake', 'e.g.'])
const showingUnits = 40

/**
 * Whether a word shortly before says that the value is a specimen or an example of a valid one. Such a value is masked
 * at most.
 */
function isShown(text: string, start: number): boolean {
  return showingWords.standsIn(text, Math.max(0, start - showingUnits), start)
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

/** Names with their words separate and joined, as in `socialSecurity`, and abbreviations with dots: `c.u.i.t`. */
function namesOf(words: readonly string[]): string[] {
  const names = [...words, ...shortenedOf(words)].flatMap((word) =>
    word.includes(' ') && word.charCodeAt(0) < 128
      ? [word, word.replaceAll(' ', '')]
      : isAbbreviation(word)
        ? [word, [...word].join('.')]
        : [word]
  )
  return [...new Set(names)]
}

/** Names in Germanic languages with the abbreviation of their last part: `burgerservicenr` for `burgerservicenummer`. */
function shortenedOf(words: readonly string[]): string[] {
  return words
    .filter((word) => word.length > 'nummer'.length && word.endsWith('nummer'))
    .map((word) => word.slice(0, -'ummer'.length) + 'r')
}

/** Whether it may be an abbreviation, each letter of which may have a dot: three or four letters of one alphabet. */
function isAbbreviation(word: string): boolean {
  return (
    word.length > shortNameUnits && word.length <= abbreviationUnitsMax && [...word].every((one) => isAlphabetic(one))
  )
}
const abbreviationUnitsMax = 4

/** Whether a character is a Latin, Greek or Cyrillic letter. */
function isAlphabetic(one: string): boolean {
  return one.toLowerCase() !== one.toUpperCase()
}

/** Names of several words as identifiers and compounds write them: `ni_number`, `SV-Nummer`. */
function identifiersOf(words: readonly string[]): string[] {
  return words
    .filter((word) => word.includes(' '))
    .flatMap((word) => [word.replaceAll(' ', '_'), word.replaceAll(' ', '-')])
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
