/**
 * Tokens that are longer than any password or key: refresh tokens and encrypted tokens of a thousand characters and
 * more.
 */
import { charSet, consistsOf } from '../text/chars.ts'

/** What such tokens consist of. Those of Microsoft accounts have the signs, those in URLs the percent. */
export const longTokenSet = charSet('A-Z', 'a-z', '0-9', '+/=_-.~!*$%')

/** The most code units of a token that is read; a longer run is a file. */
export const longTokenUnitsMax = 4095

/** Whether `[start, end)` can be one token, of whatever length. */
export function isLongToken(text: string, start: number, end: number): boolean {
  return end - start <= longTokenUnitsMax && consistsOf(text, start, end, longTokenSet)
}
