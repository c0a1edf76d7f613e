/** Lists of columns in SQL: `INSERT INTO people (name, bsn)`, `COPY people (name, bsn)`. */
import { charSet, runStart, spaceSet, standsAt } from './chars.ts'

/** Characters in a list of columns: names, plain or quoted. */
export const columnListSet = charSet('A-Z', 'a-z', '0-9', '_.,$"`[] \t\r\n')
const tableNameSet = charSet('A-Z', 'a-z', '0-9', '_.$"`[]')
const tableUnitsMax = 160
const blanksMax = 64

/** Whether the bracket at `at` opens such a list: a table name stands before it, behind `INTO` or `COPY`. */
export function opensColumnList(text: string, at: number): boolean {
  const end = runStart(text, at, spaceSet, blanksMax)
  const start = runStart(text, end, tableNameSet, tableUnitsMax)
  const word = runStart(text, start, spaceSet, blanksMax)
  return start < end && word < start && (standsAt(text, word - 4, 'into') || standsAt(text, word - 4, 'copy'))
}
