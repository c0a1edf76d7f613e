/**
 * Texts within a text: in a string, in a URL parameter, in a paragraph of markup, in a dump of bytes. Each is decoded
 * and scanned again as a text of its own.
 */
import { DumpReader } from './byte-dump.ts'
import { breakLiteral, ParagraphReader } from './markup-paragraphs.ts'
import { ParameterReader } from './parameter-text.ts'
import { isOctal, StringReader } from './string-text.ts'
import type { DecodedText } from './decoded-text.ts'

/** Line breaks and quotes in strings, besides `\\n` and `\\"`. */
const writtenSigns = ['\\x0a', '\\u000a', '\\u{a}', '\\012', '\\x22', '\\u0022', '\\042']
const sentenceSign = '+is+'
/** Signs of such texts, for the anchor search. `%2` and `%3` are searched for as escapes. */
export const nestedLiterals: readonly string[] = [
  ...['\\n', '\\"', '\\1', ...writtenSigns],
  '%0a',
  breakLiteral,
  // A sentence in a form needs no other escape.
  sentenceSign,
  ...['0000000 ', '0000000: ']
]

const percent = 37
const plus = 43
const zero = 48
const less = 60
const backslash = 92

/**
 * Whether the sign at `at` may be part of a text within the text: `\n`, `\"`, `%20`, `%0A`, `+is+`, `<br`, the first
 * offset of a dump.
 */
export function isNestedSign(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const next = text.charCodeAt(at + 1)
  if (code === backslash) {
    if (next === 110 || next === 34) return true
    return next === 49 ? isOctal(text, at) && isOctal(text, at + 4) : isWrittenSign(text, at, next)
  }
  const second = text.charCodeAt(at + 2)
  if (code === percent) return next === 50 || next === 51 || (next === zero && (second | 32) === 97)
  if (code === plus) return text.slice(at, at + sentenceSign.length).toLowerCase() === sentenceSign
  if (code === less) return (next | 32) === 98 && (second | 32) === 114
  return code === zero && next === zero && second === zero
}

function isWrittenSign(text: string, at: number, letter: number): boolean {
  if (letter !== 120 && letter !== 117 && letter !== zero) return false
  return writtenSigns.some((one) => text.slice(at, at + one.length).toLowerCase() === one)
}

/** Finds the texts around signs, which are reported in the order of their places. */
export class NestedReader {
  readonly #text: string
  /** Each is created when the first sign needs it: most texts within a text have signs of one sort. */
  #strings: StringReader | undefined
  #parameters: ParameterReader | undefined
  #dumps: DumpReader | undefined
  #paragraphs: ParagraphReader | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the text around the sign at `at`, or its next part; undefined if there is none, or it was read already. */
  read(at: number): DecodedText | undefined {
    const text = this.#text
    const code = text.charCodeAt(at)
    if (code === backslash) return (this.#strings ??= new StringReader(text)).read(at)
    if (code === less) return (this.#paragraphs ??= new ParagraphReader(text)).read(at)
    if (code === zero) return (this.#dumps ??= new DumpReader(text)).read(at)
    return (this.#parameters ??= new ParameterReader(text)).read(at)
  }
}
