/** Converts errors of the store to refusals of a route. */
import { Refused } from '../../ingress/refusal/refused.ts'
import { StoreError } from '../../store/store.ts'

/** A query that cannot be answered as written. */
export const badQuery = (path: string, message: string): Refused =>
  new Refused('invalid_value', { faults: [{ path, code: 'invalid_value', message }] })

/**
 * Waits for the store's answer.
 * @throws Refused `store_unavailable`, `invalid_value` for an invalid cursor or a range with too many points
 */
export async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RangeError)
      throw badQuery('', 'A query parameter does not fit: the cursor is none of this query, or the range is too wide.')
    if (error instanceof StoreError) throw new Refused('store_unavailable')
    throw error
  }
}
