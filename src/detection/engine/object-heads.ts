/**
 * The rest of an object as context: what says of which document a member holds the number, wherever it stands in that
 * object (`{"type": "PASSPORT", "country": "US", "number": "536..."}`), and the member whose value the object is
 * (`"passport": {"expiry": "2031-05", "number": "536..."}`). Objects are those of JSON, Python and JavaScript.
 */
import { codeAt, inSet, runStart, spaceSet, stringQuoteSet } from '../text/chars.ts'
import { typeKeys } from '../text/labelled-fields.ts'
import {
  behindUnitsMax,
  closeSet,
  holdsNumber,
  keyBefore,
  openSet,
  spacesMax,
  stringEnd
} from '../text/object-members.ts'
import type { ContextLookup } from './context-words.ts'

/** How far before a value its object is read, in code units. */
const beforeUnitsMax = 400

/**
 * The detectors that listen to what the rest of the object says of the value at `at`, as a bit set; undefined if the
 * value is in no member for numbers, or nobody listens.
 */
export function objectListeners(text: string, at: number, lookup: ContextLookup): Int32Array | undefined {
  const key = keyBefore(text, at)
  if (key === undefined || !holdsNumber(key.name)) return undefined
  const open = objectStart(text, key.start)
  if (open < 0) return undefined
  const said = typeIn(text, open + 1, at)
  const heard = said && lookup.listenersIn(text, said.from, said.to)
  if (heard !== undefined) return heard
  const holder = holderEnd(text, open)
  const owner = holder < 0 ? undefined : keyBefore(text, holder)
  return owner && lookup.listenersIn(text, owner.start, owner.end)
}

/** The brace that opens the object around `at`; -1 if it is too far before. */
function objectStart(text: string, at: number): number {
  let closed = 0
  for (let i = at - 1; i >= 0 && i > at - beforeUnitsMax; i--) {
    const code = text.charCodeAt(i)
    if (inSet(closeSet, code)) closed++
    else if (inSet(openSet, code) && closed-- === 0) return code === 123 ? i : -1
  }
  return -1
}

/** The value of the member that says what the object is, from `from` to the end of the object around `at`. */
function typeIn(text: string, from: number, at: number): { from: number; to: number } | undefined {
  const limit = Math.min(text.length, at + behindUnitsMax)
  let depth = 0
  let type = -1
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (inSet(stringQuoteSet, code)) i = stringEnd(text, i, limit)
    else if (inSet(openSet, code)) depth++
    else if (depth === 0 && (code === 44 || inSet(closeSet, code))) {
      if (type >= 0) return { from: type, to: i }
      if (code !== 44) return undefined
    } else if (inSet(closeSet, code)) depth--
    else if (code === 58 && depth === 0 && type < 0 && typeKeys.includes(keyBefore(text, i + 1)?.name ?? '')) type = i
  }
  return undefined
}

/** Where the member before an object ends that holds it, or the list of which it is the first; -1 if there is none. */
function holderEnd(text: string, open: number): number {
  const before = runStart(text, open, spaceSet, spacesMax)
  return codeAt(text, before - 1) === 91 ? before - 1 : open
}
