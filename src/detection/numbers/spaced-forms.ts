/**
 * Identity numbers that no `number` or `word` anchor finds, because they have letters in separate groups, or no three
 * digits in a row. They are looked for behind their names, and in columns that these head.
 */
import type { Match } from '../detector.ts'
import {
  type CharSet,
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  letterSet,
  lowerSet,
  runEnd,
  wordSet
} from '../text/chars.ts'
import { ColumnValues, type ColumnContext } from '../values/column-values.ts'
import { compactForm, fitsClass, isForeignCapital, type IdForm } from './id-forms.ts'
import { saidBefore, SpelledNames } from '../text/spelled-names.ts'

export interface SpacedForm {
  readonly form: string
  readonly isUnbroken: boolean
  /** Whether a word of a sentence and a number behind it may have the form as well, and nothing checks it. */
  readonly isWordFirst: boolean
  readonly way: IdForm
}

type Rate = (text: string, start: number, end: number, way: IdForm) => Match

const nameGapMax = 30

export class SpacedForms {
  readonly #forms: readonly SpacedForm[]
  /** Those that may begin with a small letter: of a word and a number, the word is in capitals. */
  readonly #smallForms: readonly SpacedForm[]
  readonly #names: SpelledNames
  readonly #rate: Rate
  /** ASCII characters with which a value may begin. */
  readonly #begins: CharSet
  readonly #unitsMin: number
  readonly #unitsMax: number
  /** Holds no text. */
  readonly #columns: ColumnValues

  /** @param rate makes the match of a value behind its name */
  constructor(forms: readonly SpacedForm[], names: readonly string[], rate: Rate) {
    this.#forms = forms
    this.#smallForms = forms.filter(({ isWordFirst }) => !isWordFirst)
    this.#names = new SpelledNames(names)
    this.#columns = new ColumnValues((text, at) => this.#names.endAt(text, at))
    this.#rate = rate
    this.#begins = new Uint8Array(128).map((_, code) => Number(forms.some(({ form }) => mayBegin(code, form))))
    this.#unitsMin = Math.min(...forms.map(({ form }) => compactForm(form).length))
    this.#unitsMax = Math.max(...forms.map(({ form }) => form.length)) + gapUnitsMax
  }

  /** The value shortly behind the name at `at`, the chain of those in the column below it, or the value before it. */
  match(text: string, at: number, context: ColumnContext): Match | undefined {
    const nameEnd = this.#names.endAt(text, at)
    if (nameEnd < 0) return undefined
    const inCell = (start: number, end: number): Match | undefined => {
      const match = this.#valueAt(text, start)
      return match?.end === end ? match : undefined
    }
    return this.#columns.find(
      text,
      context,
      at,
      nameEnd,
      inCell,
      () => this.#behind(text, nameEnd) ?? this.#endingAt(text, saidBefore(text, at))
    )
  }

  /** The value that ends at `end`, or at a quote before it; undefined for -1. */
  #endingAt(text: string, end: number): Match | undefined {
    if (end < 0) return undefined
    const to = inSet(wordSet, codeAt(text, end - 1)) || codeAt(text, end - 1) === close ? end : end - 1
    for (let start = Math.max(0, to - this.#unitsMax); start <= to - this.#unitsMin; start++) {
      if (inSet(wordSet, codeAt(text, start - 1))) continue
      const match = this.#valueAt(text, start)
      if (match?.end === to) return match
    }
    return undefined
  }

  #behind(text: string, nameEnd: number): Match | undefined {
    let limit = Math.min(text.length, nameEnd + nameGapMax)
    for (let i = nameEnd; i < limit; i++) {
      if (inSet(wordSet, text.charCodeAt(i - 1)) || !inSet(wordSet, text.charCodeAt(i))) {
        // `Ñ&A990101XY1`, `МК 482917`
        if (!beginsForeign(text, i)) continue
      }
      const match = this.#valueAt(text, i)
      if (match !== undefined) return match
      // What follows the next name is found from there.
      const next = this.#names.endAt(text, i)
      if (next >= 0) limit = Math.min(limit, next)
    }
    return undefined
  }

  #valueAt(text: string, at: number): Match | undefined {
    const first = codeAt(text, at)
    if (first < 128 && this.#begins[first] !== 1) return undefined
    const forms = inSet(lowerSet, first) ? this.#smallForms : this.#forms
    for (const { form, isUnbroken, isWordFirst, way } of forms) {
      const end = writtenEnd(text, at, form, way.check !== undefined)
      if (end < 0 || inSet(wordSet, codeAt(text, end))) continue
      if (isUnbroken && !holdsDigits(text, at, end)) continue
      // `passport is 123456`
      if (isWordFirst && countOf(text, at, end, lowerSet) > 0) continue
      const value = compactForm(text.slice(at, end)).toUpperCase()
      if (way.check?.(value) !== false) return this.#rate(text, at, end, way)
    }
    return undefined
  }
}

/** Whether an ampersand, an Ñ or a Greek or Cyrillic capital at `at` begins a word. */
function beginsForeign(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (inSet(letterSet, code)) return false
  return fitsClass(code, 38) || (isForeignCapital(code) && codeAt(text, at - 1) < 128)
}

const vowelSet = charSet('AEIOU')

/**
 * Whether `[start, end)` has two digits, or one and no vowel, and no lower-case letters, so that it is not a word of a
 * sentence. One German passport number in forty has no digit but the last, and none has a vowel.
 */
function holdsDigits(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  const isUnspoken = digits === 1 && countOf(text, start, end, vowelSet) === 0
  return (digits > 1 || isUnspoken) && countOf(text, start, end, lowerSet) === 0
}

const separatorSet = charSet(' -./()')

/** Whether a value may begin with a character: with that of its form or, if that is a separator, with any other. */
function mayBegin(code: number, form: string): boolean {
  const first = form.charCodeAt(0)
  return inSet(separatorSet, first) || fitsClass(code, first)
}

/** A blank and a bracket: `K 836704 (3)`. */
const gapUnitsMax = 2
const close = 41

/**
 * Where a value ends that is written at `at` as in `form`, or -1.
 * @param isLoose whether separators may stand where the form has some, and between letters and digits, and may be others:
 *   `GODE-561231-GR5`, `6576335 B`. A lower-case letter behind a blank is the next word. Only for values that are checked:
 *   a word and a number would have the form of others (`VALUES (123`).
 */
function writtenEnd(text: string, at: number, form: string, isLoose: boolean): number {
  let i = at
  let isGap = false
  for (let k = 0; k < form.length; k++) {
    const wanted = form.charCodeAt(k)
    if (isLoose && inSet(separatorSet, wanted)) {
      isGap = true
      continue
    }
    const from = i
    if (isLoose && k > 0) i = runEnd(text, i, separatorSet, gapUnitsMax)
    const code = codeAt(text, i)
    if (!fitsClass(code, wanted)) return -1
    if (i > from && !isGap && inSet(digitSet, code) === inSet(digitSet, codeAt(text, from - 1))) return -1
    if (i > from && codeAt(text, i - 1) === 32 && inSet(lowerSet, code)) return -1
    isGap = false
    i++
  }
  return isGap && codeAt(text, i) === close ? i + 1 : i
}
