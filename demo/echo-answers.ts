/**
 * The answers of the echo upstream in the format of each vendor's API, whole and as server-sent events. The formats are
 * what the official SDKs parse; both are tested with those SDKs.
 */
import { isObject, lastUserText, readConversation, type Api, type Json } from './conversation.ts'

/** What the echo needs from a request. */
export interface EchoRequest {
  readonly model: string
  readonly stream: boolean
  /** `stream_options.include_usage` of the chat-completions API: a last chunk carries the token counts. */
  readonly streamUsage: boolean
  readonly answer: string
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A request that the vendor would refuse; the message names the field and the rule. */
export class EchoRefusal extends Error {
  override readonly name = 'EchoRefusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** An approximation of a tokenizer: words and single punctuation characters. */
function countTokens(text: string): number {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)?.length ?? 0
}

/** @throws EchoRefusal if a required field is missing */
export function readEchoRequest(api: Api, body: unknown): EchoRequest {
  if (!isObject(body)) throw new EchoRefusal(400, 'The body must be a JSON object.')
  const { model, messages, max_tokens: maxTokens, stream, stream_options: streamOptions } = body
  if (typeof model !== 'string') throw new EchoRefusal(400, 'model: a string is required.')
  if (!Array.isArray(messages) || messages.length === 0)
    throw new EchoRefusal(400, 'messages: a filled list is required.')
  if (api === 'messages' && typeof maxTokens !== 'number')
    throw new EchoRefusal(400, 'max_tokens: a number is required.')
  const turns = readConversation(body)
  const answer = `You said: ${lastUserText(turns)}`
  return {
    model,
    stream: stream === true,
    streamUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
    answer,
    inputTokens: turns.reduce((sum, turn) => sum + countTokens(turn.text), 0),
    outputTokens: countTokens(answer)
  }
}

export function errorAnswer(api: Api, status: number, message: string): Json {
  const type = status === 404 ? 'not_found_error' : 'invalid_request_error'
  return api === 'messages'
    ? { type: 'error', error: { type, message } }
    : { error: { message, type, param: null, code: null } }
}

function chatUsage(request: EchoRequest): Json {
  const { inputTokens, outputTokens } = request
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens }
}

/** @param createdAt Unix seconds */
export function wholeAnswer(api: Api, request: EchoRequest, id: string, createdAt: number): Json {
  if (api === 'messages') {
    return {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: request.model,
      content: [{ type: 'text', text: request.answer }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: request.inputTokens, output_tokens: request.outputTokens }
    }
  }
  const message = { role: 'assistant', content: request.answer, refusal: null }
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: createdAt,
    model: request.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: chatUsage(request)
  }
}

/** Pieces of a few characters, so that a value or a placeholder is split between events, as with real models. */
function pieces(text: string): string[] {
  return text.match(/.{1,7}/gsu) ?? []
}

function* chatFrames(request: EchoRequest, id: string, createdAt: number): Generator<string> {
  const head = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: createdAt, model: request.model }
  const usage = request.streamUsage ? { usage: null } : {}
  const frame = (delta: Json, finishReason: string | null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
    return `data: ${JSON.stringify({ ...head, choices, ...usage })}\n\n`
  }
  yield frame({ role: 'assistant', content: '' }, null)
  for (const content of pieces(request.answer)) yield frame({ content }, null)
  yield frame({}, 'stop')
  if (request.streamUsage) yield `data: ${JSON.stringify({ ...head, choices: [], usage: chatUsage(request) })}\n\n`
  yield 'data: [DONE]\n\n'
}

function* messagesFrames(request: EchoRequest, id: string): Generator<string> {
  const frame = (type: string, rest: Json = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
  const { content: _, ...message } = wholeAnswer('messages', request, id, 0)
  const usage = { input_tokens: request.inputTokens, output_tokens: 1 }
  yield frame('message_start', { message: { ...message, content: [], stop_reason: null, usage } })
  yield frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
  yield frame('ping')
  for (const text of pieces(request.answer)) {
    yield frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
  }
  yield frame('content_block_stop', { index: 0 })
  const delta = { stop_reason: 'end_turn', stop_sequence: null }
  yield frame('message_delta', { delta, usage: { output_tokens: request.outputTokens } })
  yield frame('message_stop')
}

/** The answer as server-sent events, one frame at a time. */
export function streamedAnswer(api: Api, request: EchoRequest, id: string, createdAt: number): Generator<string> {
  return api === 'messages' ? messagesFrames(request, id) : chatFrames(request, id, createdAt)
}
