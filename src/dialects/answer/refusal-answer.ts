/**
 * A block worded as an answer of the model, for agents that hide an error's text, so that a person can read the reason.
 * Its text is our sentence; all other fields say that the model wrote nothing.
 */
import type { Refusal } from '../dialect.ts'

/** What our answer takes from the request, and its time in seconds since 1970. */
interface RefusalContext {
  readonly model: string
  readonly stream: boolean
  readonly createdAt: number
}

/** One answer as a string: its events, or a single object. */
export type RefusalAnswer = (refusal: Refusal, context: RefusalContext) => string

const dataFrame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
const namedFrame = (data: { readonly type: string; readonly sequence_number?: number }): string =>
  `event: ${data.type}\n${dataFrame(data)}`

/** `finish_reason: content_filter`, by which clients of this API recognise a withheld answer. */
export const chatRefusal: RefusalAnswer = ({ message, requestId }, { model, stream, createdAt }) => {
  const head = { id: `chatcmpl-${requestId}`, created: createdAt, model }
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  if (!stream) {
    const choice = { index: 0, message: { role: 'assistant', content: message, refusal: null }, logprobs: null }
    return JSON.stringify({
      ...head,
      object: 'chat.completion',
      choices: [{ ...choice, finish_reason: 'content_filter' }],
      usage
    })
  }
  const chunk = (delta: object, finish_reason: string | null) =>
    dataFrame({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }]
    })
  return `${chunk({ role: 'assistant', content: message }, null)}${chunk({}, 'content_filter')}data: [DONE]\n\n`
}

/**
 * Ends like any answer. On `stop_reason: refusal`, Claude Code asks the model to continue, which sends the blocked text
 * again as history, and shows the model's words instead of ours.
 */
export const messagesRefusal: RefusalAnswer = ({ message, requestId }, { model, stream }) => {
  const usage = { input_tokens: 0, output_tokens: 0 }
  const head = { id: `msg_${requestId}`, type: 'message', role: 'assistant', model }
  const stop = { stop_reason: 'end_turn', stop_sequence: null }
  if (!stream) return JSON.stringify({ ...head, content: [{ type: 'text', text: message }], ...stop, usage })
  return [
    {
      type: 'message_start',
      message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage }
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: message } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: { output_tokens: 0 } },
    { type: 'message_stop' }
  ]
    .map(namedFrame)
    .join('')
}

/** A completed message: agents take an incomplete response for a broken one and ask again. */
export const responsesRefusal: RefusalAnswer = ({ message, requestId }, { model, stream, createdAt }) => {
  const part = { type: 'output_text', text: message, annotations: [] }
  const item = { id: `msg_${requestId}`, type: 'message', role: 'assistant' }
  const done = { ...item, status: 'completed', content: [part] }
  const usage = {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0
  }
  const head = { id: `resp_${requestId}`, object: 'response', created_at: createdAt, model, error: null }
  const response = { ...head, status: 'completed', incomplete_details: null, output: [done], usage }
  if (!stream) return JSON.stringify(response)
  const begun = { ...head, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  const place = { item_id: item.id, output_index: 0, content_index: 0 }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...place, delta: message, logprobs: [] },
    { type: 'response.output_text.done', ...place, text: message, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item: done },
    { type: 'response.completed', response }
  ]
    .map((event, sequence_number) => namedFrame({ ...event, sequence_number }))
    .join('')
}
