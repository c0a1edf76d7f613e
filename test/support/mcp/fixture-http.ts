/** The fixture server on HTTP: with sessions for the revisions that have them, stateless for 2026-07-28. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler
} from '@modelcontextprotocol/node'
import { classifyInboundRequest, createMcpHandler, type EventStore, type McpServer } from '@modelcontextprotocol/server'
import { createFixture, type FixtureHooks } from './fixture-server.ts'

interface FixtureHttp extends AsyncDisposable {
  readonly url: string
  /** Requests so far, as method and headers. */
  readonly seen: { readonly method: string; readonly headers: IncomingMessage['headers']; readonly body: string }[]
  /** Tells all clients that the list of tools has changed. */
  tellToolsChanged(): Promise<void>
  /** Forgets all sessions, as a restarted server has. */
  forget(): void
}

/** @param options.retryMs after how long clients should resume a broken stream */
export async function startFixtureHttp(
  options: {
    readonly retryMs?: number
    readonly port?: number
    /** Creates the server of a session or a request, in place of the fixture. */
    readonly create?: (hooks: FixtureHooks) => McpServer
  } = {}
): Promise<FixtureHttp> {
  const { create = createFixture } = options
  const servers = new Set<McpServer>()
  const transports = new Map<string, NodeStreamableHTTPServerTransport>()
  const seen: { method: string; headers: IncomingMessage['headers']; body: string }[] = []
  const stateless = createMcpHandler(() =>
    create({
      changed: (list) => (list === 'tools' ? stateless.notify.toolsChanged() : stateless.notify.promptsChanged())
    })
  )
  const handleStateless = toNodeHandler(stateless)
  const isHostGood = localhostHostValidation()
  const isOriginGood = localhostOriginValidation()

  async function begin(): Promise<NodeStreamableHTTPServerTransport> {
    const server = create({
      closeStream: ({ sessionId = '', mcpReq }) => transports.get(sessionId)?.closeSSEStream(mcpReq.id)
    })
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      eventStore: createEvents(),
      retryInterval: options.retryMs ?? 500,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id)
    })
    await server.connect(transport)
    servers.add(server)
    return transport
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!isHostGood(req, res) || !isOriginGood(req, res)) return
    const text = await read(req)
    seen.push({ method: req.method ?? '', headers: req.headers, body: text })
    let body: unknown
    try {
      body = text === '' ? undefined : JSON.parse(text)
    } catch {
      return refuse(res, 400, -32_700, 'Parse error')
    }
    const header = (name: string) => req.headers[name] as string | undefined
    const version = header('mcp-protocol-version')
    const method = header('mcp-method')
    const { kind } = classifyInboundRequest({
      httpMethod: req.method ?? '',
      body,
      ...(version !== undefined && { protocolVersionHeader: version }),
      ...(method !== undefined && { mcpMethodHeader: method })
    })
    if (req.method === 'POST' && kind !== 'legacy') return handleStateless(req as never, res, body)
    const id = header('mcp-session-id')
    const isBeginning = id === undefined && (body as { method?: string } | undefined)?.method === 'initialize'
    const transport = isBeginning ? await begin() : transports.get(id ?? '')
    if (transport) await transport.handleRequest(req, res, body)
    else if (id === undefined) refuse(res, 400, -32_000, 'Bad Request: Session ID required')
    else refuse(res, 404, -32_001, 'Session not found')
  }

  const server = createServer((req, res) => void serve(req, res).catch(() => res.destroy()))
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    async tellToolsChanged() {
      stateless.notify.toolsChanged()
      await Promise.all([...servers].map((one) => one.server.sendToolListChanged()))
    },
    forget: () => transports.clear(),
    async [Symbol.asyncDispose]() {
      await stateless.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

function refuse(res: ServerResponse, status: number, code: number, message: string): void {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
}

async function read(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Keeps the events of one session in memory, so that its streams can be resumed. */
function createEvents(): EventStore {
  const events: { readonly id: string; readonly stream: string; readonly message: never }[] = []
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${events.length}`
      events.push({ id, stream, message: message as never })
      return id
    },
    async replayEventsAfter(lastId, { send }) {
      const from = events.findIndex(({ id }) => id === lastId)
      const stream = events[from]?.stream ?? ''
      for (const event of events.slice(from + 1))
        if (event.stream === stream && Object.keys(event.message).length > 0) await send(event.id, event.message)
      return stream
    }
  }
}
