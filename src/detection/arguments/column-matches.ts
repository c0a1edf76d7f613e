/**
 * The matches in a column. A long table is read in several steps of the scan: with a name above it, all of its rows would
 * be read in one go, which takes tens of milliseconds for a megabyte.
 */
import { chained, type Match, type MatchContext } from '../detector.ts'

/** A reader of the rows of a table, with the cell that it read last. */
export interface Rows {
  /** Where the row with the names begins. */
  readonly header: number
  readonly start: number
  readonly end: number
  /** Reads the cell of the column in the next row; false behind the last row. */
  next(text: string): boolean
}

/** A column whose cells are to be read. */
export interface Column {
  readonly rows: Rows
  /** The match in the cell `[start, end)`. */
  match(start: number, end: number): Match | undefined
  /** Whether the table ends above the row that was read last. */
  ends?(): boolean
  /** What the name leads to if no cell matches. */
  otherwise(): Match | undefined
  /** Called if `rows` is kept to be read on, so that the caller needs another reader. */
  keep(): void
}

/** How many rows are read in one go. */
export const rowsAtOnce = 32

/**
 * Reads the cells of a column, those of a long one in later steps.
 * @returns the matches of the first rows as a chain, or what the name leads to otherwise
 */
export function columnMatches(text: string, column: Column, context: Pick<MatchContext, 'later'>): Match | undefined {
  const found: Match[] = []
  if (!readSome(text, column, found)) return chained(found) ?? column.otherwise()
  column.keep()
  context.later(rest(text, column, found.length === 0))
  return chained(found)
}

function* rest(text: string, column: Column, isEmpty: boolean): Generator<Match | undefined, void, void> {
  let hasNone = isEmpty
  for (let goesOn = true; goesOn;) {
    const found: Match[] = []
    goesOn = readSome(text, column, found)
    hasNone &&= found.length === 0
    yield chained(found)
  }
  if (hasNone) yield column.otherwise()
}

/** Reads the next rows. @returns whether there may be more */
function readSome(text: string, column: Column, found: Match[]): boolean {
  const { rows } = column
  for (let row = 0; row < rowsAtOnce; row++) {
    if (!rows.next(text) || column.ends?.() === true) return false
    const match = rows.end > rows.start ? column.match(rows.start, rows.end) : undefined
    if (match !== undefined) found.push(match)
  }
  return true
}
