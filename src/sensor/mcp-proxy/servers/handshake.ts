/**
 * A client's `initialize` (revisions up to 2025-11-25), kept so that it can be repeated with a new server process or
 * session.
 */
import type { Envelope } from '../messages/envelope.ts'

export class Handshake {
  #initialize: { readonly message: Uint8Array; readonly id: string } | undefined
  #initialized: Uint8Array | undefined
  #isDone = false

  /** The client's `notifications/initialized`, if it has sent one. */
  get initialized(): Uint8Array | undefined {
    return this.#initialized
  }

  /** Records what the client sends. */
  sent(message: Uint8Array, { kind, method, id }: Envelope): void {
    if (kind === 'request' && method === 'initialize' && id !== undefined) {
      this.#initialize = { message: message.slice(), id }
      this.#initialized = undefined
      this.#isDone = false
    } else if (method === 'notifications/initialized') this.#initialized = message.slice()
  }

  /** Records an answer of the server. */
  answered(id: string, isError: boolean): void {
    if (!this.#isDone && this.isAnswer(id)) this.#isDone = !isError
  }

  isAnswer(id: string): boolean {
    return this.#initialize?.id === id
  }

  /** The `initialize` to send again, or undefined if no handshake was completed. */
  repeat(): Uint8Array | undefined {
    return this.#isDone ? this.#initialize?.message : undefined
  }
}
