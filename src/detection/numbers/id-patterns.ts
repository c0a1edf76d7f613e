/** How the numbers of a row may be written, sorted by what calls its detector. */
import { behindName, compactForm, isAllDigits, otherShapesOf, shapeOf, type IdForm } from './id-forms.ts'
import { shapeKey } from './number-run.ts'
import type { SpacedForm } from './spaced-forms.ts'
import { SpelledNames } from '../text/spelled-names.ts'

export interface Pattern {
  readonly classes: string
  /** Whether it is digits only, so that every number of its shape fits. */
  readonly isPlain: boolean
  /** Whether most of it may be letters or digits and nothing checks it, so that a word in small letters may fit. */
  readonly isWordLike: boolean
  /** Its {@link shapeKey}; -1 if it contains letters. */
  readonly key: number
  readonly way: IdForm
}

/** Whether a form is letters and a number behind a blank: `## 999999`. */
function isWordAndNumber(form: string): boolean {
  const [word, number, ...others] = form.split(' ').map((part) => new Set(part))
  return (
    others.length === 0 && word?.size === 1 && (word.has('@') || word.has('#')) && number?.size === 1 && number.has('9')
  )
}

/** The patterns of a row, by the anchor that calls the detector. */
export class IdPatterns {
  /** By shape key. */
  readonly ofNumber = new Map<number, Pattern[]>()
  /** Those with letters, by length. */
  readonly ofWord: (Pattern[] | undefined)[] = []
  /** All of them, by length. */
  readonly ofLine: (Pattern[] | undefined)[] = []
  /** Those that no run of digits and no `word` anchor finds; they are looked for behind the names. */
  readonly spaced: SpacedForm[] = []
  /** Shapes of numbers, of any number of groups. */
  readonly shapes = new Set<string>()
  /** Lengths in compact form. */
  readonly lengths = new Set<number>()
  /** Lengths of digits without separators that prove themselves. */
  readonly bareLengths = new Set<number>()
  /** Lengths of values with letters that are written without separators. */
  readonly wordLengths = new Set<number>()

  /** What names the numbers. */
  readonly names: SpelledNames

  constructor(ways: readonly IdForm[], names: readonly string[]) {
    this.names = new SpelledNames(names)
    for (const way of ways) for (const form of way.forms) this.#add(form, way)
  }

  #add(form: string, way: IdForm): void {
    const classes = compactForm(form)
    const shape = shapeOf(form)
    const isUnbroken = classes === form
    const isPlain = isAllDigits(classes)
    const isWordLike = way.check === undefined && classes.includes('????')
    const key = shape === undefined ? -1 : shapeKey(shape)
    const pattern = { classes, isPlain, isWordLike, key, way }
    this.lengths.add(classes.length)
    listAt(this.ofLine, classes.length).push(pattern)
    if (shape === undefined) {
      listAt(this.ofWord, classes.length).push(pattern)
      if (isUnbroken && !form.includes('&')) this.wordLengths.add(form.length)
      // No `word` anchor fires for a value without three digits in a row, or with other characters than ASCII.
      if (!isUnbroken || !form.includes('999') || form.includes('&'))
        this.spaced.push({ form, isUnbroken, isWordFirst: way.check === undefined && isWordAndNumber(form), way })
    } else {
      this.#addNumber(shape, pattern)
      if (isUnbroken && way.proof === 'tight') this.bareLengths.add(classes.length)
    }
    for (const other of otherShapesOf(form))
      this.#addNumber(other, { classes, isPlain, isWordLike, key: shapeKey(other), way: behindName(way) })
  }

  #addNumber(shape: string, pattern: Pattern): void {
    this.shapes.add(shape)
    const known = this.ofNumber.get(pattern.key)
    if (known === undefined) this.ofNumber.set(pattern.key, [pattern])
    else known.push(pattern)
  }
}

function listAt<T>(lists: (T[] | undefined)[], index: number): T[] {
  return (lists[index] ??= [])
}
