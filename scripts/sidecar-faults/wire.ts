/** The connection between sidecar and service: it can fail like a network, and is monitored. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * `pass`: bytes pass. `slow`: each piece of an answer is delayed. `half_open`: connections are accepted and held, and
 * nothing passes. `garbage`: every connection gets nonsense.
 */
export type WireMode = 'pass' | 'slow' | 'half_open' | 'garbage'

interface Wire extends AsyncDisposable {
  readonly port: number
  mode: WireMode
  /** Bytes that the sidecar has sent so far, and how often they contained one of the needles. */
  readonly bytes: number
  readonly leaks: number
}

const lateMs = 700
/** Invalid answers: a broken line, an endless header, a frame of another protocol, a status line without an end. */
const garbage = [
  'HELLO 42\r\n\r\n',
  `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`,
  '\x16\x03\x01\x02\x00\x01\x00',
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"choices":[',
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: policy\ndata: {"revision":"9-0"}\n\n'
]

/**
 * Puts a monitored connection in front of a loopback port.
 * @param needles what must never occur on it
 */
export async function startWire(serverPort: number, needles: readonly string[]): Promise<Wire> {
  const sockets = new Set<Socket>()
  const longest = Math.max(...needles.map((needle) => needle.length))
  const wire = { mode: 'pass' as WireMode, bytes: 0, leaks: 0 }
  let connections = 0

  /** Searches the bytes; the end of one piece is examined again together with the next. */
  function reader(): (chunk: Buffer) => void {
    let end = ''
    return (chunk) => {
      wire.bytes += chunk.length
      const text = end + chunk.toString('latin1')
      wire.leaks += needles.filter((needle) => text.includes(needle)).length
      end = text.slice(-longest)
    }
  }

  const server = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    const number = connections++
    const read = reader()
    for (const [one, other] of [
      [client, server],
      [server, client]
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => {
      read(chunk)
      if (wire.mode === 'garbage') client.write(garbage[number % garbage.length] as string, () => client.end())
      else if (wire.mode !== 'half_open') server.write(chunk)
    })
    server.on('data', (chunk: Buffer) => {
      if (wire.mode === 'half_open' || wire.mode === 'garbage') return
      if (wire.mode === 'pass') client.write(chunk)
      else setTimeout(() => client.write(chunk), lateMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(wire, {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  })
}
