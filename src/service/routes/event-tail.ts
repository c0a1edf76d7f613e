/** `GET /api/events/tail`: events as they are recorded, by server-sent events. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../ingress/refused.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import type { Store } from '../../store/store.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { authenticate } from '../access.ts'
import { createArrivals, type Arrivals } from '../arrivals.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { Principal, TokenService } from '../tokens.ts'
import { answered } from './answered.ts'
import { eventBody, eventFilter, eventFilterRules, matches, visibleRows } from './event-query.ts'
import { readQuery } from './read-query.ts'

/** Streams that one process serves, and that one token may hold. */
const streamsMax = 100
const streamsPerTokenMax = 10
const pageRows = 500
const heartbeatMs = 15_000
/** How soon a stream ends whose service stops or whose token expires. */
const endCheckMs = 1000
/** A client that takes nothing for this long is let go; it comes back with `Last-Event-ID` and misses nothing. */
const drainTimeoutMs = 30_000

export interface TailDependencies {
  readonly tokens: TokenService
  readonly store: Store
  readonly lifecycle: Lifecycle
  readonly metrics: Pick<Metrics, 'set'>
}

export function registerEventTail(app: FastifyInstance, to: TailDependencies): void {
  const arrivals = createArrivals(to.store)
  const held = new Map<string, number>()
  let streams = 0
  const change = (by: 1 | -1): void => to.metrics.set('streams', (streams += by), { kind: 'tail' })
  app.get('/api/events/tail', async (request, reply) => {
    if (to.lifecycle.isDraining) throw new Refused('draining')
    const principal = await authenticate(to.tokens, request.headers, undefined)
    const filter = { ...visibleRows(principal), ...eventFilter(readQuery(eventFilterRules, request.query)) }
    const sequence = await startOf(request.headers['last-event-id'], principal, to.store)
    const own = held.get(principal.tokenId) ?? 0
    if (own >= streamsPerTokenMax) throw new Refused('too_many_streams')
    if (streams >= streamsMax) throw new Refused('overloaded')
    change(1)
    held.set(principal.tokenId, own + 1)
    reply.hijack()
    const res = reply.raw
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      [responseHeaders.requestId]: request.id
    })
    res.write('retry: 3000\n\n')
    const stopListening = to.tokens.onRevoked((tokenId) => {
      if (tokenId === principal.tokenId) res.destroy()
    })
    try {
      await follow(res, { ...to, arrivals }, principal, filter, sequence)
    } catch {
      // The store failed or the client went; either way the stream ends and a client that is there comes back.
    } finally {
      stopListening()
      res.destroy()
      change(-1)
      const left = (held.get(principal.tokenId) ?? 1) - 1
      if (left === 0) held.delete(principal.tokenId)
      else held.set(principal.tokenId, left)
    }
  })
}

/** After the event that the client had last, or from now on. */
async function startOf(lastEventId: string | string[] | undefined, { workspaceId }: Principal, store: Store) {
  if (typeof lastEventId === 'string' && /^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  return await answered(store.lastEventSequence(workspaceId))
}

/** Ends when the client goes, the service stops, or the token is good no more. */
async function follow(
  res: ServerResponse,
  to: TailDependencies & { readonly arrivals: Arrivals },
  { workspaceId, expiresAt }: Principal,
  filter: Parameters<typeof matches>[1],
  start: number
): Promise<void> {
  const isOver = (): boolean =>
    res.destroyed || to.lifecycle.isDraining || (expiresAt !== null && expiresAt <= Date.now())
  for (let sequence = start, sentAt = performance.now(); ;) {
    await to.arrivals.after(workspaceId, sequence, endCheckMs)
    if (isOver()) return
    const events = await to.store.eventsAfter({ workspaceId, sequence, limit: pageRows })
    sequence = events.at(-1)?.sequence ?? sequence
    const frames = events.filter((event) => matches(event, filter)).map(frame)
    const isQuiet = frames.length === 0
    if (isQuiet && performance.now() - sentAt < heartbeatMs) continue
    // The id moves on although nothing was sent, so that a client that comes back need not be shown it all again.
    await send(res, isQuiet ? `id: ${sequence}\n: still here\n\n` : frames.join(''))
    sentAt = performance.now()
  }
}

const frame = (event: Parameters<typeof eventBody>[0]): string =>
  `id: ${event.sequence}\nevent: workspace_event\ndata: ${JSON.stringify(eventBody(event))}\n\n`

async function send(res: ServerResponse, text: string): Promise<void> {
  if (res.write(text)) return
  await once(res, 'drain', { signal: AbortSignal.timeout(drainTimeoutMs) })
}
