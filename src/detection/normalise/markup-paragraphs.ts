/**
 * Paragraphs of markup whose lines `<br>` breaks, as in mail and wikis. The lines are kept, since they show what
 * belongs together; tags that only say how a word looks are dropped.
 *
 * Source of facts: the HTML standard, sections 4.5 (text-level elements, among them `br`) and 13.5 (named character
 * references).
 */
import { charSet, codeAt, letterSet, runEnd, spaceSet } from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'
import { DecodedText } from './decoded-text.ts'

/** The spellings of a line break, in any case. */
export const breakLiteral = '<br'

const inlineTags = new Set('a b strong code span em i u kbd tt samp font mark small big sub sup br'.split(' '))
const headUnitsMax = 2048
const paragraphUnitsMax = 8192
const tagUnitsMax = 400
const less = 60
const greater = 62
const slash = 47
const ampersand = 38
const closeSet = charSet('>')
/** The number of the text, since a reader has no other. */
const onlyText = 1
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

/** Finds the paragraphs around line breaks, which are reported in the order of their places. */
export class ParagraphReader {
  readonly #text: string
  /** Finds the ends of tags. Without it, each of many tags that nothing closes would look for its end anew. */
  readonly #closes = new NextOf(closeSet)
  /** Line breaks before this place were read. */
  #seenTo = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the paragraph around the line break at `at`, or its next part; undefined if it was read already. */
  read(at: number): DecodedText | undefined {
    if (at < this.#seenTo || tagName(this.#text, at) !== 'br') return undefined
    const from = this.#start(at)
    const paragraph = new Paragraph(this.#text, from, this.#closes)
    this.#seenTo = Math.max(at + 1, paragraph.end)
    return paragraph
  }

  /** Past the last tag before it that is not merely about the look of a word. */
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

/** The name of the tag at `at`, in lower case; empty if there is none. */
function tagName(text: string, at: number): string {
  const from = codeAt(text, at + 1) === slash ? at + 2 : at + 1
  return text.slice(from, runEnd(text, from, letterSet, 12)).toLowerCase()
}

/** The text of a paragraph, up to the next tag that is not merely about the look of a word. */
class Paragraph extends DecodedText {
  end: number
  readonly #closes: NextOf

  /** @param closes finds the ends of tags in this text, and in no other */
  constructor(text: string, from: number, closes: NextOf) {
    super()
    this.#closes = closes
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

  /** Past a tag, and past the blanks behind a line break; -1 if the paragraph ends. */
  #tag(text: string, at: number): number {
    const name = tagName(text, at)
    if (name === '') {
      this.add('<', at, at + 1)
      return at + 1
    }
    if (!inlineTags.has(name)) return -1
    const end = this.#closes.at(text, at + 1, Math.min(text.length, at + tagUnitsMax), onlyText)
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

  /** A line break in the source is a blank. */
  #space(text: string, at: number): number {
    this.add(' ', at, at + 1)
    return runEnd(text, at + 1, spaceSet, spaceUnitsMax)
  }
}
