/** How the work of many calls shares the event loop: long work pauses now and then, and like work is done together. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that has paused, and waits for its turn. */
interface Waiting {
  readonly bytes: number
  isGone(): boolean
  drop(): void
  /** Goes on to the next pause; true where the work is over. */
  step(): boolean
}

/** In the order in which they came. */
const waiting: Waiting[] = []

/**
 * Drives a generator to its end. Work that never pauses costs no turn of the loop. Of works that paused two go on in a
 * turn: the one that came first, and the smallest. So a turn is short however many there are, a small one is not kept by a
 * large one, a large one never waits for good, and of equals the first is done, and its memory free, before the next.
 * @param bytes how large the work is beside others, roughly
 * @param isGone asked in each turn that the work waits for; when it answers true the rest of the work is dropped
 * @throws what the generator throws, or what `onGone` gives
 */
export async function runInSteps<T>(
  work: Generator<void, T, void>,
  bytes: number,
  isGone: () => boolean,
  onGone: () => Error
): Promise<T> {
  const first = work.next()
  if (first.done) return first.value
  return new Promise((resolve, reject) => {
    const drop = (): void => {
      work.return(undefined as never)
      reject(onGone())
    }
    const step = (): boolean => {
      try {
        const { done, value } = work.next()
        if (done) resolve(value)
        return done === true
      } catch (error) {
        reject(error)
        return true
      }
    }
    if (waiting.push({ bytes, isGone, drop, step }) === 1) setImmediate(takeTurn)
  })
}

function takeTurn(): void {
  for (const work of waiting.filter(({ isGone }) => isGone())) end(work).drop()
  const [first] = waiting
  if (first === undefined) return
  const smallest = waiting.reduce((least, work) => (work.bytes < least.bytes ? work : least), first)
  for (const work of new Set([first, smallest])) if (work.step()) end(work)
  if (waiting.length > 0) setImmediate(takeTurn)
}

function end(work: Waiting): Waiting {
  waiting.splice(waiting.indexOf(work), 1)
  return work
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

/** Turns of the loop from one piece of leisurely work to the next: a model call takes about as many. An idle loop has them in no time. */
const turnsBetween = 8

/** Who waits for a turn of leisurely work. */
const atRest: (() => void)[] = []
let turnsLeft = 0

/**
 * Waits for a turn in which no other work of this sort is done: a page of an export, a body that is parsed at a stretch.
 * Each takes some milliseconds, and done one behind the other, with turns for all else between, any number of them
 * delays a model call no more than one does.
 */
export function atLeisure(): Promise<void> {
  return new Promise((resolve) => {
    if (atRest.push(resolve) === 1 && turnsLeft === 0) setImmediate(letOneGo)
  })
}

function letOneGo(): void {
  if (turnsLeft > 0) turnsLeft--
  else if (atRest.length > 0) {
    turnsLeft = turnsBetween
    atRest.shift()?.()
  }
  if (turnsLeft > 0 || atRest.length > 0) setImmediate(letOneGo)
}
