/** The client's side of a call: whether it is still there. */
import type { ServerResponse } from 'node:http'

export interface Client {
  readonly isGone: boolean
  /** Calls `act` when the client goes away before its answer is complete, at once where it is gone already. */
  whenGone(act: () => void): void
}

export function watchClient(res: ServerResponse): Client {
  let isGone = false
  let act: (() => void) | undefined
  res.once('close', () => {
    if (res.writableFinished) return
    isGone = true
    act?.()
  })
  return {
    get isGone() {
      return isGone
    },
    whenGone(next) {
      if (isGone) next()
      else act = next
    }
  }
}
