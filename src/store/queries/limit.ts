import { rowsMax } from '../store.ts'

/** @throws RangeError for a number of rows out of range */
export function checkedLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > rowsMax)
    throw new RangeError(`limit must be from 1 to ${rowsMax}`)
  return limit
}
