/** Listens on one port of several addresses, on a Unix socket, or on both. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { takeExpectations } from '../../ingress/body/expectation.ts'
import { lastBytesMs } from '../../ingress/client.ts'
import { inTurn } from '../../ingress/in-turn.ts'
import { answerUnread, noteAnswer, refuseUnclearHost, unrefused } from '../../ingress/refusal/unread-request.ts'
import { listenOnSocket, type SocketOptions } from './socket.ts'

/** @param isLocal whether the request came over the Unix socket, which no web page and no other machine can use */
export type Handler = (req: IncomingMessage, res: ServerResponse, isLocal: boolean) => void

export interface Listener {
  /** Undefined if no address is listened on. */
  readonly port: number | undefined
  /** Addresses that are listened on. */
  readonly hosts: readonly string[]
  /**
   * Accepts nothing more, waits for calls in progress, and cuts those that take too long.
   * @param endCalls called before connections are cut; what it lets them write still leaves
   * @returns how many connections were cut
   */
  close(drainTimeoutMs: number, endCalls?: () => void): Promise<number>
}

interface ListenOptions {
  readonly hosts: readonly string[]
  /** 0 for any free port, the same on every address. */
  readonly port: number
  readonly socket?: SocketOptions | undefined
  /** The longest time that a request may take to arrive. */
  readonly requestTimeoutMs: number
  /** Called with each server that is created. */
  readonly onServer?: (server: Server) => void
}

const headerBytesMax = 65_536
/** Longer than clients keep idle connections, so that the client is always the one to close them. */
const keepAliveTimeoutMs = 75_000
const idleCheckMs = 50
/** A machine without IPv6 has no `::1`. */
const absentCodes = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']
/** How often a port is chosen: one that is free at the first address may be taken at the next. */
const choicesMax = 5

/**
 * @throws the system's error for an address; one that this machine does not have is skipped unless it is the only one
 */
export async function listen(handle: Handler, options: ListenOptions): Promise<Listener> {
  const servers: Server[] = []
  const { requestTimeoutMs: requestTimeout, socket } = options
  const settings = { ...unrefused, requestTimeout, maxHeaderSize: headerBytesMax, keepAliveTimeout: keepAliveTimeoutMs }
  const create = (isLocal: boolean): Server => {
    const listener = inTurn((req, res) => {
      noteAnswer(req, res)
      if (!refuseUnclearHost(req, res)) handle(req, res, isLocal)
    })
    const server = createServer(settings, listener).on('clientError', answerUnread)
    takeExpectations(server, listener)
    options.onServer?.(server)
    return server
  }
  try {
    const { hosts, port } = await listenOnChosen(() => create(false), options, servers)
    if (socket) {
      const server = create(true)
      await listenOnSocket(server, socket)
      servers.push(server)
    }
    return {
      port,
      hosts,
      async close(drainTimeoutMs, endCalls) {
        const cut = await Promise.all(servers.map((server) => closed(server, drainTimeoutMs, endCalls)))
        return cut.reduce((sum, count) => sum + count, 0)
      }
    }
  } catch (error) {
    await Promise.all(servers.map((server) => closed(server, 0)))
    throw error
  }
}

/** If the system chooses the port, it is chosen again while another process has it at one of the addresses. */
async function listenOnChosen(
  create: () => Server,
  options: Pick<ListenOptions, 'hosts' | 'port'>,
  servers: Server[]
): ReturnType<typeof listenOnHosts> {
  for (let choice = 1; ; choice++) {
    try {
      return await listenOnHosts(create, options, servers)
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || options.port !== 0 || choice === choicesMax) throw error
      await Promise.all(servers.splice(0).map((server) => closed(server, 0)))
    }
  }
}

async function listenOnHosts(
  create: () => Server,
  options: Pick<ListenOptions, 'hosts' | 'port'>,
  servers: Server[]
): Promise<{ readonly hosts: readonly string[]; readonly port: number | undefined }> {
  const hosts: string[] = []
  let { port } = options
  let absent: Error | undefined
  for (const host of options.hosts) {
    const server = create()
    try {
      await opened(server, host, port)
    } catch (error) {
      absent = error as Error
      if (absentCodes.includes((error as NodeJS.ErrnoException).code ?? '')) continue
      throw error
    }
    port = (server.address() as AddressInfo).port
    servers.push(server)
    hosts.push(host)
  }
  if (hosts.length === 0 && absent !== undefined) throw absent
  return { hosts, port: hosts.length === 0 ? undefined : port }
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

function closed(server: Server, drainTimeoutMs: number, endCalls?: () => void): Promise<number> {
  return new Promise((resolve) => {
    let cut = 0
    const cutAll = (): void => {
      server.getConnections((_error, count) => {
        cut = count
        server.closeAllConnections()
      })
    }
    const end = (): void => {
      endCalls?.()
      timer = setTimeout(cutAll, lastBytesMs)
    }
    let timer = setTimeout(endCalls ? end : cutAll, drainTimeoutMs)
    // A keep-alive connection becomes idle when its call ends, and nobody else would close it then.
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(idle)
      resolve(cut)
    })
  })
}
