/** The error bodies of the chat-completions vendor's APIs. */
import type { Refusal } from './dialect.ts'

/** The vendor's error types by status; it answers a wrong key (401) as an invalid request. */
const errorTypes: Readonly<Record<number, string>> = {
  403: 'permission_error',
  429: 'rate_limit_error'
}

export function openaiErrorBody({ status, message, code }: Refusal) {
  const type = errorTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return { error: { message, type, param: null, code } }
}
