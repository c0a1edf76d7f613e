/** Telephone numbers of the United States and Canada that no word announces. */
import type { Match, MatchContext } from '../../detector.ts'
import { isPattern } from '../../numbers/chance-matches.ts'
import { shapeKey } from '../../numbers/number-run.ts'
import { charSet, codeAt, inSet } from '../../text/chars.ts'
import { isNorthAmerican } from '../../validators/phone-plans.ts'
import { dialled } from './phone-forms.ts'
import { isNumberOfObject } from './phone-shapes.ts'

/**
 * `(415) 736-2201`, `415-736-2201`: in the United States and Canada nothing else is written so.
 * @param at the first digit of the area code
 */
export function american(text: string, at: number): Match | undefined {
  const read = dialled(text, at)
  const isArea = text.charCodeAt(at - 1) === 40
  if (read === undefined || (isArea && (text.charCodeAt(at + 3) !== 41 || inSet(beforeAreaSet, codeAt(text, at - 2)))))
    return undefined
  const national = read.digits.length === 11 && read.digits.startsWith('1') ? read.digits.slice(1) : read.digits
  const isAssigned = isNorthAmerican(national) && !isService(national, 0) && !isService(national, 3)
  if (!isAssigned || national.startsWith('555') || isPattern(national, 3)) return undefined
  if (codeAt(text, at + 3) === 46 && isOfVersion(text, at)) return undefined
  if (isNumberOfObject(text, isArea ? at - 1 : at)) return undefined
  return { start: isArea ? at - 1 : at, end: read.end, confidence: 'medium' }
}

/** A number in one of {@link americanShapes}. */
export function ofAmerica(text: string, at: number, { number }: MatchContext): Match | undefined {
  return americanKeys.has(number.key) ? american(text, at) : undefined
}

/** Whether the word before says that a dotted number is a version: `Version 415.736.2201`. */
function isOfVersion(text: string, at: number): boolean {
  const before = text
    .slice(Math.max(0, at - versionUnitsMax), at)
    .toLowerCase()
    .replace(':', '')
    .trimEnd()
  return versionWords.some((word) => before.endsWith(word))
}
const versionUnitsMax = 12
const versionWords = ['version', 'build', 'release', 'ver', 'ver.', ' v']

/** Area codes and exchanges of services end in 11: `911`. */
function isService(national: string, at: number): boolean {
  return national.startsWith('11', at + 1)
}

/** The bracket of a call, and a plus before a country code. */
const beforeAreaSet = charSet('A-Z', 'a-z', '0-9', '_+)')
/** The shapes that {@link ofAmerica} reads. */
export const americanShapes = ['3-3-4', '3.3.4', '1-3-3-4', '1.3.3.4']
const americanKeys = new Set(americanShapes.map(shapeKey))
