/** Tables of HTML: their tags, and the text of their cells. */
import { charSet, codeAt, foldCode, inSet, letterSet, runEnd, runStart, spaceSet } from './chars.ts'

const less = 60
const greater = 62
/** The longest tag that is read, the most blanks between tags, and the most tags between a cell and its text. */
const tagUnitsMax = 160
const spacesMax = 40
const tagsMax = 4
const spanUnitsMax = 12
const spanMax = 9

/** What begins with a tag: a table, a row, a cell with a name (`<th>`), any other cell. */
export type HtmlMark = 'table' | 'row' | 'name' | 'cell'
const marks = [
  { tag: 'table', mark: 'table' },
  { tag: 'tr', mark: 'row' },
  { tag: 'th', mark: 'name' },
  { tag: 'td', mark: 'cell' }
] as const

/** What begins with the `<` at `at`; undefined for all other tags. */
export function htmlMarkAt(text: string, at: number): HtmlMark | undefined {
  if (foldCode(codeAt(text, at + 1)) !== 116) return undefined
  return marks.find(({ tag }) => isTag(text, at + 1, tag))?.mark
}

function isTag(text: string, at: number, tag: string): boolean {
  for (let i = 1; i < tag.length; i++) if (foldCode(codeAt(text, at + i)) !== tag.charCodeAt(i)) return false
  return !inSet(letterSet, codeAt(text, at + tag.length))
}

/** Where the tag that begins at `at` ends; -1 if it is none. */
export function tagEnd(text: string, at: number): number {
  const first = codeAt(text, at + 1)
  if (first !== 47 && !inSet(letterSet, first)) return -1
  for (let i = at + 1; i < at + tagUnitsMax; i++) {
    const code = codeAt(text, i)
    if (code === greater) return i
    if (code === less || code === 0) return -1
  }
  return -1
}

/** Where the tag begins that is open at `at`; -1 if none is. */
export function tagStart(text: string, at: number): number {
  for (let i = at - 1; i >= 0 && i > at - tagUnitsMax; i--) {
    const code = text.charCodeAt(i)
    if (code === less) return inSet(letterSet, codeAt(text, i + 1)) || codeAt(text, i + 1) === 47 ? i : -1
    if (code === greater) return -1
  }
  return -1
}

/** The `<` of the cell whose text begins at `at`, perhaps within further tags; -1 if it is not in a cell. */
export function cellTagBefore(text: string, at: number): number {
  let end = runStart(text, at, spaceSet, spacesMax)
  for (let tags = 0; tags < tagsMax && codeAt(text, end - 1) === greater; tags++) {
    const tag = tagStart(text, end - 1)
    if (tag < 0 || codeAt(text, tag + 1) === 47) return -1
    const mark = htmlMarkAt(text, tag)
    if (mark !== undefined) return mark === 'name' || mark === 'cell' ? tag : -1
    end = runStart(text, tag, spaceSet, spacesMax)
  }
  return -1
}

/** Where the text of the cell begins whose tag is at `at`, past further tags; -1 if the tag does not end. */
export function cellTextFrom(text: string, at: number): number {
  let from = at
  for (let tags = 0; tags <= tagsMax && codeAt(text, from) === less; tags++) {
    if (tags > 0 && (codeAt(text, from + 1) === 47 || htmlMarkAt(text, from) !== undefined)) return from
    const end = tagEnd(text, from)
    if (end < 0) return -1
    from = runEnd(text, end + 1, spaceSet, spacesMax)
  }
  return from
}

/** Where the text that begins at `from` ends: before the next tag, without the blanks before it. */
export function cellTextEnd(text: string, from: number, unitsMax: number): number {
  const limit = Math.min(text.length, from + unitsMax)
  let end = from
  while (end < limit && text.charCodeAt(end) !== less) end++
  return runStart(text, end, spaceSet, end - from)
}

/** How many columns the cell whose tag is at `at` spans. */
export function columnsOf(text: string, at: number): number {
  const end = tagEnd(text, at)
  const span = text.slice(at, Math.max(at, end)).toLowerCase().indexOf(' colspan')
  if (span < 0) return 1
  const digit = runEnd(text, at + span + ' colspan'.length, spanSet, spanUnitsMax)
  return Math.min(spanMax, Math.max(1, codeAt(text, digit) - 48))
}
const spanSet = charSet('=" \'')
