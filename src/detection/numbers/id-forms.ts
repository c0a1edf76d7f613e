/**
 * Patterns in which identity numbers are written: `9` is a digit, `@` a letter, `?` either, `&` a letter of names of
 * Spanish companies, which may be an ampersand or an Ñ, `#` a letter or a Greek or Cyrillic capital; any other character
 * stands for itself.
 */
import { digitSet, inSet, letterSet } from '../text/chars.ts'
import { shapeKey } from './number-run.ts'

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
  /** Patterns: `9` is a digit, `@` a letter, `?` either, `&` also an Ñ or ampersand, `#` also a Greek or Cyrillic capital; capitals and the separators ` -./()` stand for themselves. */
  readonly forms: readonly string[]
  /** Checks a value in compact form: upper case, without separators. It is called only with values that fit `forms`. */
  readonly check?: (value: string) => boolean
  readonly proof: Proof
}

export function fits(value: string, classes: string): boolean {
  for (let i = 0; i < classes.length; i++) {
    if (!fitsClass(value.charCodeAt(i), classes.charCodeAt(i))) return false
  }
  return true
}

export function fitsClass(code: number, wanted: number): boolean {
  if (wanted === 57) return inSet(digitSet, code)
  if (wanted === 64) return inSet(letterSet, code)
  if (wanted === 35) return inSet(letterSet, code) || isForeignCapital(code)
  if (wanted === 38) return code === 38 || code === 0xd1 || code === 0xf1 || inSet(letterSet, code)
  return wanted === 63 ? inSet(digitSet, code) || inSet(letterSet, code) : code === wanted
}

/** Whether it is a Greek or Cyrillic capital, as series of documents have. */
export function isForeignCapital(code: number): boolean {
  return (code >= 0x391 && code <= 0x3a9) || (code >= 0x401 && code <= 0x42f)
}

export function isAllDigits(classes: string): boolean {
  for (let i = 0; i < classes.length; i++) if (classes.charCodeAt(i) !== 57) return false
  return true
}

const separators = ' -./()'

export function compactForm(form: string): string {
  let out = ''
  for (const one of form) if (!separators.includes(one)) out += one
  return out
}

/** The shape of an all-digit pattern: `3-2-4` for `999-99-9999`; undefined if it has letters. */
export function shapeOf(form: string): string | undefined {
  let shape = ''
  let digits = 0
  for (const one of form) {
    if (one >= '0' && one <= '9') digits++
    else if (' -./'.includes(one)) {
      shape += String(digits) + one
      digits = 0
    } else return undefined
  }
  return shape + String(digits)
}

const dateShapes = ['4 2 2', '4-2-2', '2 2 4', '2-2-4', '2 2 2', '2-2-2']

/**
 * The shapes in which people write a pattern of digits with other separators: all of them blanks, or all dashes. None
 * for a pattern without separators, and none that is that of a date.
 */
export function otherShapesOf(form: string): string[] {
  const shape = shapeOf(form)
  if (shape === undefined) return []
  return [' ', '-']
    .map((separator) => [...shape].map((one) => (separators.includes(one) ? separator : one)).join(''))
    .filter((one) => one !== shape && !dateShapes.includes(one))
}
/** A way of writing whose separators prove nothing: the same, found only behind a name or if it fills its line. */
export function behindName(way: IdForm): IdForm {
  return way.proof === 'tight' || way.proof === 'written' ? { ...way, proof: 'loose' } : way
}

export function keyOf(written: string): number {
  const shape = shapeOf(written)
  return shape === undefined ? -1 : shapeKey(shape)
}
