/** A TCP relay that fails the way networks do, between a real client and a real server. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * `pass`: bytes pass. `blackhole`: connections are accepted and no byte passes, in either direction. `bytewise`: bytes
 * pass one by one.
 */
type RelayMode = 'pass' | 'blackhole' | 'bytewise'

export interface TcpRelay extends AsyncDisposable {
  readonly port: number
  /** Applies to every connection, including open ones. */
  mode: RelayMode
  /** Connections accepted so far. */
  readonly connections: () => number
  /** Resets every client's connection (RST). */
  reset(): void
  /** Drops the server side and leaves the client with a connection on which nothing will ever arrive. */
  halfOpen(): void
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  isDead: boolean
}

/**
 * Starts a relay on the loopback address.
 * @param target returns the port of the server, called for each connection
 */
export async function startTcpRelay(target: () => number): Promise<TcpRelay> {
  const pairs = new Set<Pair>()
  let connections = 0

  function pass(from: Socket, to: Socket, pair: Pair): void {
    from.on('data', (chunk: Buffer) => {
      if (relay.mode === 'blackhole' || pair.isDead) return
      if (relay.mode === 'pass') to.write(chunk)
      else trickle(chunk, to)
    })
    from.on('error', () => {})
    from.on('end', () => {
      if (!pair.isDead && relay.mode !== 'blackhole') to.end()
    })
  }

  const server = createServer((client) => {
    connections++
    const pair: Pair = { client, server: connect(target(), '127.0.0.1'), isDead: false }
    client.setNoDelay(true)
    pairs.add(pair)
    client.on('close', () => {
      pairs.delete(pair)
      pair.server.destroy()
    })
    pair.server.on('close', () => {
      if (!pair.isDead && relay.mode !== 'blackhole') client.end()
    })
    pass(client, pair.server, pair)
    pass(pair.server, client, pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relay: TcpRelay = {
    port: (server.address() as AddressInfo).port,
    mode: 'pass',
    connections: () => connections,
    reset() {
      for (const { client } of pairs) client.resetAndDestroy()
    },
    halfOpen() {
      for (const pair of pairs) {
        pair.isDead = true
        pair.server.destroy()
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { client, server: upstream } of pairs) {
        client.destroy()
        upstream.destroy()
      }
      await new Promise((resolve) => server.close(resolve))
    }
  }
  return relay
}

const turns = new WeakMap<Socket, Promise<void>>()

/** Writes each byte in a separate turn of the event loop, in order over all chunks. */
function trickle(chunk: Buffer, to: Socket): void {
  const before = turns.get(to)
  const write = async (): Promise<void> => {
    await before
    for (const byte of chunk) {
      if (to.destroyed) return
      to.write(Uint8Array.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  turns.set(to, write())
}
