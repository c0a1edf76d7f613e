/** What the stub upstream can do with a call, in either wire format, which it tells by the call's path. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { placeholdersIn } from './placeholder.ts'
import type { Behaviour, Received } from './stub-upstream.ts'

const endsIn = (received: Received, path: string): boolean => received.url.split('?')[0]?.endsWith(path) === true
const isMessages = (received: Received): boolean => endsIn(received, '/messages')
const isResponses = (received: Received): boolean => endsIn(received, '/responses')

function sendJson(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(JSON.stringify(body))
}

function responseOf(text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }]
  const output = [{ type: 'message', id: 'item_stub', role: 'assistant', status: 'completed', content }]
  const usage = { input_tokens: 21, output_tokens: 9, total_tokens: 30 }
  return { id: 'resp_stub', object: 'response', created_at: 1, model: 'm', status: 'completed', output, usage }
}

/** A vendor's whole response. */
export function answerBody(received: Received, text: string): object {
  if (isMessages(received)) {
    const usage = { input_tokens: 21, output_tokens: 9 }
    return {
      id: 'msg_stub',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage
    }
  }
  if (isResponses(received)) return responseOf(text)
  const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 }
  return { id: 'chatcmpl-stub', object: 'chat.completion', created: 1, model: 'm', choices, usage }
}

const event = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`

/** The frames of a vendor's streamed response, one per event. */
export function streamFrames(received: Received, words: readonly string[]): string[] {
  if (isMessages(received)) {
    const message = {
      id: 'msg_stub',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 21, output_tokens: 1 }
    }
    return [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...words.map((text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } }),
      event('message_stop', {})
    ]
  }
  if (isResponses(received)) {
    const place = { item_id: 'item_stub', output_index: 0, content_index: 0 }
    const response = responseOf(words.join(''))
    return [
      event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      ...words.map((delta) => event('response.output_text.delta', { ...place, delta })),
      event('response.completed', { response })
    ]
  }
  const chunk = (choices: object[], more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-stub', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`
  return [
    chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
    ...words.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chunk([], { usage: { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 } }),
    'data: [DONE]\n\n'
  ]
}

function wantsStream(received: Received): boolean {
  try {
    return (JSON.parse(received.body.toString('utf8')) as { stream?: unknown }).stream === true
  } catch {
    return false
  }
}

/** Responds as the vendor does, streamed if the body requests it. */
export function answers(text = 'Understood.', headers: Record<string, string> = {}): Behaviour {
  return (received, res) => {
    if (!wantsStream(received)) return sendJson(res, 200, answerBody(received, text), headers)
    res.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
    res.end(streamFrames(received, [text]).join(''))
  }
}

/**
 * A model that repeats the placeholders that it was sent, in small pieces if it streams.
 * @param say makes the reply from them
 */
export function repeatsPlaceholders(say: (placeholders: readonly string[]) => string): Behaviour {
  return (received, res) => {
    const body = received.body.toString('utf8')
    const text = say(placeholdersIn(body))
    if ((JSON.parse(body) as { stream?: boolean }).stream !== true) {
      const answer = JSON.stringify(answerBody(received, text))
      const length = { 'content-length': Buffer.byteLength(answer) }
      res.writeHead(200, { 'content-type': 'application/json', ...length }).end(answer)
      return
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.end(streamFrames(received, text.match(/.{1,3}/gs) ?? []).join(''))
  }
}

/** Sends the beginning of a stream, then breaks the connection in the middle of an event. */
export const diesMidStream: Behaviour = async (received, res) => {
  const frames = streamFrames(received, ['Half', ' an', ' answer'])
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  if (!res.write(`${frames.slice(0, 3).join('')}${frames[3]?.slice(0, 20)}`)) await once(res, 'drain')
  setTimeout(() => res.destroy(), 20)
}

/** Sends the beginning of a stream and then nothing more. */
export const stallsMidStream: Behaviour = (received, res) => {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.write(streamFrames(received, ['Half', ' an', ' answer']).slice(0, 3).join(''))
}

/** Accepts the call and never begins to respond. */
export const hangs: Behaviour = () => undefined

/** Breaks the connection before the response begins. */
export const hangsUp: Behaviour = (_received, res) => {
  res.destroy()
}

/** Rejects the credential and echoes it, as vendors do with a part of the key. */
export const refusesKey: Behaviour = (received, res) => {
  const key = received.headers['authorization'] ?? received.headers['x-api-key'] ?? 'none'
  sendJson(res, 401, {
    error: { message: `Incorrect API key provided: ${key}.`, type: 'authentication_error', code: 'invalid_api_key' }
  })
}

export const rateLimitHeaders = {
  'retry-after': '7',
  'x-ratelimit-limit-requests': '60',
  'anthropic-ratelimit-requests-limit': '50'
}

/** Responds that there were too many calls. */
export const limitsRate: Behaviour = (received, res) => {
  const error = { type: 'rate_limit_error', message: 'Slow down please.', code: 'rate_limit_exceeded', param: null }
  sendJson(res, 429, isMessages(received) ? { type: 'error', error } : { error }, rateLimitHeaders)
}

/** Fails as a vendor does. */
export const fails: Behaviour = (received, res) => {
  const error = { type: 'api_error', message: 'The vendor stumbled.', code: 'vendor_stumbled', param: null }
  sendJson(res, 500, isMessages(received) ? { type: 'error', error } : { error })
}

/** Responds 400 and repeats what it was sent, as a vendor that explains an error may do. */
export const repeatsRequest: Behaviour = (received, res) => {
  sendJson(res, 400, {
    type: 'error',
    error: { type: 'invalid_request_error', message: received.body.toString('utf8'), code: null, param: null }
  })
}

/** Compresses its response although nobody asked for it. */
export const compresses: Behaviour = (received, res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  res.end(gzipSync(JSON.stringify(answerBody(received, 'Compressed.'))))
}
