/** The listener for HTTP clients: who may use it, and which server a path belongs to. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { listenFault } from '../../../config/listen-fault.ts'
import type { McpProxyConfig } from '../../../config/mcp-proxy.ts'
import type { McpServer } from '../../../config/mcp-servers.ts'
import { createByteBudget } from '../../../ingress/body/byte-budget.ts'
import { errorFrames, errorName } from '../../../telemetry/error-frames.ts'
import { listen } from '../../sidecar/listener.ts'
import type { Gate } from '../gate-contract.ts'
import { accessProblem } from './http-access.ts'
import { HttpBridge } from './http-bridge.ts'
import { HttpForward } from './http-forward.ts'
import { metadataPath } from './login-metadata.ts'
import { refuse, serveEndpoint, type McpEndpoint } from './mcp-endpoint.ts'
import { identityOf, openerOf, type ServerParts } from '../servers/open-server.ts'

interface HttpFrontParts extends ServerParts {
  readonly config: McpProxyConfig & { readonly listen: NonNullable<McpProxyConfig['listen']> }
  readonly gate: Gate
  readonly dispatcher: Dispatcher
}

interface HttpFront {
  readonly port: number
  /** URL of each server, in the order of the configuration. */
  readonly urls: readonly string[]
  close(): Promise<void>
}

const uploadTimeoutMs = 120_000
const requestGraceMs = 30_000

/** The path of a server: `/mcp`, or `/<name>/mcp` if there are several. */
function pathOf({ name }: McpServer, servers: readonly McpServer[]): string {
  return servers.length === 1 ? '/mcp' : `/${name}/mcp`
}

/** @throws Error if it cannot listen */
export async function startHttpFront(parts: HttpFrontParts): Promise<HttpFront> {
  const { config, log } = parts
  const { servers, limits } = config
  const endpoints = new Map(servers.map((server) => [pathOf(server, servers), endpointOf(server, parts)]))
  const logins = new Map(
    [...endpoints].flatMap(([path, { login }]) => {
      const paths = servers.length === 1 ? [metadataPath, metadataPath + path] : [metadataPath + path]
      return login === undefined ? [] : paths.map((one) => [one, login] as const)
    })
  )
  const { messageBytesMax, bytesInFlightMax } = limits
  const bounds = {
    limits: { bodyBytesMax: messageBytesMax, inflatedBytesMax: messageBytesMax, uploadTimeoutMs },
    budget: createByteBudget(bytesInFlightMax)
  }
  const state = { port: 0, isDraining: false }

  function serve(req: IncomingMessage, res: ServerResponse): void {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    const problem = accessProblem(req, { port: state.port, knownHosts: config.listen.knownHosts })
    const endpoint = endpoints.get(path)
    const login = logins.get(path)
    const refused = (status: number, name: string, message: string): void => refuse(res, status, name, message)
    if (problem !== undefined) return refused(403, 'access_refused', problem)
    if (login !== undefined && !state.isDraining) {
      if (req.method !== 'GET')
        return refuse(res, 405, 'method_not_allowed', 'This address takes GET.', { allow: 'GET' })
      req.resume()
      void login.serve(req, res)
      return
    }
    if (endpoint === undefined)
      return refused(404, 'not_found', `No MCP server is served here, but at ${[...endpoints.keys()].join(', ')}.`)
    if (state.isDraining) return refused(503, 'draining', 'The proxy is stopping.')
    serveEndpoint(req, res, endpoint, bounds).catch((error: unknown) => {
      log.error({ error: errorName(error), frames: errorFrames(error) }, 'a request failed')
      if (res.headersSent) res.destroy()
      else refuse(res, 500, 'internal_error', 'The proxy failed on this request.')
    })
  }

  const listener = await listen(serve, {
    hosts: config.listen.hosts,
    port: config.listen.port,
    requestTimeoutMs: uploadTimeoutMs + requestGraceMs
  }).catch((error: unknown) => {
    throw listenFault(error, 'LISTEN_HOST', '--listen')
  })
  const { port = config.listen.port } = listener
  state.port = port
  return {
    port,
    urls: [...endpoints.keys()].map((path) => `http://localhost:${port}${path}`),
    async close() {
      state.isDraining = true
      // Streams never end by themselves, so the endpoints end them while the listener waits, and a little longer for
      // what they answer to calls that took too long.
      await Promise.all([
        listener.close(config.drainTimeoutMs, () => undefined),
        ...[...endpoints.values()].map((endpoint) => endpoint.close(config.drainTimeoutMs))
      ])
    }
  }
}

function endpointOf(server: McpServer, parts: HttpFrontParts): McpEndpoint {
  const { config, gate, dispatcher, log } = parts
  const { messageBytesMax, requestTimeoutMs, sessionsMax, sessionIdleMs } = config.limits
  if (server.url === undefined) {
    const open = openerOf(server, parts)
    return new HttpBridge({ identity: identityOf(server), gate, open, sessionsMax, sessionIdleMs, log })
  }
  return new HttpForward({
    url: server.url,
    headers: server.headers ?? {},
    ...(server.name !== undefined && { name: server.name }),
    path: pathOf(server, config.servers),
    gate,
    dispatcher,
    messageBytesMax,
    requestTimeoutMs,
    log
  })
}
