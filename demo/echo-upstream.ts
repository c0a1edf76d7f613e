/**
 * A small upstream for both APIs that answers with what it received from the user, so that a person can see what
 * happened to a value on its way. It needs no account and no network. Run separately, it prints every call: `node
 * demo/echo-upstream.ts --port 4010`.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConversation, type Api } from './conversation.ts'
import {
  EchoRefusal,
  errorAnswer,
  readEchoRequest,
  streamedAnswer,
  wholeAnswer,
  type EchoRequest
} from './echo-answers.ts'

/** One call as it arrived. */
export interface ReceivedCall {
  readonly api: Api
  readonly headers: IncomingHttpHeaders
  /** The bytes of the body. */
  readonly bytes: Buffer
  /** The parsed body. */
  readonly body: unknown
}

interface EchoOptions {
  /** 0 picks a free port. */
  readonly port?: number
  /** How many received calls are kept. */
  readonly keepMax?: number
  /** Pause between two events of a stream. */
  readonly frameDelayMs?: number
  /** Called for every readable call before it is answered. */
  readonly onCall?: (call: ReceivedCall) => void
}

export interface EchoUpstream {
  /** Without a path and without a trailing slash. */
  readonly url: string
  /** The last calls, oldest first. */
  readonly received: readonly ReceivedCall[]
  /** Closes all connections and the listener. */
  close(): Promise<void>
}

const apis: ReadonlyMap<string, Api> = new Map([
  ['/v1/chat/completions', 'chat-completions'],
  ['/v1/messages', 'messages']
])
const bodyBytesMax = 64 * 1024 * 1024

/** Reads a body; one that is too long is read to its end and dropped, so that the connection can be answered. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bodyBytesMax) chunks.push(chunk)
  }
  if (bytes > bodyBytesMax) throw new EchoRefusal(413, `The body is longer than ${bodyBytesMax} bytes.`)
  return Buffer.concat(chunks)
}

function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new EchoRefusal(400, 'The body must be JSON.')
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function* paced(frames: Iterable<string>, delayMs: number): AsyncGenerator<string> {
  for (const frame of frames) {
    yield frame
    if (delayMs > 0) await sleep(delayMs)
  }
}

async function answer(response: ServerResponse, api: Api, echo: EchoRequest, frameDelayMs: number): Promise<void> {
  const id = randomUUID()
  const createdAt = Math.floor(Date.now() / 1000)
  response.setHeader(api === 'messages' ? 'request-id' : 'x-request-id', `req_${id}`)
  if (!echo.stream) return sendJson(response, 200, wholeAnswer(api, echo, id, createdAt))
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const frames = Readable.from(paced(streamedAnswer(api, echo, id, createdAt), frameDelayMs))
  // A client that disconnects in mid-stream is not an error of the upstream; the pipeline has cleaned up by then.
  await pipeline(frames, response).catch(() => response.destroy())
}

/** Starts the upstream on 127.0.0.1. */
export async function startEchoUpstream(options: EchoOptions = {}): Promise<EchoUpstream> {
  const { port = 0, keepMax = 50, frameDelayMs = 0, onCall } = options
  const received: ReceivedCall[] = []

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://upstream').pathname
    const api = apis.get(path)
    try {
      if (api === undefined) throw new EchoRefusal(404, `There are only these paths: ${[...apis.keys()].join(', ')}.`)
      if (request.method !== 'POST') throw new EchoRefusal(405, 'The method must be POST.')
      const bytes = await readBody(request)
      const body = parseBody(bytes)
      const call: ReceivedCall = { api, headers: request.headers, bytes, body }
      received.push(call)
      if (received.length > keepMax) received.shift()
      onCall?.(call)
      await answer(response, api, readEchoRequest(api, body), frameDelayMs)
    } catch (error) {
      request.resume()
      if (error instanceof EchoRefusal) {
        sendJson(response, error.status, errorAnswer(api ?? 'chat-completions', error.status, error.message))
      } else response.destroy()
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close() {
      return new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)))
        server.closeAllConnections()
      })
    }
  }
}

function printCall(call: ReceivedCall): void {
  console.log(`\n${call.api}, ${call.bytes.length} bytes`)
  for (const turn of readConversation(call.body)) console.log(`  ${turn.role}: ${turn.text}`)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '4010' } } })
  const upstream = await startEchoUpstream({ port: Number(values.port), frameDelayMs: 20, onCall: printCall })
  console.log(`Echo upstream at ${upstream.url}, paths ${[...apis.keys()].join(' and ')}. Ctrl-C ends it.`)
  process.once('SIGINT', () => void upstream.close())
  process.once('SIGTERM', () => void upstream.close())
}
