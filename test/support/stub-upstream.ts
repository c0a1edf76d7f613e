/**
 * An upstream of our own for what a mock of the vendors' APIs cannot show: the exact bytes received, responses that
 * break off or never begin, and whether the caller disconnected.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { eventually } from './eventually.ts'

export interface Received {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Lower-case names; a header sent twice is joined with a comma and a space. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What the upstream does with a call that it has read to the end. */
export type Behaviour = (received: Received, res: ServerResponse) => void | Promise<void>

export interface StubUpstream extends AsyncDisposable {
  /** `http://127.0.0.1:port`, the base URL of the messages upstream. */
  readonly url: string
  /** The base URL of the chat-completions upstream. */
  readonly chatBase: string
  readonly received: readonly Received[]
  /** The text of the newest body. */
  lastBody(): string
  /** Connections accepted so far. */
  readonly connections: number
  /** Calls whose caller closed the connection before the response was complete. */
  readonly abandoned: number
  /** Sets how later calls are handled. */
  behave(behaviour: Behaviour): void
  /** Forgets what was received. */
  forget(): void
  /** Waits until `count` calls have been read. */
  arrived(count: number): Promise<void>
  /** Waits until `count` callers have disconnected. */
  lost(count: number): Promise<void>
  close(): Promise<void>
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Starts the upstream on a free port of the loopback address. */
export async function startStubUpstream(first: Behaviour): Promise<StubUpstream> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let behaviour = first
  let connections = 0
  let abandoned = 0

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    res.on('close', () => {
      if (!res.writableFinished && !res.writableEnded) abandoned++
    })
    const body = await readAll(req)
    const headers = Object.fromEntries(
      Object.entries(req.headersDistinct).map(([name, all]) => [name, (all ?? []).join(', ')])
    )
    const call = { method: req.method ?? '', url: req.url ?? '', headers, body }
    received.push(call)
    await behaviour(call, res)
  }

  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy())
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })

  return {
    url,
    chatBase: `${url}/v1`,
    received,
    lastBody: () => received.at(-1)?.body.toString('utf8') ?? '',
    get connections() {
      return connections
    },
    get abandoned() {
      return abandoned
    },
    behave(next) {
      behaviour = next
    },
    forget() {
      received.length = 0
    },
    async arrived(count) {
      await eventually(`${count} calls upstream`, () => (received.length >= count ? true : undefined))
    },
    async lost(count) {
      await eventually(`${count} callers gone`, () => (abandoned >= count ? true : undefined))
    },
    close,
    [Symbol.asyncDispose]: close
  }
}
