/** Asks a person through the client: in the answer to the call, or by a separate request if there are sessions. */
import { randomUUID } from 'node:crypto'
import type { MessageId } from './open-message.ts'
import { consentKey } from './server-question.ts'

/** A form without fields: accepting it is consent. */
const form = (message: string): object => ({ message, requestedSchema: { type: 'object', properties: {} } })

/** The answer of 2026-07-28 that asks the question; the client sends the call again with the person's reply. */
export function inputRequired(id: MessageId, message: string, state: string): Buffer {
  const result = {
    resultType: 'input_required',
    inputRequests: { [consentKey]: { method: 'elicitation/create', params: { mode: 'form', ...form(message) } } },
    requestState: state
  }
  return Buffer.from(`{"jsonrpc":"2.0","id":${id.json},"result":${JSON.stringify(result)}}`)
}

/** The outcome of a question. `unsupported`: the client answered with an error. */
export type Said = 'accepted' | 'declined' | 'unsupported' | 'withdrawn'

const idPrefix = 'sluice-ask-'
const questionsMax = 32

interface OpenQuestion {
  readonly resolve: (said: Said) => void
  readonly callKey: string
}

/** The open questions of one session. */
export class Questions {
  readonly #open = new Map<string, OpenQuestion>()
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** @returns undefined if too many are open */
  ask(callKey: string, message: string): { readonly question: Buffer; readonly said: Promise<Said> } | undefined {
    if (this.#open.size >= questionsMax) return undefined
    const id = idPrefix + randomUUID()
    const { promise, resolve } = Promise.withResolvers<Said>()
    // The timer does not keep the process alive: if nothing else does, nobody is there to answer.
    const timer = setTimeout(() => this.#settle(id, 'declined'), this.#timeoutMs).unref()
    this.#open.set(id, {
      callKey,
      resolve: (said) => {
        clearTimeout(timer)
        resolve(said)
      }
    })
    const request = { jsonrpc: '2.0', id, method: 'elicitation/create', params: form(message) }
    return { question: Buffer.from(JSON.stringify(request)), said: promise }
  }

  /** Handles the client's reply. @returns false if it answers none of our questions */
  take({ key }: MessageId, action: string | undefined, isError: boolean): boolean {
    const id = key.slice(1)
    if (!id.startsWith(idPrefix)) return false
    this.#settle(id, isError ? 'unsupported' : action === 'accept' ? 'accepted' : 'declined')
    return true
  }

  /** Withdraws the question about a call that is no longer wanted. */
  withdraw(callKey: string): void {
    for (const [id, question] of this.#open) if (question.callKey === callKey) this.#settle(id, 'withdrawn')
  }

  close(): void {
    for (const id of this.#open.keys()) this.#settle(id, 'withdrawn')
  }

  #settle(id: string, said: Said): void {
    this.#open.get(id)?.resolve(said)
    this.#open.delete(id)
  }
}
