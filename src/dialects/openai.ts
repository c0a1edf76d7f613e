/** What the APIs of the chat-completions vendor have in common. */
import type { Dialect, Refusal } from './dialect.ts'
import { usageReaders } from './usage/readers.ts'

/** The vendor's error types by status; it answers a wrong key (401) as an invalid request. */
const errorTypes: Readonly<Record<number, string>> = {
  403: 'permission_error',
  429: 'rate_limit_error'
}

export function openaiErrorBody({ status, message, code }: Refusal) {
  const type = errorTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return { error: { message, type, param: null, code } }
}

/** How the chat-completions API answers. The others differ only where they say so. */
export const openaiAnswers = {
  errorBody: openaiErrorBody,
  // The vendor's SDK raises the `error` of any data line.
  streamError: (refusal) => `data: ${JSON.stringify(openaiErrorBody(refusal))}\n\n`,
  keepAlive: ': keep-alive\n\n',
  createUsageReader: usageReaders({
    places: [['usage']],
    inputTokens: ['prompt_tokens'],
    outputTokens: ['completion_tokens'],
    cachedInputTokens: ['prompt_tokens_details', 'cached_tokens']
  })
} satisfies Partial<Dialect>
