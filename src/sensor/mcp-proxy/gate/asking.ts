/** Asking a person, through the client: in the answer to the call, or by a request of its own where there are sessions. */
import { randomUUID } from 'node:crypto'
import type { MessageId } from './open-message.ts'
import { consentKey } from './server-question.ts'

/** A form without fields: to accept it is the consent. */
const form = (message: string): object => ({ message, requestedSchema: { type: 'object', properties: {} } })

/** The answer of 2026-07-28 that puts the question; the client sends the call again with what was said to it. */
export function inputRequired(id: MessageId, message: string, state: string): Buffer {
  const result = {
    resultType: 'input_required',
    inputRequests: { [consentKey]: { method: 'elicitation/create', params: { mode: 'form', ...form(message) } } },
    requestState: state
  }
  return Buffer.from(`{"jsonrpc":"2.0","id":${id.json},"result":${JSON.stringify(result)}}`)
}

/** What became of a question. `unsupported`: the client answered with an error. */
export type Said = 'accepted' | 'declined' | 'unsupported' | 'withdrawn'

const idPrefix = 'sluice-ask-'
const questionsMax = 32

interface OpenQuestion {
  readonly resolve: (said: Said) => void
  readonly callKey: string
}

/** Questions of one session that wait for their answer. */
export class Questions {
  readonly #open = new Map<string, OpenQuestion>()
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** @returns undefined where too many wait already */
  ask(callKey: string, message: string): { readonly question: Buffer; readonly said: Promise<Said> } | undefined {
    if (this.#open.size >= questionsMax) return undefined
    const id = idPrefix + randomUUID()
    const { promise, resolve } = Promise.withResolvers<Said>()
    // It does not keep a process up: where nothing else does, nobody is there to answer.
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

  /** Takes the client's answer. @returns false where it answers no question of ours */
  take({ key }: MessageId, action: string | undefined, isError: boolean): boolean {
    const id = key.slice(1)
    if (!id.startsWith(idPrefix)) return false
    this.#settle(id, isError ? 'unsupported' : action === 'accept' ? 'accepted' : 'declined')
    return true
  }

  /** The call that is asked about is no longer wanted. */
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
