/**
 * A proxy with its gate connected to a real service, the events that the service received from it, and clients of both
 * SDKs.
 */
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import type { McpProxyWords } from '../../../src/config/mcp-servers.ts'
import type { StoredEvent } from '../../../src/store/store.ts'
import { storedEvents } from '../events.ts'
import { eventually } from '../eventually.ts'
import type { Draft } from '../policy-api.ts'
import { startGatedRelay, type GatedRelay } from './gated-relay.ts'

interface GatedProxy extends AsyncDisposable {
  readonly url: string
  /** The revision that the gate enforces. */
  readonly revision: string | undefined
  /** Publishes, and waits until the gate enforces it. */
  publish(draft: Draft): Promise<void>
  /** Decisions about calls at the service, oldest first, once there are at least this many. */
  decisions(count: number): Promise<Readonly<Record<string, unknown>>[]>
  /** All events of one kind from the proxy, oldest first, once there are at least this many. */
  eventsOf(kind: string, count: number): Promise<StoredEvent[]>
}

/** @param words without `listen`, which is added: clients connect over HTTP */
export async function startGated(words: McpProxyWords, draft: Draft): Promise<GatedProxy> {
  const env = { SERVICE_DOWNSTREAM_SERVER: 'docker' }
  const relay: GatedRelay = await startGatedRelay({ ...words, listen: '0' }, { draft, env })
  await relay.gate.policy.ready()
  const eventsOf: GatedProxy['eventsOf'] = async (kind, count) => {
    const enough = async () => {
      const events = await storedEvents(relay.service, { kind, origin: 'sensor' })
      return events.length >= count ? events.toReversed() : undefined
    }
    return await eventually(`${count} events of kind ${kind}`, enough)
  }
  return {
    url: relay.url,
    get revision() {
      return relay.gate.policy.policy?.frame.revision
    },
    eventsOf,
    async publish(next) {
      const revision = await relay.policy.publish(next)
      await eventually('the new policy', () => relay.gate.policy.policy?.frame.revision === revision || undefined)
    },
    async decisions(count) {
      const events = await eventsOf('tool_call_enforcement', count)
      return events.map(({ sensorMetadata }) => sensorMetadata)
    },
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose]()
  }
}

/** How a client answers elicitations, and what it reports. */
interface ClientWish {
  /** Answer to elicitations; without one the client does not support them. */
  readonly answer?: 'accept' | 'decline'
  /** Called with each elicitation. */
  readonly onQuestion?: (message: string) => void
  /** Called each time that the list of tools has changed. */
  readonly onListChanged?: () => void
}

/** What both SDKs offer, as far as these tests need it. */
export interface ToolClient extends AsyncDisposable {
  names(): Promise<string[]>
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>
}

interface ToolResult {
  readonly text: string
  readonly isError: boolean
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

interface RawResult {
  readonly content?: readonly { readonly text?: string }[]
  readonly isError?: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

function resultOf(raw: unknown): ToolResult {
  const { content = [], isError = false, _meta: meta } = raw as RawResult
  return { text: content.map(({ text }) => text ?? '').join('\n'), isError, meta }
}

const info = { name: 'test', version: '1.0.0' }

const news = ({ onListChanged }: ClientWish) =>
  onListChanged && { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => onListChanged() } } }

const said = ({ answer = 'decline' }: ClientWish) => ({ action: answer, ...(answer === 'accept' && { content: {} }) })

/** The first generation of the SDK: revision 2025-11-25, with sessions. */
export async function connectV1(url: string, wish: ClientWish = {}): Promise<ToolClient> {
  const client = new ClientV1(info, {
    capabilities: wish.answer === undefined ? {} : { elicitation: {} },
    ...news(wish)
  })
  if (wish.answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      wish.onQuestion?.(params.message)
      return said(wish)
    })
  await client.connect(new TransportV1(new URL(url)))
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: args })),
    [Symbol.asyncDispose]: () => client.close()
  }
}

/** The second generation: revision 2026-07-28, without sessions. */
export async function connectV2(url: string, wish: ClientWish = {}): Promise<ToolClient> {
  const client = new ClientV2(info, {
    capabilities: wish.answer === undefined ? {} : { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    ...news(wish)
  })
  if (wish.answer !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      wish.onQuestion?.(params.message)
      return said(wish)
    })
  await client.connect(new TransportV2(new URL(url)))
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: args })),
    [Symbol.asyncDispose]: () => client.close()
  }
}
