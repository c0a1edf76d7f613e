/** Listens on one port of several addresses. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listener {
  readonly port: number
  /** Addresses that are listened on. */
  readonly hosts: readonly string[]
  /** Takes no more, waits for calls under way, and cuts those that last longer. @returns how many connections were cut */
  close(drainTimeoutMs: number): Promise<number>
}

export interface ListenOptions {
  readonly hosts: readonly string[]
  /** 0 for any free port, the same on every address. */
  readonly port: number
  /** The longest that a request may take to arrive. */
  readonly requestTimeoutMs: number
}

const headerBytesMax = 65_536
/** Longer than clients keep idle connections, so that it is never we who close one first. */
const keepAliveTimeoutMs = 75_000
const idleCheckMs = 50
/** A machine without IPv6 has no `::1`. */
const absentCodes = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** @throws what the system says of an address; one that this machine does not have is left out unless it is the only one */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<Listener> {
  const servers: { readonly host: string; readonly server: Server }[] = []
  let { port } = options
  let absent: unknown
  for (const host of options.hosts) {
    const { requestTimeoutMs: requestTimeout } = options
    const settings = { requestTimeout, maxHeaderSize: headerBytesMax, keepAliveTimeout: keepAliveTimeoutMs }
    const server = createServer(settings, handle)
    try {
      await opened(server, host, port)
    } catch (error) {
      absent = error
      if (absentCodes.includes((error as NodeJS.ErrnoException).code ?? '')) continue
      await Promise.all(servers.map((one) => closed(one.server, 0)))
      throw error
    }
    port = (server.address() as AddressInfo).port
    servers.push({ host, server })
  }
  if (servers.length === 0) throw absent
  return {
    port,
    hosts: servers.map(({ host }) => host),
    async close(drainTimeoutMs) {
      const cut = await Promise.all(servers.map(({ server }) => closed(server, drainTimeoutMs)))
      return cut.reduce((sum, count) => sum + count, 0)
    }
  }
}

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Server, drainTimeoutMs: number): Promise<number> {
  return new Promise((resolve) => {
    let cut = 0
    const timer = setTimeout(() => {
      server.getConnections((_error, count) => {
        cut = count
        server.closeAllConnections()
      })
    }, drainTimeoutMs)
    // A connection that is kept alive becomes idle when its call ends, and nobody else would close it then.
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(idle)
      resolve(cut)
    })
  })
}
