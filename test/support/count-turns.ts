/** Counts turns of the event loop, to see what happens within a single one. */

interface TurnCounter extends Disposable {
  /** Number of the current turn. */
  readonly turn: number
}

export function countTurns(): TurnCounter {
  let turn = 0
  let isOver = false
  const next = (): void => {
    turn++
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return {
    get turn() {
      return turn
    },
    [Symbol.dispose]: () => void (isOver = true)
  }
}

/** The smallest distance between two consecutive turns. */
export const leastBetween = (turns: readonly number[]): number =>
  Math.min(...turns.slice(1).map((turn, at) => turn - (turns[at] as number)))
