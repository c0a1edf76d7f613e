/** `GET /api/events/tail`: events as they are recorded, as server-sent events. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../ingress/refusal/refused.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { jsonLine } from '../../protocol/json-line.ts'
import type { Store } from '../../store/store.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { callerOf, isStillGood, type Access, type Caller } from '../access.ts'
import { withoutHead } from '../app.ts'
import { createArrivals, type Arrivals } from '../readings/arrivals.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { answered } from './answered.ts'
import { eventBody, eventFilter, eventFilterRules, matches, visibleRows } from './event-query.ts'
import { readQuery } from './read-query.ts'
import { createStreamPlaces } from './stream-places.ts'

/** Streams per process, and per token. */
const streamsMax = 100
const streamsPerTokenMax = 10
const pageRows = 500
const heartbeatMs = 15_000
/** How soon a stream ends when the service stops, its token expires, or its session ends. */
const endCheckMs = 1000
/** A client that reads nothing for this long is disconnected; it reconnects with `Last-Event-ID` and misses nothing. */
const drainTimeoutMsDefault = 30_000

export interface TailDependencies {
  readonly access: Access
  readonly store: Store
  readonly lifecycle: Lifecycle
  readonly metrics: Pick<Metrics, 'set'>
  readonly drainTimeoutMs?: number
}

export function registerEventTail(app: FastifyInstance, to: TailDependencies): void {
  const arrivals = createArrivals(to.store)
  const places = createStreamPlaces(streamsMax, streamsPerTokenMax)
  const showTaken = (): void => to.metrics.set('streams', places.taken, { kind: 'tail' })
  app.get('/api/events/tail', withoutHead, async (request, reply) => {
    if (to.lifecycle.isDraining) throw new Refused('draining')
    const caller = await callerOf(to.access, request)
    const filter = { ...visibleRows(caller), ...eventFilter(readQuery(eventFilterRules, request.query)) }
    const sequence = await startOf(request.headers['last-event-id'], caller, to.store)
    const giveBack = places.take(caller.key)
    showTaken()
    reply.hijack()
    const res = reply.raw
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      [responseHeaders.requestId]: request.id
    })
    res.write('retry: 3000\n\n')
    const stopListening = to.access.tokens.onRevoked((tokenId) => {
      if (tokenId === caller.tokenId) res.destroy()
    })
    try {
      await follow(res, { ...to, arrivals }, caller, filter, sequence)
    } catch {
      // The store failed or the client left; either way the stream ends, and a client that is still there reconnects.
    } finally {
      stopListening()
      res.destroy()
      giveBack()
      showTaken()
    }
  })
}

/** Starts after the client's last event, or now. */
async function startOf(lastEventId: string | string[] | undefined, { workspaceId }: Caller, store: Store) {
  const last = await answered(store.lastEventSequence(workspaceId))
  // A client may know events that a restored store does not have; it continues from the last one there is.
  return typeof lastEventId === 'string' && /^\d{1,15}$/.test(lastEventId) ? Math.min(Number(lastEventId), last) : last
}

/** Ends when the client leaves, the service stops, or the token or session is no longer valid. */
async function follow(
  res: ServerResponse,
  to: TailDependencies & { readonly arrivals: Arrivals },
  caller: Caller,
  filter: Parameters<typeof matches>[1],
  start: number
): Promise<void> {
  const { workspaceId } = caller
  const { drainTimeoutMs = drainTimeoutMsDefault } = to
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const isOver = async (): Promise<boolean> =>
    res.destroyed || to.lifecycle.isDraining || !(await isStillGood(to.access, caller))
  for (let sequence = start, sentAt = performance.now(); ;) {
    await to.arrivals.after(workspaceId, sequence, endCheckMs)
    if (await isOver()) return
    const events = await to.store.eventsAfter({ workspaceId, sequence, limit: pageRows })
    sequence = events.at(-1)?.sequence ?? sequence
    const frames = events.filter((event) => matches(event, filter)).map(frame)
    const isQuiet = frames.length === 0
    if (isQuiet && performance.now() - sentAt < heartbeatMs) continue
    // The id advances although nothing was sent, so that a client that reconnects need not be sent everything again.
    const text = isQuiet ? `id: ${sequence}\n: still here\n\n` : frames.join('')
    // A client that has left will never read.
    if (!res.write(text))
      await once(res, 'drain', { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(drainTimeoutMs)]) })
    sentAt = performance.now()
  }
}

const frame = (event: Parameters<typeof eventBody>[0]): string =>
  `id: ${event.sequence}\nevent: workspace_event\ndata: ${jsonLine(eventBody(event))}\n\n`
