/** A TCP relay that forwards everything and keeps a copy: what an eavesdropper could have read. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface WireTap extends AsyncDisposable {
  /** Address of the server that clients should use. */
  readonly url: string
  /** All bytes so far, in both directions, as Latin-1. */
  said(): string
  told(): string
  forget(): void
}

/** Starts a tap in front of a server on the loopback address. */
export async function startWireTap(serverUrl: string): Promise<WireTap> {
  const port = Number(new URL(serverUrl).port)
  const sockets = new Set<Socket>()
  let up: Buffer[] = []
  let down: Buffer[] = []
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const [from, to, note] of [
      [client, upstream, (chunk: Buffer) => up.push(chunk)],
      [upstream, client, (chunk: Buffer) => down.push(chunk)]
    ] as const) {
      sockets.add(from)
      from.on('data', note)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said: () => Buffer.concat(up).toString('latin1'),
    told: () => Buffer.concat(down).toString('latin1'),
    forget() {
      up = []
      down = []
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
