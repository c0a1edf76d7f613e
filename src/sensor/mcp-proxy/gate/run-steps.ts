/** Work that is done at once where it is small, and in pieces between which others get a turn where it is large. */
import { runInSteps } from '../../../ingress/cooperative.ts'

/**
 * Drives work to its first pause. What is done by then costs no turn of the event loop.
 * @returns a promise for the rest of work that paused
 */
export function driveWork<T>(work: Generator<void, T, void>): T | Promise<T> {
  const first = work.next()
  return first.done ? first.value : runInSteps(work, unknownBytes, never, gone)
}

/** The same, for who waits in any case. */
export async function runWhole<T>(work: Generator<void, T, void>): Promise<T> {
  return await driveWork(work)
}

/** One message at a time waits for its turn in a connection, so they go on in the order in which they came. */
const unknownBytes = 0
const never = (): boolean => false
const gone = (): Error => new Error('work that nobody waits for')
