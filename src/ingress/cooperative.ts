/** How the work of many calls shares the event loop: long work pauses now and then, and like work is done together. */
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

let gathering: Promise<void> | undefined

/**
 * Waits for the end of this turn of the loop, together with all who ask within it. They then go on one behind the other,
 * up to where each waits next, so that code and tables that one has fetched into the processor's cache serve them all.
 */
export function atEndOfTurn(): Promise<void> {
  return (gathering ??= endTurn())
}

async function endTurn(): Promise<void> {
  await nextTurn()
  gathering = undefined
}
