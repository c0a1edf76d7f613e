/** Runs work that pauses now and then, giving the event loop a turn at each pause. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Drives a generator to its end. Work that never pauses costs no turn of the loop.
 * @param isGone asked at each pause; when it answers true the rest of the work is dropped
 * @throws what the generator throws, or what `onGone` gives
 */
export async function runInSteps<T>(
  work: Generator<void, T, void>,
  isGone: () => boolean,
  onGone: () => Error
): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (isGone()) {
      work.return(undefined as never)
      throw onGone()
    }
    await nextTurn()
  }
}
