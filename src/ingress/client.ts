/** The client's side of a call: whether it is still connected. */
import type { ServerResponse } from 'node:http'

export interface Client {
  readonly isGone: boolean
  /** Calls `act` when the client goes away before its answer is complete, or at once if it has already gone. */
  whenGone(act: () => void): void
}

export function watchClient(res: ServerResponse): Client {
  const client = new WatchedClient()
  res.once('close', () => {
    if (!res.writableFinished) client.leave()
  })
  return client
}

class WatchedClient implements Client {
  isGone = false
  #act: (() => void) | undefined

  whenGone(act: () => void): void {
    if (this.isGone) act()
    else this.#act = act
  }

  leave(): void {
    this.isGone = true
    this.#act?.()
  }
}
