/**
 * The clients of the stream benchmark, thousands in one process: bare sockets that search for the marker of a frame.
 */
import { connect, type Socket } from 'node:net'
import { markOf } from './policy-stream-frame.ts'
import { latencyOf, type Latency } from './measure.ts'
import { serveParent } from './serve-parent.ts'

export interface Storm {
  readonly ms: number
  readonly failed: number
}

const tailBytes = 64
let sockets: Client[] = []
let delivered: Promise<void> = Promise.resolve()
let awaited = { mark: '', at: [] as bigint[], left: 0, done: (): void => {} }

class Client {
  readonly socket: Socket
  readonly greeted: Promise<boolean>
  #tail = ''

  /** @param mark marker in the frame that completes the greeting */
  constructor(port: number, path: string, mark: string) {
    this.socket = connect({ port, host: '127.0.0.1' })
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.greeted = promise
    this.socket.on('close', () => resolve(false))
    this.socket.on('error', () => {})
    this.socket.on('data', (chunk: Buffer) => {
      // The marker is at the end of a frame and may arrive split in two.
      this.#tail = (this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - tailBytes))).slice(-tailBytes)
      if (this.#tail.includes(mark)) resolve(true)
      if (awaited.left > 0 && this.#tail.includes(awaited.mark)) {
        this.#tail = ''
        awaited.at.push(process.hrtime.bigint())
        if (--awaited.left === 0) awaited.done()
      }
    })
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\n` +
        `x-service-workspace-token: svw_${'0'.repeat(46)}\r\nuser-agent: bench/1\r\n\r\n`
    )
  }
}

export interface Where {
  readonly port: number
  readonly path: string
  readonly count: number
  /** Sequence in force. */
  readonly sequence: number
}

function closeAll(): void {
  for (const { socket } of sockets) socket.destroy()
  sockets = []
}

serveParent(
  {},
  {
    /** Opens streams in batches of 100. */
    async open({ port, path, count, sequence }: Where): Promise<void> {
      const batch = 100
      while (sockets.length < count) {
        const more = Array.from(
          { length: Math.min(batch, count - sockets.length) },
          () => new Client(port, path, markOf(sequence))
        )
        const greeted = await Promise.all(more.map((client) => client.greeted))
        if (greeted.includes(false)) throw new Error('a stream was refused')
        sockets.push(...more)
      }
    },
    /** Makes every client look for a new frame from now on. */
    expect(sequence: number) {
      const { promise, resolve } = Promise.withResolvers<void>()
      awaited = { mark: markOf(sequence), at: [], left: sockets.length, done: resolve }
      delivered = promise
    },
    /** Waits until every client has the frame. @returns times since `from`; the longest is that of the last client */
    async delivery(from: bigint): Promise<Latency> {
      await delivered
      return latencyOf(awaited.at.map((at) => Number(at - from) / 1e6))
    },
    /** Drops every stream and reopens all of them at once. */
    async storm({ port, path, count, sequence }: Where): Promise<Storm> {
      closeAll()
      const from = performance.now()
      sockets = Array.from({ length: count }, () => new Client(port, path, markOf(sequence)))
      const greeted = await Promise.all(sockets.map((client) => client.greeted))
      return { ms: performance.now() - from, failed: greeted.filter((each) => !each).length }
    },
    close: closeAll
  },
  closeAll
)
