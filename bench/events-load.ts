/** Sends events and model calls with a configurable number of clients, in a process of its own. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBody } from './bodies.ts'
import { latencyOf, type Latency } from './measure.ts'
import { makeRequest, openConnection, type Connection, type Target } from './raw-http.ts'
import { serveParent } from './serve-parent.ts'

interface Extent {
  readonly port: number
  readonly token: string
  readonly senders: number
  readonly durationMs: number
}

export interface Sent {
  readonly events: number
  /** Requests that were answered with 503 and sent again, under a steady load. */
  readonly refused: number
  readonly seconds: number
  readonly latency: Latency
}

const actions = ['mask', 'block', 'allow']
const tools = ['read_file', 'write_file', 'run_command', 'search']
const surfaces = ['claude-code', 'codex', 'cursor']

/** An event as an MCP proxy reports it. Ids differ, as in production, so that nothing gains from repeated events. */
export function eventText(n: number): string {
  return JSON.stringify({
    kind: 'tool_call_enforcement',
    platform: 'mcp-proxy',
    entitiesMasked: n % 4,
    riskTier: n % 4 === 0 ? 'none' : 'medium',
    action: actions[n % 3],
    clientSurface: surfaces[n % 3],
    modelProvider: 'anthropic',
    modelId: 'bench-model',
    mcpToolName: tools[n % 4],
    downstreamServer: 'docker',
    eventId: randomUUID(),
    requestId: randomUUID(),
    sensorId: `sensor-${n % 10}`,
    sensorVersion: '1.2.3',
    decisionMs: (n % 100) / 100
  })
}

const batchText = (size: number, n: number): string =>
  size === 1 ? eventText(n) : `[${Array.from({ length: size }, (_, i) => eventText(n + i)).join(',')}]`

async function withConnections<T>(
  port: number,
  count: number,
  work: (connection: Connection, index: number) => Promise<T>
): Promise<T[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(port)))
  try {
    return await Promise.all(connections.map(work))
  } finally {
    for (const connection of connections) connection.close()
  }
}

const targetOf = ({ port, token }: Extent, path: string): Target => ({
  name: 'Sluice',
  port,
  path,
  headers: { 'x-service-workspace-token': token }
})

const refusedPauseMs = 1000

/**
 * Closed loop: each sender posts its next request as soon as it has a response. With `pauseMs` it is a steady load
 * instead, whose senders retry after a 503.
 */
async function send(extent: Extent & { readonly size: number; readonly pauseMs?: number }): Promise<Sent> {
  const { port, senders, durationMs, size, pauseMs } = extent
  const target = targetOf(extent, '/api/events')
  const samplesMs: number[] = []
  let refused = 0
  const startedAt = performance.now()
  await withConnections(port, senders, async (connection, index) => {
    for (let n = index * 1000; performance.now() - startedAt < durationMs; n += size) {
      const request = makeRequest(target, Buffer.from(batchText(size, n)))
      const sentAt = performance.now()
      const { status } = await connection.send(request)
      if (status === 503 && pauseMs !== undefined) {
        refused++
        await sleep(refusedPauseMs)
        continue
      }
      if (status !== 202) throw new Error(`Events were answered ${status} instead of 202.`)
      samplesMs.push(performance.now() - sentAt)
      if (pauseMs !== undefined) await sleep(pauseMs)
    }
  })
  const seconds = (performance.now() - startedAt) / 1000
  return { events: samplesMs.length * size, refused, seconds, latency: latencyOf(samplesMs) }
}

/** Model calls, with a short pause between two calls of one client. */
async function call(extent: Extent): Promise<Latency> {
  const target = targetOf(extent, '/api/ingress/v1/chat/completions')
  const requests = Array.from({ length: 8 }, (_, seed) =>
    makeRequest(target, makeBody('chat-completions', 2000, seed).bytes)
  )
  const samplesMs: number[] = []
  const startedAt = performance.now()
  await withConnections(extent.port, extent.senders, async (connection, index) => {
    for (let n = index; performance.now() - startedAt < extent.durationMs; n++) {
      const sentAt = performance.now()
      const { status } = await connection.send(requests[n % requests.length] as Buffer)
      if (status !== 200) throw new Error(`A call was answered ${status} instead of 200.`)
      samplesMs.push(performance.now() - sentAt)
      await sleep(5)
    }
  })
  return latencyOf(samplesMs)
}

if (import.meta.main) serveParent({}, { send, call }, () => {})
