/** The client's side of a call: whether it is still connected, and whether it will still get the whole answer. */
import type { ServerResponse } from 'node:http'
import type { Refused } from './refusal/refused.ts'

export interface Client {
  readonly isGone: boolean
  /** Set if the process ended the call; see {@link OpenCalls.end}. */
  readonly reason: Refused | undefined
  /**
   * Calls `act` when the client goes away before its answer is complete, or with a reason when the process ends the
   * call; at once if that has already happened.
   */
  whenOver(act: (reason?: Refused) => void): void
}

/** How long the last bytes of calls that were ended may take to leave. */
export const lastBytesMs = 1000

/** The calls of one process. */
export class OpenCalls {
  readonly #clients = new Set<WatchedClient>()

  /** Adds a call until its answer is closed. */
  watch(res: ServerResponse): Client {
    const client = new WatchedClient()
    this.#clients.add(client)
    res.once('close', () => {
      this.#clients.delete(client)
      if (!res.writableFinished) client.leave()
    })
    return client
  }

  /**
   * Ends the calls that have not got their whole answer from the upstream. Their clients are told: by `reason`, or in a
   * stream by the error that their SDK understands.
   */
  end(reason: Refused): void {
    for (const client of this.#clients) client.end(reason)
  }
}

class WatchedClient implements Client {
  isGone = false
  reason: Refused | undefined
  #act: ((reason?: Refused) => void) | undefined

  whenOver(act: (reason?: Refused) => void): void {
    if (this.isGone || this.reason) act(this.reason)
    else this.#act = act
  }

  leave(): void {
    this.isGone = true
    this.#act?.()
  }

  end(reason: Refused): void {
    this.reason ??= reason
    this.#act?.(this.reason)
  }
}
