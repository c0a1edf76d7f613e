/**
 * `node bench/stream.ts`: what relaying a stream costs. Sends 64 events at 20 ms through a bare proxy and through
 * Sluice, with restore off and on, in each dialect, in one run with the lanes in alternation; then 500 streams at once.
 * The proxies share one core; upstream and clients share another.
 *
 * `--short` only shows that everything works; `--json FILE` writes the figures.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { findCores, startChild } from './child.ts'
import { median } from './measure.ts'
import { printTable } from './one-core.ts'
import type { StreamsSeen, StreamsWanted } from './stream-load.ts'

const { values: options } = parseArgs({
  options: { short: { type: 'boolean', default: false }, json: { type: 'string' } }
})

const extent = options.short
  ? { events: 6, everyMs: 5, rounds: 1, firsts: 3, warming: 2, calls: 10, crowd: 20 }
  : { events: 64, everyMs: 20, rounds: 5, firsts: 40, warming: 100, calls: 3000, crowd: 500 }

/** V8 has compiled the code path of a call after some thousands of calls; that of an event runs 64 times per stream. */
const callsAtOnce = 20

/** A request with a sensitive value, so that there is something to restore. */
const question = `Write to ${['ana', 'corp.dev'].join('@')} and tell the rest.`
const messages = [{ role: 'user', content: question }]
const dialects = {
  'chat-completions': { path: '/chat/completions', body: { model: 'm', stream: true, messages } },
  messages: { path: '/messages', body: { model: 'm', max_tokens: 64, stream: true, messages } },
  responses: { path: '/responses', body: { model: 'm', stream: true, input: question } }
} as const
type Dialect = keyof typeof dialects

const laneNames = ['bare', 'restore off', 'restore on'] as const
type LaneName = (typeof laneNames)[number]

/** Figures of one lane in one dialect. */
export interface LaneFigures {
  readonly dialect: Dialect
  readonly lane: LaneName
  /** Medians, in milliseconds. */
  readonly firstMs: number
  readonly delayMs: number
  /** Added to the bare proxy's time. */
  readonly addedFirstMs: number
  readonly addedBetweenMs: number
  readonly lost: number
}

export interface CrowdFigures {
  readonly lane: LaneName
  readonly streams: number
  readonly events: number
  readonly lost: number
  readonly delayMs: number
}

const aims = { addedFirstMs: 0.3, addedBetweenMs: 0.1 }

interface Lane {
  readonly port: number
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
}
/** Reads a number of concurrent streams with a number of events each. */
type Read = (lane: Lane, dialect: Dialect, streams: number, events?: number) => Promise<StreamsSeen>

async function setUp(stack: AsyncDisposableStack): Promise<{ lanes: Record<LaneName, Lane>; read: Read }> {
  const cores = findCores()
  const [proxy, load] = 'unpinned' in cores ? [undefined, undefined] : [cores.proxy, cores.load]
  const start = async <Ready>(file: string, core: number | undefined, ...args: (string | number)[]) =>
    stack.use(await startChild<Ready>(file, { core, args: args.map(String) }))
  const upstream = await start<{ port: number }>('stream-upstream.ts', load, extent.events, extent.everyMs)
  const clients = await start('stream-load.ts', load)
  const { port } = upstream.ready
  const bare = await start<{ port: number }>('stream-bare.ts', proxy, port)
  const plain = { 'content-type': 'application/json' }
  const sluice = async (restore: string): Promise<Lane> => {
    const { ready } = await start<{ port: number; token: string }>('stream-sluice.ts', proxy, port, restore)
    const headers = { ...plain, authorization: `Bearer ${ready.token}` }
    return { port: ready.port, base: '/api/ingress/v1', headers }
  }
  const lanes = {
    bare: { port: bare.ready.port, base: '/v1', headers: plain },
    'restore off': await sluice('off'),
    'restore on': await sluice('on')
  }
  const read: Read = (lane, dialect, streams, events = extent.events) => {
    const { path, body } = dialects[dialect]
    const wanted: StreamsWanted = {
      port: lane.port,
      path: lane.base + path,
      headers: lane.headers,
      body: JSON.stringify({ ...body, metadata: { events: String(events) } }),
      streams,
      events
    }
    return clients.ask<StreamsSeen>('read', wanted)
  }
  return { lanes, read }
}

async function measureDialect(dialect: Dialect, lanes: Record<LaneName, Lane>, read: Read): Promise<LaneFigures[]> {
  const seen = new Map<LaneName, StreamsSeen[]>(laneNames.map((name) => [name, []]))
  for (const name of laneNames) {
    await read(lanes[name], dialect, extent.warming)
    for (let calls = 0; calls < extent.calls; calls += callsAtOnce) await read(lanes[name], dialect, callsAtOnce, 1)
  }
  for (let round = 0; round < extent.rounds; round++) {
    for (const name of laneNames) {
      const all = seen.get(name)
      all?.push(await read(lanes[name], dialect, 1))
      for (let i = 0; i < extent.firsts; i++) all?.push(await read(lanes[name], dialect, 1, 1))
    }
  }
  const figures = laneNames.map((lane) => {
    const all = seen.get(lane) ?? []
    const firstMs = median(all.flatMap((one) => one.firstMs))
    const delayMs = median(all.flatMap((one) => one.delayMs))
    return { dialect, lane, firstMs, delayMs, lost: all.reduce((sum, { lost }) => sum + lost, 0) }
  })
  const [bare] = figures
  if (bare === undefined) return []
  return figures.map((one) => ({
    ...one,
    addedFirstMs: one.firstMs - bare.firstMs,
    addedBetweenMs: one.delayMs - bare.delayMs
  }))
}

function report(figures: readonly LaneFigures[], crowds: readonly CrowdFigures[]): void {
  const ms = (value: number): string => value.toFixed(3)
  printTable([
    ['dialect, lane', 'first event ms', 'added', 'event ms', 'added', 'lost'],
    ...figures.map((one) => [
      `${one.dialect}, ${one.lane}`,
      ms(one.firstMs),
      one.lane === 'bare' ? '' : ms(one.addedFirstMs),
      ms(one.delayMs),
      one.lane === 'bare' ? '' : ms(one.addedBetweenMs),
      String(one.lost)
    ])
  ])
  printTable([
    ['at once', 'streams', 'events', 'lost', 'event ms'],
    ...crowds.map((one) => [one.lane, String(one.streams), String(one.events), String(one.lost), ms(one.delayMs)])
  ])
  if (options.short) return
  for (const [name, aimMs] of Object.entries(aims) as [keyof typeof aims, number][]) {
    const worst = Math.max(...figures.filter(({ lane }) => lane !== 'bare').map((one) => one[name]))
    const words = name === 'addedFirstMs' ? 'to the first event' : 'to each later event'
    console.log(`Added ${words}: ${ms(worst)} ms at worst, aim ${aimMs} ms: ${worst < aimMs ? 'met' : 'not met'}`)
  }
}

await using stack = new AsyncDisposableStack()
const { lanes, read } = await setUp(stack)
// The concurrent streams come first, so that what follows is measured on fully compiled processes.
const crowds: CrowdFigures[] = []
for (const lane of laneNames) {
  const { delayMs, lost } = await read(lanes[lane], 'messages', extent.crowd)
  crowds.push({ lane, streams: extent.crowd, events: extent.crowd * extent.events, lost, delayMs: median(delayMs) })
}
const figures: LaneFigures[] = []
for (const dialect of Object.keys(dialects) as Dialect[]) figures.push(...(await measureDialect(dialect, lanes, read)))
console.log(`Sluice stream bench${options.short ? ', short form: no verdicts' : ''}, Node ${process.version}\n`)
report(figures, crowds)
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ figures, crowds }, null, 2)}\n`)
