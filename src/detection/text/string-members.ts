/** The members of an object whose values are strings: `{"ana": "...", "ben": "..."}` in JSON, Python and JavaScript. */
import { charSet, codeAt, inSet, nameSet, runEnd, spaceSet, stringQuoteSet } from './chars.ts'
import { stringEnd } from './object-members.ts'

const membersMax = 24
const nameUnitsMax = 64
const valueUnitsMax = 512
const spacesMax = 40
/** Characters of the name of a member: keys of such objects are hosts, addresses and paths as well. */
const keySet = charSet('A-Z', 'a-z', '0-9', '_.@/:-')

/** A member, and where the string of its value stands, without its quotes. */
interface StringMember {
  readonly nameFrom: number
  readonly nameTo: number
  readonly start: number
  readonly end: number
}

/**
 * At most 24 members of the object that opens at `open`, up to the first that has no string for its value, so that no
 * member is read for two objects.
 */
export function stringMembers(text: string, open: number): StringMember[] {
  const members: StringMember[] = []
  for (let at = open + 1; members.length < membersMax; at++) {
    at = runEnd(text, at, spaceSet, spacesMax)
    const quote = codeAt(text, at)
    const isQuoted = inSet(stringQuoteSet, quote)
    const nameFrom = isQuoted ? at + 1 : at
    const nameTo = runEnd(text, nameFrom, isQuoted ? keySet : nameSet, nameUnitsMax)
    if (nameTo === nameFrom || (isQuoted && codeAt(text, nameTo) !== quote)) break
    const colon = isQuoted ? nameTo + 1 : nameTo
    const value = runEnd(text, colon + 1, spaceSet, spacesMax)
    if (codeAt(text, colon) !== 58 || !inSet(stringQuoteSet, codeAt(text, value))) break
    const end = stringEnd(text, value, Math.min(text.length, value + valueUnitsMax))
    if (codeAt(text, end) !== codeAt(text, value)) break
    members.push({ nameFrom, nameTo, start: value + 1, end })
    at = runEnd(text, end + 1, spaceSet, spacesMax)
    if (codeAt(text, at) !== 44) break
  }
  return members
}
