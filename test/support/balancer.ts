/** A minimal TCP load balancer: each connection goes to the next backend that accepts it. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Balancer extends AsyncDisposable {
  readonly url: string
}

/** @param backends base URLs, read again for each connection */
export async function startBalancer(backends: () => readonly string[]): Promise<Balancer> {
  let turn = 0
  const sockets = new Set<Socket>()

  /** Connects to the next backend that accepts a connection; undefined if none does. */
  async function reach(): Promise<Socket | undefined> {
    const urls = backends()
    for (let attempt = 0; attempt < urls.length; attempt++) {
      const { hostname, port } = new URL(urls[turn++ % urls.length] as string)
      const socket = connect(Number(port), hostname)
      try {
        await once(socket, 'connect')
        return socket
      } catch {
        socket.destroy()
      }
    }
    return undefined
  }

  async function relay(client: Socket): Promise<void> {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    const backend = await reach()
    if (!backend) {
      client.destroy()
      return
    }
    backend.on('error', () => {})
    backend.on('close', () => client.destroy())
    client.on('close', () => backend.destroy())
    if (client.destroyed) backend.destroy()
    else client.pipe(backend).pipe(client)
  }

  const server = createServer((client) => void relay(client))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    }
  }
}
