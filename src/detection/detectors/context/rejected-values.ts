/**
 * Values that a program refuses and quotes in its error, with the name of the field on the line above. A service that
 * does not start because of its settings prints their secrets so.
 *
 * Source of facts: Pydantic documentation, "Error Messages": the location, then the message with type and input. A long
 * input is shown as its first 25 and its last 24 characters.
 */
import type { Match } from '../../detector.ts'
import { blankSet, codeAt, dottedNameSet, lineBreakSet, runEnd, runStart } from '../../text/chars.ts'
import { lineStart } from '../../text/rows.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'

/** What stands before such a value. */
export const rejection = "input_value='"

const inputEnd = "', input_type="
const inputUnitsMax = 160
const messageUnitsMax = 320
/** Names of fields and where they stand: `database.replicas.0.password`. */
const nameUnitsMax = 96

/**
 * The refused value behind `rejection` at `at`.
 * @param namesSecret whether a name in a range promises a secret
 */
export function rejected(
  text: string,
  at: number,
  namesSecret: (text: string, start: number, end: number) => boolean
): Match | undefined {
  const start = at + rejection.length
  const units = text.slice(start, start + inputUnitsMax).indexOf(inputEnd)
  const line = lineStart(text, at, messageUnitsMax)
  if (units <= 0 || line <= 0 || runEnd(text, line, blankSet, 1) === line) return undefined
  const nameTo = runStart(text, line, lineBreakSet, 2)
  const nameFrom = runStart(text, nameTo, dottedNameSet, nameUnitsMax)
  if (nameFrom === nameTo || codeAt(text, nameFrom - 1) > 32 || !namesSecret(text, nameFrom, nameTo)) return undefined
  const cut = text.slice(start, start + units).indexOf('...')
  const judged = delimitedPassword(text, start, start + (cut > 0 ? cut : units))
  return judged && { ...judged, end: start + units }
}
