/** One HTTP call, exactly as a test writes it: no retry, no redirect, no decoding. */
import { Agent, request, type Dispatcher } from 'undici'

export interface Reply {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly text: string
  /** The body parsed as JSON; throws if it is not JSON. */
  json(): Record<string, unknown>
}

export interface CallOptions {
  readonly method?: Dispatcher.HttpMethod
  /** An array of alternating names and values can send a header twice. */
  readonly headers?: Record<string, string> | string[]
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
}

const agent = new Agent({ connections: 64, keepAliveTimeout: 1000 })

/** Sends one request and reads the whole response. */
export async function call(url: string, options: CallOptions = {}): Promise<Reply> {
  const { method = 'POST', headers = {}, body, signal } = options
  const answer = await request(url, {
    method,
    headers,
    dispatcher: agent,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
    ...(signal ? { signal } : {})
  })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  const text = bytes.toString('utf8')
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    bytes,
    text,
    json: () => JSON.parse(text) as Record<string, unknown>
  }
}
