/** Turns of the event loop, to tell what is done in one and the same. */

export interface TurnCounter extends Disposable {
  /** Number of the turn under way. */
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

/** The least number of turns between two of them. */
export const leastBetween = (turns: readonly number[]): number =>
  Math.min(...turns.slice(1).map((turn, at) => turn - (turns[at] as number)))
