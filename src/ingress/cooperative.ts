/**
 * How the work of many calls shares the event loop: long work pauses regularly, and work of the same sort is batched.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that has paused and waits for its turn. */
interface Waiting {
  readonly bytes: number
  isGone(): boolean
  drop(): void
  /** Continues to the next pause. @returns true if the work is finished */
  step(): boolean
}

/** In the order of arrival. */
const waiting: Waiting[] = []

/**
 * Drives a generator to its end. Work that never pauses takes no turn of the event loop. Of all paused work, the oldest
 * and the smallest advance in each turn. So a turn is short however much is waiting, large work never delays small
 * work, large work always makes progress, and equal work finishes (and frees its memory) one after the other.
 * @param bytes rough size of the work, for comparison
 * @param isGone asked in each turn that the work waits for; if true, the rest of the work is dropped
 * @throws what the generator throws, or what `onGone` returns
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
 * Waits for the end of this turn of the event loop, together with everyone who asks within it. They then continue one
 * after the other, each up to its next wait, so that code and tables that one has loaded into the processor's cache
 * serve them all.
 */
export function atEndOfTurn(): Promise<void> {
  return (gathering ??= endTurn())
}

async function endTurn(): Promise<void> {
  await nextTurn()
  gathering = undefined
}

/**
 * Turns of the event loop between two pieces of background work: about as many as a model call takes. An idle loop has
 * them at once.
 */
const turnsBetween = 8

/** Those waiting for a turn of background work. */
const atRest: (() => void)[] = []
let turnsLeft = 0

/**
 * Waits for a turn without other background work: a page of an export, or a body that is parsed in one go. Each takes a
 * few milliseconds. Because they run one at a time, with turns for everything else in between, any number of them
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
