/** How the APIs of the chat-completions vendor word an error. */
import type { Refusal } from './dialect.ts'

/** Error types by status, as the vendor's API names them; it answers a wrong key (401) as an invalid request. */
const errorTypes: Readonly<Record<number, string>> = {
  403: 'permission_error',
  429: 'rate_limit_error'
}

export function openaiErrorBody({ status, message, code }: Refusal) {
  const type = errorTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return { error: { message, type, param: null, code } }
}
