/**
 * A client for the load generator: HTTP/1.1 over a bare socket, one request at a time. It does as little as possible
 * per response, so that the generator's core still has capacity when a proxy's core is saturated.
 */
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  /** Status line and headers as received, without the blank line. */
  readonly head: string
}

/** Where requests go. */
export interface Target {
  readonly name: string
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Connection {
  /**
   * Sends one request and waits for the whole response. Must not be called before the previous response is complete.
   */
  send(request: Uint8Array): Promise<Answer>
  close(): void
}

/** A whole request, head and body, ready to be written. */
export function makeRequest(target: Target, body: Uint8Array): Buffer {
  const headers = {
    host: `127.0.0.1:${target.port}`,
    'content-type': 'application/json',
    ...target.headers,
    'content-length': body.length
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${target.path} HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}

/** Parses responses from chunks that may be split anywhere. */
export interface AnswerReader {
  /** @returns a response once its last byte has arrived, else undefined */
  push(chunk: Buffer): Answer | undefined
}

const headEnd = '\r\n\r\n'
const lastChunk = '0\r\n\r\n'

export function createAnswerReader(): AnswerReader {
  let held: Buffer | undefined
  let head = ''
  let bodyBytesLeft = 0
  let chunked = false
  let tail = ''

  /** Consumes the body bytes of a chunk. @returns whether the body is complete */
  function takeBody(bytes: Buffer): boolean {
    if (!chunked) {
      bodyBytesLeft -= bytes.length
      return bodyBytesLeft <= 0
    }
    // The responses of this benchmark do not contain these bytes in their data, so the last chunk can be found by a
    // search.
    tail = (tail + bytes.toString('latin1')).slice(-lastChunk.length - 2)
    return tail.endsWith(`\n${lastChunk}`) || tail === lastChunk
  }

  function finish(): Answer {
    const answer = { status: Number(head.slice(9, 12)), head }
    head = ''
    tail = ''
    return answer
  }

  return {
    push(chunk) {
      if (head !== '') return takeBody(chunk) ? finish() : undefined
      const bytes = held ? Buffer.concat([held, chunk]) : chunk
      const end = bytes.indexOf(headEnd)
      held = end < 0 ? bytes : undefined
      if (end < 0) return undefined
      head = bytes.toString('latin1', 0, end)
      bodyBytesLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      chunked = /\r\ntransfer-encoding: *chunked/i.test(head)
      return takeBody(bytes.subarray(end + headEnd.length)) ? finish() : undefined
    }
  }
}

export async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const reader = createAnswerReader()
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined
  socket.on('data', (chunk: Buffer) => {
    const answer = reader.push(chunk)
    if (answer === undefined) return
    const { resolve } = waiting ?? {}
    waiting = undefined
    resolve?.(answer)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('The connection was closed before the answer had come.')))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return {
    send(request) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      })
    },
    close() {
      waiting = undefined
      socket.destroy()
    }
  }
}
