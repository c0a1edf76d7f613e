/** Handles failures of the gate itself: nothing passes unjudged, and nobody is left waiting. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import { errorFrames, errorName } from '../../telemetry/error-frames.ts'
import { readEnvelope } from './messages/envelope.ts'
import type { ErrorWords, GateSession, Step } from './gate-contract.ts'
import { errorMessage, unjudged } from './messages/json-rpc-error.ts'

export interface Judge {
  fromClient(message: Uint8Array, http?: IncomingHttpHeaders): Step | Promise<Step>
  fromServer(message: Uint8Array): Step | Promise<Step>
  errorWords(words: ErrorWords, id: string | undefined): Promise<Uint8Array | undefined>
  /** The same for what an `ask` resolves to. */
  afterAsk(message: Uint8Array, then: Promise<Step>): Promise<Step>
}

/** A session of the gate that answers with an error instead of throwing. */
export function judgeOf(session: GateSession, log: Logger): Judge {
  const note = (error: unknown): void =>
    log.error({ error: errorName(error), frames: errorFrames(error) }, 'a message could not be judged; it was dropped')
  const failed = (message: Uint8Array, side: 'client' | 'server', error: unknown): Step => {
    note(error)
    const { kind, id } = readEnvelope(message)
    if (side === 'client') return kind === 'request' ? { reply: errorMessage(id, unjudged), status: 500 } : {}
    return kind === 'response' && id !== undefined ? { forward: errorMessage(id, unjudged) } : {}
  }
  const guarded = (message: Uint8Array, side: 'client' | 'server', judge: () => Step | Promise<Step>) => {
    try {
      const step = judge()
      return step instanceof Promise ? step.catch((error: unknown) => failed(message, side, error)) : step
    } catch (error) {
      return failed(message, side, error)
    }
  }
  return {
    fromClient: (message, http) => guarded(message, 'client', () => session.fromClient(message, http)),
    fromServer: (message) => guarded(message, 'server', () => session.fromServer(message)),
    async errorWords(words, id) {
      try {
        return await session.errorWords(words, id)
      } catch (error) {
        note(error)
        return undefined
      }
    },
    afterAsk: (message, then) => then.catch((error: unknown) => failed(message, 'client', error))
  }
}
