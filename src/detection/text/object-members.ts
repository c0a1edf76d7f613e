/** Members of objects: the name before a value, and the member for the number that an object is about. */
import { allBut, charSet, codeAt, inSet, nameSet, runEnd, runStart, spaceSet, stringQuoteSet } from './chars.ts'
import { holders, numberKeys } from './labelled-fields.ts'

/** How far behind a value its object is read, in code units. */
export const behindUnitsMax = 200
const keyUnitsMax = 24
/** How many blanks may stand around the colon of a member. */
export const spacesMax = 40
/** Characters that open and close an object or a list. */
export const openSet = charSet('{[')
export const closeSet = charSet('}]')
const stringSets = { double: allBut('"\\'), single: allBut("'\\") }

/** The member name before the value, or the bracket, at `at`: `"number": "`. */
export function keyBefore(text: string, at: number): { start: number; end: number; name: string } | undefined {
  const value = inSet(stringQuoteSet, codeAt(text, at - 1)) ? at - 1 : at
  const colon = runStart(text, value, spaceSet, spacesMax) - 1
  if (codeAt(text, colon) !== 58) return undefined
  const closed = runStart(text, colon, spaceSet, spacesMax)
  const end = inSet(stringQuoteSet, codeAt(text, closed - 1)) ? closed - 1 : closed
  const start = runStart(text, end, nameSet, keyUnitsMax)
  // The last word of a longer name: `"order number"`.
  if (start === end || (end < closed && codeAt(text, start - 1) !== codeAt(text, end))) return undefined
  return { start, end, name: plain(text.slice(start, end)) }
}

/** Whether members of that name hold the number that an object is about. */
export function holdsNumber(name: string | undefined): boolean {
  return name !== undefined && (numberKeys.includes(name) || holders.includes(name))
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '').replaceAll('-', '')
}

/**
 * Where the string begins that holds a number in the object whose type ends before `at`: `"tax id", "country": "PL",
 * "number": "`; -1 if there is none shortly behind.
 */
export function numberBehind(text: string, at: number): number {
  const limit = Math.min(text.length, at + behindUnitsMax)
  let depth = 0
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (inSet(stringQuoteSet, code)) i = stringEnd(text, i, limit)
    else if (inSet(openSet, code)) depth++
    else if (inSet(closeSet, code) && depth-- === 0) return -1
    else if (code === 58 && depth === 0) {
      const value = runEnd(text, i + 1, spaceSet, spacesMax)
      if (inSet(stringQuoteSet, codeAt(text, value)) && holdsNumber(keyBefore(text, value)?.name)) return value + 1
    }
  }
  return -1
}

/** The quote that closes the string which opens at `at`, or the place before the limit. */
export function stringEnd(text: string, at: number, limit: number): number {
  const set = text.charCodeAt(at) === 34 ? stringSets.double : stringSets.single
  let i = runEnd(text, at + 1, set, limit - at)
  while (codeAt(text, i) === 92) i = runEnd(text, i + 2, set, limit - i)
  return Math.min(i, limit - 1)
}
