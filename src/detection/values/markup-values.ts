/**
 * Values that markup or a member separates from their name: `<td>Tel.</td> <td class="v">612...</td>`,
 * `<label>Tel.</label> <input value="612...">`, `"name": "Tel.", "required": true, "value": "612..."`.
 */
import { charSet, codeAt, inSet, runEnd, spaceSet, stringQuoteSet } from '../text/chars.ts'
import { tagEnd } from '../text/html-rows.ts'
import { NextOf } from '../text/next-of.ts'
import { numberBehind } from '../text/object-members.ts'

/** What may stand in a label behind its name. */
const restSet = charSet('A-Z', 'a-z', '0-9', ' .:*#()/-')
const restUnitsMax = 32
/** The same in scripts without blanks between words. */
const wideUnitsMax = 12
const tagsMax = 5
const spacesMax = 40

const ends = new NextOf(charSet('<"\''))

/**
 * Where the value begins whose label holds the name that ends at `from`; -1 if markup or a member does not follow.
 * @param textNumber identifies the text, so that many names before one label read it once
 */
export function behindMarkup(text: string, from: number, textNumber: number): number {
  const limit = Math.min(text.length, from + restUnitsMax + 1)
  if (ends.at(text, from, limit, textNumber) === limit) return -1
  let at = from
  let wide = 0
  let code = codeAt(text, at)
  while (at < from + restUnitsMax && (code > 127 ? ++wide <= wideUnitsMax : inSet(restSet, code)))
    code = codeAt(text, ++at)
  if (code === 60) return behindTags(text, at)
  return inSet(stringQuoteSet, code) && codeAt(text, at + 1) === 44 ? numberBehind(text, at + 1) : -1
}

/** Whether the value that began behind markup ends at `end`. */
export function endsInMarkup(text: string, end: number): boolean {
  const code = codeAt(text, runEnd(text, end, spaceSet, spacesMax))
  return code === 60 || inSet(stringQuoteSet, codeAt(text, end))
}

/** Past the tags from `at` on, or into the `value` of one of them. */
function behindTags(text: string, at: number): number {
  let i = at
  for (let tags = 0; tags < tagsMax && codeAt(text, i) === 60; tags++) {
    const end = tagEnd(text, i)
    if (end < 0) return -1
    const value = valueIn(text, i, end)
    if (value >= 0) return value
    i = runEnd(text, end + 1, spaceSet, spacesMax)
  }
  return codeAt(text, i) === 60 ? -1 : i
}

/** Where the quoted value of the attribute `value` begins in a tag; -1 if it has none. */
function valueIn(text: string, from: number, to: number): number {
  for (let i = from; i < to; i++)
    if (codeAt(text, i) === 61 && inSet(stringQuoteSet, codeAt(text, i + 1)) && text.startsWith(' value', i - 6))
      return i + 2
  return -1
}
