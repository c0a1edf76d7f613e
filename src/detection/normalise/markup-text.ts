/**
 * Paragraphs of markup in which lines are broken by `<br>`, as mail and wikis write them: the lines tell what belongs together, and tags
 * that only say how a word looks do not.
 *
 * Source of facts: the HTML standard, sections 4.5 (text-level elements, among them `br`) and 13.5 (named character references).
 */
import { charSet, codeAt, letterSet, runEnd } from '../text/chars.ts'
import { WrittenText } from './written-text.ts'

/** How a line break is written, in any case. */
export const breakLiteral = '<br'

const inlineTags = new Set('a b strong code span em i u kbd tt samp font mark small big sub sup br'.split(' '))
const headUnitsMax = 2048
const paragraphUnitsMax = 8192
const tagUnitsMax = 400
const less = 60
const greater = 62
const slash = 47
const ampersand = 38
const spaceSet = charSet(' \t\r\n')
const spaceUnitsMax = 256

const entities = [
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&#x27;', "'"],
  ['&apos;', "'"],
  ['&nbsp;', ' ']
] as const

/** Finds the paragraphs around line breaks, which are told of in the order of their places. */
export class ParagraphReader {
  readonly #text: string
  /** Line breaks before this place are read. */
  #seenTo = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the paragraph that the line break at `at` stands in, or its next part; undefined where it was read. */
  read(at: number): WrittenText | undefined {
    if (at < this.#seenTo || tagName(this.#text, at) !== 'br') return undefined
    const from = this.#start(at)
    const paragraph = new Paragraph(this.#text, from)
    this.#seenTo = Math.max(at + 1, paragraph.end)
    return paragraph
  }

  /** Behind the last tag before that is none of a word's looks. */
  #start(at: number): number {
    const text = this.#text
    const limit = Math.max(this.#seenTo, at - headUnitsMax)
    let close = at
    for (let i = at - 1; i >= limit; i--) {
      const code = text.charCodeAt(i)
      if (code === greater) close = i + 1
      else if (code === less && !inlineTags.has(tagName(text, i))) return close
    }
    return limit
  }
}

/** The name of the tag at `at`, in small letters; empty where none stands there. */
function tagName(text: string, at: number): string {
  const from = codeAt(text, at + 1) === slash ? at + 2 : at + 1
  return text.slice(from, runEnd(text, from, letterSet, 12)).toLowerCase()
}

/** What a paragraph says, up to the next tag that is none of a word's looks. */
class Paragraph extends WrittenText {
  end: number

  constructor(text: string, from: number) {
    super()
    const limit = Math.min(text.length, from + paragraphUnitsMax)
    let run = from
    let i = from
    while (i < limit) {
      const code = text.charCodeAt(i)
      if (code !== less && code !== ampersand && code !== 10) {
        i++
        continue
      }
      this.add(text.slice(run, i), run, i)
      const next =
        code === less ? this.#tag(text, i) : code === ampersand ? this.#entity(text, i) : this.#space(text, i)
      run = i
      if (next < 0) break
      i = next
      run = next
    }
    this.add(text.slice(run, Math.max(run, Math.min(i, limit))), run, i)
    this.end = i
  }

  /** Past a tag, and past the blanks behind a line break; -1 where the paragraph ends. */
  #tag(text: string, at: number): number {
    const name = tagName(text, at)
    if (name === '') {
      this.add('<', at, at + 1)
      return at + 1
    }
    if (!inlineTags.has(name)) return -1
    let end = at + 1
    while (end < at + tagUnitsMax && end < text.length && text.charCodeAt(end) !== greater) end++
    if (codeAt(text, end) !== greater) return -1
    if (name !== 'br') return end + 1
    this.add('\n', at, end + 1)
    return runEnd(text, end + 1, spaceSet, spaceUnitsMax)
  }

  #entity(text: string, at: number): number {
    const found = entities.find(([written]) => text.startsWith(written, at))
    const end = at + (found === undefined ? 1 : found[0].length)
    this.add(found === undefined ? '&' : found[1], at, end)
    return end
  }

  /** A line break of the source is a blank. */
  #space(text: string, at: number): number {
    this.add(' ', at, at + 1)
    return runEnd(text, at + 1, spaceSet, spaceUnitsMax)
  }
}
