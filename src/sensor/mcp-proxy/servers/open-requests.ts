/** The requests that were sent to a server and have no answer yet. */
import type { Envelope } from '../messages/envelope.ts'
import { findMember, rawOf } from '../messages/json-members.ts'

interface OpenRequest {
  readonly method: string | undefined
  readonly sinceMs: number
}

/** Stays open as long as the client likes: a missing answer is not an error. */
const endless = 'subscriptions/listen'

export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>()

  get size(): number {
    return this.#open.size
  }

  has(id: string): boolean {
    return this.#open.has(id)
  }

  /** Records what the client sends. A cancelled request is closed: a server does not answer it. */
  sent(message: Uint8Array, envelope: Envelope, nowMs: number): void {
    if (envelope.kind === 'request' && envelope.id !== undefined)
      this.#open.set(envelope.id, { method: envelope.method, sinceMs: nowMs })
    else if (envelope.method === 'notifications/cancelled') {
      const id = cancelledId(message)
      if (id !== undefined) this.#open.delete(id)
    }
  }

  answered(id: string): boolean {
    return this.#open.delete(id)
  }

  /** Removes the requests that have waited longer than this; by default, all of them. */
  take(olderThanMs = Number.NEGATIVE_INFINITY, nowMs = Number.POSITIVE_INFINITY): string[] {
    const ids: string[] = []
    for (const [id, { sinceMs, method }] of this.#open) {
      if (nowMs - sinceMs <= olderThanMs || (method === endless && Number.isFinite(nowMs))) continue
      ids.push(id)
    }
    for (const id of ids) this.#open.delete(id)
    return ids
  }
}

/** The id of the request that a `notifications/cancelled` names, as written. */
export function cancelledId(message: Uint8Array): string | undefined {
  const span = findMember(message, ['params', 'requestId'])
  return span && rawOf(message, span)
}
