/** Sends a step with the vendors' own SDKs, configured like any client of the service. */
import Anthropic, { APIError as MessagesError } from '@anthropic-ai/sdk'
import OpenAI, { APIError as ChatError } from 'openai'
import type { Step } from './steps.ts'

/** What the client received. */
export interface Outcome {
  readonly requestId: string
  /** Response header `x-service-action`. */
  readonly action: string
  /** Response header `x-service-entities-masked`. */
  readonly entitiesMasked: number
  readonly answer: string
  /** Number of text pieces in a streamed answer. */
  readonly pieces: number
  /** Time from the first piece to the last. */
  readonly piecesMs: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** The error that the SDK raised instead of an answer. */
  readonly refusal?: {
    readonly status: number
    readonly code: string
    readonly errorClass: string
    readonly message: string
  }
}

export interface Clients {
  send(step: Step): Promise<Outcome>
}

type Answered = Pick<Outcome, 'answer' | 'pieces' | 'piecesMs' | 'inputTokens' | 'outputTokens'>

const noAnswer: Answered = { answer: '', pieces: 0, piecesMs: 0, inputTokens: 0, outputTokens: 0 }

/** Counts the pieces of a stream, and the time that they took. */
function createStopwatch(): { tick(): void; read(): { pieces: number; piecesMs: number } } {
  const ticks: number[] = []
  return {
    tick: () => void ticks.push(performance.now()),
    read: () => ({ pieces: ticks.length, piecesMs: (ticks.at(-1) ?? 0) - (ticks[0] ?? 0) })
  }
}

function outcomeOf(headers: Headers | undefined, answered: Answered): Outcome {
  return {
    requestId: headers?.get('x-request-id') ?? '',
    action: headers?.get('x-service-action') ?? '',
    entitiesMasked: Number(headers?.get('x-service-entities-masked') ?? Number.NaN),
    ...answered
  }
}

async function sendChat(client: OpenAI, step: Step & { api: 'chat-completions' }): Promise<Outcome> {
  if (!step.stream) {
    const { data, response } = await client.chat.completions.create({ ...step.body, stream: false }).withResponse()
    const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = data.usage ?? {}
    return outcomeOf(response.headers, {
      answer: data.choices[0]?.message.content ?? '',
      pieces: 1,
      piecesMs: 0,
      inputTokens,
      outputTokens
    })
  }
  const { data, response } = await client.chat.completions.create({ ...step.body, stream: true }).withResponse()
  const answered = { ...noAnswer }
  const stopwatch = createStopwatch()
  for await (const chunk of data) {
    const text = chunk.choices[0]?.delta.content
    if (text) {
      answered.answer += text
      stopwatch.tick()
    }
    answered.inputTokens = chunk.usage?.prompt_tokens ?? answered.inputTokens
    answered.outputTokens = chunk.usage?.completion_tokens ?? answered.outputTokens
  }
  return outcomeOf(response.headers, { ...answered, ...stopwatch.read() })
}

function messageText(message: Anthropic.Message): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

async function sendMessages(client: Anthropic, step: Step & { api: 'messages' }): Promise<Outcome> {
  if (!step.stream) {
    const { data, response } = await client.messages.create({ ...step.body, stream: false }).withResponse()
    const { input_tokens: inputTokens, output_tokens: outputTokens } = data.usage
    return outcomeOf(response.headers, { answer: messageText(data), pieces: 1, piecesMs: 0, inputTokens, outputTokens })
  }
  const stopwatch = createStopwatch()
  const stream = client.messages.stream(step.body).on('text', () => stopwatch.tick())
  const { response } = await stream.withResponse()
  const message = await stream.finalMessage()
  const { input_tokens: inputTokens, output_tokens: outputTokens } = message.usage
  return outcomeOf(response.headers, { answer: messageText(message), ...stopwatch.read(), inputTokens, outputTokens })
}

/** The SDKs' errors have status, headers and the service's own code; any other error is a fault of the demo. */
function refused(error: unknown): Outcome {
  if (!(error instanceof ChatError) && !(error instanceof MessagesError)) throw error
  const code = error instanceof ChatError ? error.code : error.errorCode
  // The chat SDK puts the status before the service's sentence.
  const message =
    error instanceof ChatError ? error.message.replace(/^\d{3} /, '') : (error.apiMessage ?? error.message)
  return {
    ...outcomeOf(error.headers, noAnswer),
    refusal: { status: error.status ?? 0, code: code ?? '', errorClass: error.constructor.name, message }
  }
}

/**
 * @param url base URL of the service
 * @param token a workspace token; used as the SDK's API key and sent in a header as well
 */
export function createClients(url: string, token: string): Clients {
  const settings = {
    baseURL: `${url}/api/ingress/v1`,
    apiKey: token,
    maxRetries: 0,
    defaultHeaders: { 'x-service-workspace-token': token, 'x-service-client-surface': 'sdk' }
  }
  const chat = new OpenAI(settings)
  const messages = new Anthropic(settings)
  return {
    send(step) {
      const call = step.api === 'messages' ? sendMessages(messages, step) : sendChat(chat, step)
      return call.catch(refused)
    }
  }
}
