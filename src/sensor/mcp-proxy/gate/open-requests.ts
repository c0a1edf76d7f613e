/** The open and the recently answered requests of a client: an answer is judged by what was requested. */
import type { MessageId } from './open-message.ts'
import type { OpenCall } from './open-call.ts'

/**
 * How the answer to a request other than a call is read. `handshake`: what a server is and can do. `definitions`: only
 * descriptions of the listed things are text. `choices`: values that are returned as arguments. `texts`: everything
 * else.
 */
export type AnswerForm = 'handshake' | 'definitions' | 'choices' | 'texts'

/** What the answer to a request will be. */
export type OpenRequest =
  | { readonly kind: 'other'; readonly form: AnswerForm }
  /** `initialize`: the answer says which notifications the client may expect. */
  | { readonly kind: 'handshake' }
  /** `subscriptions/listen` of 2026-07-28. */
  | { readonly kind: 'listen' }
  /** A person is being asked about the call. The server has not seen it, so it cannot answer it. */
  | { readonly kind: 'held' }
  | { readonly kind: 'list'; readonly cursor: string | undefined; readonly surface: string | undefined }
  | { readonly kind: 'call'; readonly call: OpenCall }
  /** The answer may hold the result of a call that runs as a task. */
  | { readonly kind: 'task' }

const openMax = 10_000
/** A resumed stream repeats answers (`Last-Event-ID`). */
const answeredMax = 256

export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>()
  readonly #cancelled = new Set<string>()
  readonly #answered = new Map<string, OpenRequest>()

  /** Whether a request with this id waits for its answer. */
  isOpen({ key }: MessageId): boolean {
    return this.#open.has(key)
  }

  kindOf(key: string): OpenRequest['kind'] | undefined {
    return this.#open.get(key)?.kind
  }

  /** @returns false if too many requests are open */
  open({ key }: MessageId, request: OpenRequest): boolean {
    if (this.#open.size >= openMax && !this.#forgetCancelled()) return false
    this.#answered.delete(key)
    this.#open.set(key, request)
    return true
  }

  /** @returns the request that is being, or was, answered; undefined if there is none */
  answer({ key }: MessageId): OpenRequest | undefined {
    const request = this.#open.get(key)
    if (request === undefined) return this.#answered.get(key)
    if (request.kind === 'held') return undefined
    this.#open.delete(key)
    this.#cancelled.delete(key)
    this.#answered.set(key, request)
    if (this.#answered.size > answeredMax) this.#answered.delete(this.#answered.keys().next().value as string)
    return request
  }

  /** The client no longer wants an answer. One may still arrive, and is judged like any other. */
  cancel(key: string): OpenRequest | undefined {
    const request = this.#open.get(key)
    if (request !== undefined) this.#cancelled.add(key)
    return request
  }

  /** Forgets a request that was not forwarded after all. */
  drop({ key }: MessageId): void {
    this.#open.delete(key)
    this.#cancelled.delete(key)
  }

  /** Calls that wait for their answer. */
  *calls(): Generator<OpenCall> {
    for (const request of this.#open.values()) if (request.kind === 'call') yield request.call
  }

  #forgetCancelled(): boolean {
    const key = this.#cancelled.values().next().value
    if (key === undefined) return false
    this.#cancelled.delete(key)
    return this.#open.delete(key)
  }
}
