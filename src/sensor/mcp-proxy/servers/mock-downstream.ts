/**
 * The built-in mock server of `SERVICE_MCP_PROXY_MOCK=1`: an MCP server in this process, for both kinds of revision,
 * whose tools have no effects. It shows what a policy does before a real server is put behind the proxy.
 */
import type { Downstream, DownstreamEvents } from './downstream.ts'
import { version } from '../../../config/version.ts'
import { metaKeys, statelessRevision } from '../messages/protocol-names.ts'

const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const serverInfo = { name: 'sluice-mock', version: version() }

const text = { type: 'string' } as const
const schemaOf = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties)
})
const mockTools = [
  {
    name: 'echo',
    description: 'Answers the text that it is given.',
    inputSchema: schemaOf({ text }),
    annotations: { readOnlyHint: true, openWorldHint: false }
  },
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: schemaOf({ a: { type: 'number' }, b: { type: 'number' } }),
    annotations: { readOnlyHint: true, openWorldHint: false }
  },
  {
    name: 'delete_file',
    description: 'Says that it has deleted a file, and deletes nothing.',
    inputSchema: schemaOf({ path: text }),
    annotations: { destructiveHint: true, openWorldHint: false }
  }
]

interface MockRequest {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: {
    readonly name?: unknown
    readonly arguments?: Readonly<Record<string, unknown>>
    readonly protocolVersion?: unknown
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

type Outcome =
  | { readonly result: object }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: object } }

const failed = (code: number, message: string): Outcome => ({ error: { code, message } })
const said = (value: string): object => ({ content: [{ type: 'text', text: value }] })

function call({ name, arguments: given = {} }: NonNullable<MockRequest['params']>): Outcome {
  const { text: words, a, b, path } = given
  if (name === 'echo' && typeof words === 'string') return { result: said(words) }
  if (name === 'add' && typeof a === 'number' && typeof b === 'number') return { result: said(String(a + b)) }
  if (name === 'delete_file' && typeof path === 'string') return { result: said('Deleted (not really).') }
  const isKnown = mockTools.some((tool) => tool.name === name)
  if (!isKnown) return failed(-32_602, 'Unknown tool')
  return { result: { ...said('The arguments do not fit the schema of the tool.'), isError: true } }
}

function answer({ method, params = {} }: MockRequest): Outcome {
  const asked = params._meta?.[metaKeys.version]
  const isModern = asked !== undefined || method === 'server/discover'
  if (asked !== undefined && asked !== statelessRevision) {
    const data = { supported: [statelessRevision, ...legacyVersions], requested: asked }
    return { error: { code: -32_022, message: 'Unsupported protocol version', data } }
  }
  const complete = isModern ? { resultType: 'complete' } : {}
  const cached = isModern ? { ttlMs: 0, cacheScope: 'public' } : {}
  switch (method) {
    case 'initialize': {
      const protocolVersion = legacyVersions.find((one) => one === params.protocolVersion) ?? legacyVersions[0]
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
    }
    case 'server/discover': {
      const supportedVersions = [statelessRevision]
      const _meta = { [metaKeys.serverInfo]: serverInfo }
      return { result: { ...complete, ...cached, supportedVersions, capabilities: { tools: {} }, _meta } }
    }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { ...complete, ...cached, tools: mockTools } }
    case 'tools/call': {
      const outcome = call(params)
      return 'result' in outcome ? { result: { ...complete, ...outcome.result } } : outcome
    }
    default:
      return failed(-32_601, 'Method not found')
  }
}

/** A separate mock server for one client. */
export function openMock(events: DownstreamEvents): Downstream {
  let isClosed = false
  return {
    isFull: false,
    openRequests: 0,
    send(message) {
      const request = parse(message)
      if (request?.id === undefined || request.method === undefined) return
      const reply = { jsonrpc: '2.0', id: request.id, ...answer(request) }
      // A server never answers before its caller has returned to the event loop.
      queueMicrotask(() => {
        if (!isClosed) void events.onMessage(Buffer.from(JSON.stringify(reply)))
      })
    },
    async close() {
      isClosed = true
    }
  }
}

function parse(message: Uint8Array): MockRequest | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(message).toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
