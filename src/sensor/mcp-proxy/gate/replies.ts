/** The gate's own answers in place of a server's: JSON-RPC errors, and refusals that a model can read. */
import { errorCodes } from '../messages/json-rpc-error.ts'
import type { MessageFault, MessageId } from './open-message.ts'

/** The key of `_meta` under which a refusal has its details for programs. */
const refusalMetaKey = 'dev.sluice/refusal'

/** Besides those of the relay: codes of JSON-RPC 2.0 and of MCP 2026-07-28, and one outside the reserved range. */
export const rpcCodes = {
  ...errorCodes,
  parseError: -32_700,
  headerMismatch: -32_020,
  /** There is no policy to judge by, or too much is in progress. */
  unavailable: 1503
} as const

export interface Refusal {
  /** The reason code of the event. */
  readonly code: string
  /** A full sentence for the model. Holds nothing of the arguments. */
  readonly sentence: string
  readonly ruleId?: string | undefined
  readonly revision?: string | undefined
  readonly requestId: string
  /** Whether the same call may pass later. */
  readonly isRetryable: boolean
  readonly retryAfterMs?: number | undefined
}

/** @param id undefined for a message whose id could not be read */
export function errorReply(id: MessageId | undefined, code: number, message: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id?.json ?? 'null'},"error":${JSON.stringify({ code, message })}}`)
}

/** A refusal as a result of the tool: the form that reaches the model in every client. */
export function refusalReply(id: MessageId, refusal: Refusal, isModern: boolean): Buffer {
  const { code, sentence, ruleId, revision, requestId, isRetryable, retryAfterMs } = refusal
  const result = {
    ...(isModern && { resultType: 'complete' }),
    content: [{ type: 'text', text: sentence }],
    isError: true,
    _meta: {
      [refusalMetaKey]: { action: 'block', code, ruleId, revision, requestId, retryable: isRetryable, retryAfterMs }
    }
  }
  return Buffer.from(`{"jsonrpc":"2.0","id":${id.json},"result":${JSON.stringify(result)}}`)
}

const faultReplies: Readonly<Record<MessageFault, readonly [code: number, message: string]>> = {
  not_json: [rpcCodes.parseError, 'The message is not JSON in UTF-8, or it is too large or nested too deeply.'],
  batch: [rpcCodes.invalidRequest, 'Batches are not supported: send each message separately.'],
  not_rpc: [rpcCodes.invalidRequest, 'The message is not a JSON-RPC 2.0 request, notification or response.'],
  ambiguous: [
    rpcCodes.invalidRequest,
    'The message has a duplicate key, or a key that a parser may mistake for another, so it cannot be judged.'
  ]
}

export function faultReply(id: MessageId | undefined, fault: MessageFault): Buffer {
  return errorReply(id, ...faultReplies[fault])
}
