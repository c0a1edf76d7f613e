/** Builds an MCP proxy from its configuration, and shuts it down again. */
import type { Readable, Writable } from 'node:stream'
import type { Logger } from 'pino'
import type { McpProxyConfig } from '../../config/mcp-proxy.ts'
import type { Environment } from '../../config/reader.ts'
import { createUpstreamDispatcher } from '../../upstream/client.ts'
import type { Gate } from './gate-contract.ts'
import { startHttpFront } from './clients/http-front.ts'
import { identityOf, openerOf } from './servers/open-server.ts'
import { StdioRelay } from './clients/stdio-relay.ts'

interface McpProxyParts {
  /** Judges what passes; closed with the proxy. */
  readonly gate: Gate
  readonly log: Logger
  readonly env: Environment
  /** The client's pipes, unless the configuration says to listen. */
  readonly stdio: { readonly input: Readable; readonly output: Writable }
}

interface RunningMcpProxy {
  /** URLs for clients; none if the client is on stdio. */
  readonly urls: readonly string[]
  /** Resolves when the client on stdio has gone; never if the proxy listens. */
  readonly clientGone: Promise<void>
  /** Ends servers, streams and the gate. */
  close(): Promise<void>
}

/** @throws Error if it cannot listen */
export async function startMcpProxy(config: McpProxyConfig, parts: McpProxyParts): Promise<RunningMcpProxy> {
  const { gate, log, env, stdio } = parts
  for (const warning of config.warnings) log.warn(warning)
  await using undo = new AsyncDisposableStack()
  undo.defer(() => gate.close())
  const dispatcher = createUpstreamDispatcher(config)
  undo.defer(() => dispatcher.destroy())
  const serverParts = { config, dispatcher, env, log }
  const { listen, servers } = config
  let urls: readonly string[] = []
  let clientGone: Promise<void> = new Promise(() => undefined)
  const [server] = servers
  if (listen) {
    const front = await startHttpFront({ ...serverParts, config: { ...config, listen }, gate })
    undo.defer(() => front.close())
    urls = front.urls
  } else if (server) {
    const notify = (message: Uint8Array): void => relay.notify(message)
    const session = gate.open(identityOf(server), { transport: 'stdio', notify })
    const { messageBytesMax } = config.limits
    const relay: StdioRelay = new StdioRelay({
      ...stdio,
      session,
      open: openerOf(server, serverParts),
      messageBytesMax,
      log
    })
    undo.defer(() => relay.close(config.drainTimeoutMs))
    clientGone = relay.clientGone
  }
  const all = undo.move()
  let closing: Promise<void> | undefined
  return { urls, clientGone, close: () => (closing ??= all.disposeAsync()) }
}
