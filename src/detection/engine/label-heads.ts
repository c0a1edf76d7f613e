/**
 * Labels of forms as context: what stands before a value when the markup between them is left out
 * (`<td>Tax no.</td> <td class="v">`, `<label>Tax no.</label> <input value="`) or leaders (`Tax no. ........`), and the member before the one that holds
 * the value (`"name": "Tax no.", "value": "`).
 */
import { behindLast, charSet, codeAt, inSet, letterSet, runStart, spaceSet, stringQuoteSet } from '../text/chars.ts'
import { tagStart } from '../text/html-rows.ts'
import { isLeader, leaderStart } from '../text/leaders.ts'
import { holders, holderUnitsMax } from '../text/labelled-fields.ts'
import type { ContextLookup } from './context-words.ts'

const greater = 62
const tagsMax = 4
const spacesMax = 40
const labelUnitsMax = 64

/**
 * The detectors that listen to the label of the value that begins at `at`, as a bit set; undefined if there is no label,
 * or nobody listens to it.
 */
export function labelListeners(text: string, at: number, lookup: ContextLookup): Int32Array | undefined {
  const before = codeAt(text, at - 1)
  const tagEnd = inSet(spaceSet, before) ? runStart(text, at, spaceSet, spacesMax) : at
  const code = codeAt(text, tagEnd - 1)
  if (code === greater) return listenersBeforeTags(text, tagEnd, lookup)
  if (isLeader(code)) {
    const leader = leaderStart(text, tagEnd)
    return leader < tagEnd ? listenersOfLabel(text, leader, lookup) : undefined
  }
  if (!inSet(stringQuoteSet, before)) return undefined
  const sign = runStart(text, at - 1, spaceSet, spacesMax)
  const joint = codeAt(text, sign - 1)
  if (joint === 61) return listenersOfAttribute(text, sign - 1, lookup)
  return joint === 58 ? listenersOfMember(text, sign - 1, lookup) : undefined
}

/** Those of the text before the tags that end at `at`. */
function listenersBeforeTags(text: string, at: number, lookup: ContextLookup): Int32Array | undefined {
  let end = at
  for (let tags = 0; tags < tagsMax && codeAt(text, end - 1) === greater; tags++) {
    const tag = tagStart(text, end - 1)
    if (tag < 0) return undefined
    end = runStart(text, tag, spaceSet, spacesMax)
  }
  return codeAt(text, end - 1) === greater ? undefined : listenersOfLabel(text, end, lookup)
}

/** Those of the text that ends at `end`, back to the tag or the line break before it. */
function listenersOfLabel(text: string, end: number, lookup: ContextLookup): Int32Array | undefined {
  const from = behindLast(text, end, labelStartSet, labelUnitsMax)
  return from < end ? lookup.listenersIn(text, from, end) : undefined
}
const labelStartSet = charSet('>\n\r')

/** Those of the other attributes of a field whose `value` is given at the sign, or of the label before the field. */
function listenersOfAttribute(text: string, sign: number, lookup: ContextLookup): Int32Array | undefined {
  if (!isHolder(text, sign)) return undefined
  const tag = tagStart(text, sign)
  if (tag < 0) return undefined
  const own = lookup.listenersIn(text, tag, sign)
  if (own !== undefined) return own
  const end = runStart(text, tag, spaceSet, spacesMax)
  return codeAt(text, end - 1) === greater
    ? listenersBeforeTags(text, end, lookup)
    : listenersOfLabel(text, end, lookup)
}

/** Those of the string in the member before the one whose value follows the colon at `colon`. */
function listenersOfMember(text: string, colon: number, lookup: ContextLookup): Int32Array | undefined {
  const keyEnd = runStart(text, colon, spaceSet, spacesMax)
  if (!inSet(stringQuoteSet, codeAt(text, keyEnd - 1)) || !isHolder(text, keyEnd - 1)) return undefined
  const key = runStart(text, keyEnd - 1, letterSet, holderUnitsMax)
  const comma = runStart(text, key - 1, spaceSet, spacesMax)
  if (!inSet(stringQuoteSet, codeAt(text, key - 1)) || codeAt(text, comma - 1) !== 44) return undefined
  const end = runStart(text, comma - 1, spaceSet, spacesMax) - 1
  const quote = codeAt(text, end)
  if (!inSet(stringQuoteSet, quote)) return undefined
  let from = end
  while (from > 0 && end - from < labelUnitsMax && codeAt(text, from - 1) !== quote) from--
  return from < end ? lookup.listenersIn(text, from, end) : undefined
}

/** Whether the name that ends at `to` is that of a member or an attribute that holds a labelled value. */
function isHolder(text: string, to: number): boolean {
  const from = runStart(text, to, letterSet, holderUnitsMax)
  return holders.includes(text.slice(from, to).toLowerCase())
}
