/**
 * A proxy that leads nowhere: whatever a client tries to reach other than Sluice fails, and the host name is recorded.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface DeadEnd extends AsyncDisposable {
  readonly url: string
  /** Hosts that a client tried to reach, each once. */
  readonly tried: ReadonlySet<string>
}

export async function startDeadEnd(): Promise<DeadEnd> {
  const tried = new Set<string>()
  const server = createServer((req, res) => {
    tried.add(URL.parse(req.url ?? '')?.host ?? 'unknown')
    res.writeHead(502, { connection: 'close' }).end()
  })
  server.on('connect', (req, socket) => {
    tried.add((req.url ?? 'unknown').replace(/:443$/, ''))
    socket.on('error', () => {})
    socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tried,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
