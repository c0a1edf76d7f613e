/** Where a page of records ended: its position in the order of days, and of sequences within a day. */
export interface Position {
  readonly day: number
  readonly sequence: number
}

const cursorPattern = /^([0-9a-z]{1,6})-([0-9a-z]{1,11})$/

/** @returns opaque text that holds only the position */
export const formatCursor = ({ day, sequence }: Position): string => `${day.toString(36)}-${sequence.toString(36)}`

/** @throws RangeError for a text that {@link formatCursor} does not produce */
export function parseCursor(text: string): Position {
  const [, day, sequence] = cursorPattern.exec(text) ?? []
  if (day === undefined || sequence === undefined) throw new RangeError('cursor must be the next of the page before')
  return { day: Number.parseInt(day, 36), sequence: Number.parseInt(sequence, 36) }
}
