/** Runs small work at once, and large work in pieces between which others get a turn. */
import { runInSteps } from '../../../ingress/cooperative.ts'

/**
 * Drives work to its first pause. Work that is finished by then takes no turn of the event loop.
 * @returns a promise for work that paused
 */
export function driveWork<T>(work: Generator<void, T, void>): T | Promise<T> {
  const first = work.next()
  return first.done ? first.value : runInSteps(work, unknownBytes, never, gone)
}

/** The same, for callers that wait in any case. */
export async function runWhole<T>(work: Generator<void, T, void>): Promise<T> {
  return await driveWork(work)
}

/** A connection has one message at a time waiting for its turn, so they proceed in order of arrival. */
const unknownBytes = 0
const never = (): boolean => false
const gone = (): Error => new Error('work that nobody waits for')
