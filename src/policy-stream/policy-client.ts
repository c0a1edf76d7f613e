/** The two requests of a subscriber: following the stream, and polling the current policy. */
import { createParser } from 'eventsource-parser'
import type { Dispatcher } from 'undici'
import { connectionFault, isCertificateFault } from '../protocol/connection-fault.ts'
import { requestHeaders } from '../protocol/headers.ts'
import { Attempt } from './attempt.ts'
import { retryAfterMs } from '../timing/backoff.ts'
import { frameCharsMax, policyEventName, streamContentType } from './frame.ts'

/** An answer that is neither a stream nor a policy. */
export interface RefusedAnswer {
  readonly kind: 'refused'
  readonly status: number
  readonly retryAfterMs: number | undefined
}

/**
 * There was no answer, or the connection broke before anything came. `untrusted`: because of a certificate. `fault`: the
 * runtime's code, if the connection failed.
 */
interface NoAnswer {
  readonly kind: 'unreachable' | 'untrusted'
  readonly fault?: string | undefined
}

/**
 * How a stream ended. `ended`: after it had sent something. `silent`: nothing came for too long, after that many events
 * and comments. `not_a_stream`: an answer of another type. `stopped`: by the caller.
 */
export type StreamOutcome =
  | RefusedAnswer
  | NoAnswer
  | { readonly kind: 'silent'; readonly messages: number }
  | { readonly kind: 'ended' | 'not_a_stream' | 'too_large' | 'stopped' }

export type PollOutcome =
  | RefusedAnswer
  | NoAnswer
  | { readonly kind: 'policy'; readonly text: string }
  | { readonly kind: 'unchanged' | 'too_large' | 'stopped' }

interface ClientOptions {
  /** Without a trailing slash. */
  readonly base: string
  readonly token: string
  readonly dispatcher: Dispatcher
  readonly wallMs: () => number
}

interface FollowOptions {
  /** The revision that the caller has. */
  readonly revision: string | undefined
  readonly signal: AbortSignal
  readonly firstByteMs: number
  readonly watchdogMs: number
  /** Called with the data of each policy event. */
  readonly onPolicy: (text: string) => void
  /** Called with each comment: the service only sends them to clients that already have the newest policy. */
  readonly onComment: () => void
  readonly onRetry: (retryMs: number) => void
}

/** Drops an answer that nobody reads, and releases its connection. */
function dismiss(answer: Dispatcher.ResponseData): void {
  answer.body.on('error', () => {}).destroy()
}

/** The error's text could hold addresses, its code does not. */
function noAnswer(error: unknown): NoAnswer {
  const fault = connectionFault(error)
  return { kind: isCertificateFault(fault) ? 'untrusted' : 'unreachable', fault }
}

export class PolicyClient {
  readonly #options: ClientOptions
  readonly #origin: string
  readonly #path: string

  constructor(options: ClientOptions) {
    const url = new URL(`${options.base}/api/workspace/policy`)
    this.#options = options
    this.#origin = url.origin
    this.#path = url.pathname
  }

  /** Follows the stream until it ends. Never rejects. */
  async follow(options: FollowOptions): Promise<StreamOutcome> {
    const { revision, firstByteMs, watchdogMs } = options
    const attempt = new Attempt(options.signal, firstByteMs)
    let messages = 0
    let isTooLarge = false
    let failure: NoAnswer = { kind: 'unreachable' }
    try {
      const answer = await this.#get('-stream', attempt.signal, {
        accept: streamContentType,
        ...(revision === undefined ? {} : { 'last-event-id': revision })
      })
      if (answer.statusCode !== 200) return this.#refused(answer)
      if (!String(answer.headers['content-type']).startsWith(streamContentType)) {
        dismiss(answer)
        return { kind: 'not_a_stream' }
      }
      const parser = createParser({
        maxBufferSize: frameCharsMax,
        onEvent(event) {
          if (event.event !== policyEventName) return
          messages++
          options.onPolicy(event.data)
        },
        onComment() {
          messages++
          options.onComment()
        },
        onRetry: options.onRetry,
        onError(error) {
          if (error.type !== 'max-buffer-size-exceeded') return
          isTooLarge = true
          attempt.abort()
        }
      })
      const decoder = new TextDecoder()
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        attempt.heard(watchdogMs)
        if (!isTooLarge) parser.feed(decoder.decode(chunk, { stream: true }))
      }
    } catch (error) {
      failure = noAnswer(error)
    } finally {
      attempt.end()
    }
    if (options.signal.aborted) return { kind: 'stopped' }
    if (isTooLarge) return { kind: 'too_large' }
    if (attempt.isSilent) return { kind: 'silent', messages }
    return messages > 0 ? { kind: 'ended' } : failure
  }

  /** Polls the policy once, unless it is still `revision`. Never rejects. */
  async poll(options: {
    readonly revision: string | undefined
    readonly signal: AbortSignal
    readonly timeoutMs: number
  }): Promise<PollOutcome> {
    const { revision, signal } = options
    const attempt = new Attempt(signal, options.timeoutMs)
    try {
      const answer = await this.#get('', attempt.signal, {
        accept: 'application/json',
        ...(revision === undefined ? {} : { 'if-none-match': `"${revision}"` })
      })
      if (answer.statusCode === 304) {
        dismiss(answer)
        return { kind: 'unchanged' }
      }
      if (answer.statusCode !== 200) return this.#refused(answer)
      const text = await this.#read(answer)
      return text === undefined ? { kind: 'too_large' } : { kind: 'policy', text }
    } catch (error) {
      return signal.aborted ? { kind: 'stopped' } : noAnswer(error)
    } finally {
      attempt.end()
    }
  }

  #get(
    suffix: '' | '-stream',
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>
  ): Promise<Dispatcher.ResponseData> {
    return this.#options.dispatcher.request({
      origin: this.#origin,
      path: this.#path + suffix,
      method: 'GET',
      signal,
      // The watchdog of each request is stricter, and undici's own would end a quiet stream.
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: { [requestHeaders.workspaceToken]: this.#options.token, 'accept-encoding': 'identity', ...headers }
    })
  }

  #refused(answer: Dispatcher.ResponseData): RefusedAnswer {
    dismiss(answer)
    const waitMs = retryAfterMs(answer.headers['retry-after'], this.#options.wallMs())
    return { kind: 'refused', status: answer.statusCode, retryAfterMs: waitMs }
  }

  async #read(answer: Dispatcher.ResponseData): Promise<string | undefined> {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > frameCharsMax) return undefined
    }
    return text
  }
}
