/**
 * Identity numbers that no `number` or `word` anchor finds, because they have letters in separate groups, or no three
 * digits in a row. They are looked for behind their names, and in columns that these head.
 */
import type { Match } from '../detector.ts'
import { charSet, codeAt, countOf, digitSet, inSet, letterSet, lowerSet, wordSet } from '../text/chars.ts'
import { ColumnValues } from '../values/column-values.ts'
import { compactForm, fitsClass, type IdForm } from './id-forms.ts'
import { SpelledNames } from '../text/spelled-names.ts'

export interface SpacedForm {
  readonly form: string
  readonly isUnbroken: boolean
  readonly way: IdForm
}

type Rate = (text: string, start: number, end: number, way: IdForm) => Match

const nameGapMax = 30

export class SpacedForms {
  readonly #forms: readonly SpacedForm[]
  readonly #names: SpelledNames
  readonly #rate: Rate
  /** Holds no text. */
  readonly #columns: ColumnValues

  /** @param rate makes the match of a value behind its name */
  constructor(forms: readonly SpacedForm[], names: readonly string[], rate: Rate) {
    this.#forms = forms
    this.#names = new SpelledNames(names)
    this.#columns = new ColumnValues((text, at) => this.#names.endAt(text, at))
    this.#rate = rate
  }

  /** The value shortly behind the name at `at`, or the chain of those in the column below it. */
  match(text: string, at: number, textNumber: number): Match | undefined {
    const nameEnd = this.#names.endAt(text, at)
    if (nameEnd < 0) return undefined
    const inColumn = this.#columns.find(text, textNumber, at, nameEnd, (start, end) => {
      const match = this.#valueAt(text, start)
      return match?.end === end ? match : undefined
    })
    if (inColumn !== undefined) return inColumn
    let limit = Math.min(text.length, nameEnd + nameGapMax)
    for (let i = nameEnd; i < limit; i++) {
      if (inSet(wordSet, text.charCodeAt(i - 1)) || !inSet(wordSet, text.charCodeAt(i))) {
        // `Ñ&A990101XY1`
        if (!fitsClass(text.charCodeAt(i), 38) || inSet(letterSet, text.charCodeAt(i))) continue
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
    for (const { form, isUnbroken, way } of this.#forms) {
      const end = at + form.length
      if (!isWrittenSo(text, at, form) || inSet(wordSet, codeAt(text, end))) continue
      if (isUnbroken && !holdsDigits(text, at, end)) continue
      const value = compactForm(text.slice(at, end)).toUpperCase()
      if (way.check?.(value) !== false) return this.#rate(text, at, end, way)
    }
    return undefined
  }
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

/** Whether a value is written at `at` exactly as in `form`, separators included. */
function isWrittenSo(text: string, at: number, form: string): boolean {
  if (at + form.length > text.length) return false
  for (let i = 0; i < form.length; i++) if (!fitsClass(text.charCodeAt(at + i), form.charCodeAt(i))) return false
  return true
}
