/**
 * `node bench/policy-stream.ts`: sends a policy of 5 kB to 1,000 and to 10,000 streams of one process, from Sluice's
 * hub, from a bare fan-out on Node's HTTP server and, where Debian's `libnginx-mod-nchan` is installed, from nchan.
 * They run in alternation, so that other work on the machine affects all of them. At the end every client reconnects at
 * once.
 *
 * `--short` only shows that everything works; `--json FILE` writes the figures; `--nginx DIR` names a folder into which
 * the packages were unpacked, where they are not installed (`/var/lib/nginx` has to exist).
 */
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { findCores, startChild, type Child } from './child.ts'
import type { Latency } from './measure.ts'
import { printTable } from './one-core.ts'
import type { Storm, Where } from './policy-stream-clients.ts'
import { isNchanThere, startNchan } from './policy-stream-nchan.ts'
import { judgeAims, rowsOf, type LaneFigures, type Memory, type ScaleFigures } from './policy-stream-report.ts'

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    json: { type: 'string' },
    nginx: { type: 'string', default: '/' }
  }
})

interface Extent {
  readonly streams: number
  readonly rounds: number
}

const extents: readonly Extent[] = options.short
  ? [{ streams: 300, rounds: 5 }]
  : [
      { streams: 1000, rounds: 60 },
      { streams: 10_000, rounds: 20 }
    ]

/** Streams opened and closed before memory is read, so that one-time allocations of a process are already made. */
const warmUpStreams = 500

const hasNchan = isNchanThere(options.nginx)
const cores = findCores()
const [serverCore, clientCore] = 'unpinned' in cores ? [undefined, undefined] : [cores.proxy, cores.load]

interface Lane {
  readonly name: string
  readonly port: number
  readonly path: string
  readonly clients: Child<unknown>
  publish(sequence: number): Promise<bigint>
  /** Absent where the server is not a child of this process. */
  readonly memory?: () => Promise<Memory>
}

async function startLanes(stack: AsyncDisposableStack): Promise<Lane[]> {
  const clients = async () => stack.use(await startChild<unknown>('policy-stream-clients.ts', { core: clientCore }))
  const node = async (name: 'hub' | 'bare'): Promise<Lane> => {
    const server = stack.use(
      await startChild<{ port: number }>('policy-stream-server.ts', { core: serverCore, args: [name] })
    )
    return {
      name,
      port: server.ready.port,
      path: '/',
      clients: await clients(),
      publish: (sequence) => server.ask('publish', sequence),
      memory: () => server.ask('memory')
    }
  }
  const lanes = [await node('bare'), await node('hub')]
  if (hasNchan) {
    const nchan = stack.use(await startNchan(options.nginx, serverCore))
    lanes.push({ name: 'nchan', clients: await clients(), ...nchan })
  }
  return lanes
}

async function measure({ streams, rounds }: Extent): Promise<ScaleFigures> {
  await using stack = new AsyncDisposableStack()
  const lanes = await startLanes(stack)
  const figures = new Map<string, { lastMs: number[]; halfMs: number[] } & Partial<LaneFigures>>()
  const where = (lane: Lane, count: number, sequence: number): Where => ({
    port: lane.port,
    path: lane.path,
    count,
    sequence
  })
  for (const lane of lanes) {
    await lane.clients.ask('open', where(lane, Math.min(warmUpStreams, streams), 1))
    await lane.clients.ask('close')
    const before = await lane.memory?.()
    await lane.clients.ask('open', where(lane, streams, 1))
    const after = await lane.memory?.()
    const bytes = before && after && perStream(before, after)
    figures.set(lane.name, { lastMs: [], halfMs: [], ...(bytes && { bytesPerStream: bytes }) })
  }
  for (let round = 0; round < rounds; round++) {
    for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) {
      const sequence = round + 2
      await lane.clients.ask('expect', sequence)
      const from = await lane.publish(sequence)
      const { p50Ms, maxMs } = await lane.clients.ask<Latency>('delivery', from)
      figures.get(lane.name)?.lastMs.push(maxMs)
      figures.get(lane.name)?.halfMs.push(p50Ms)
    }
  }
  const storms = new Map<string, Storm>()
  for (const lane of lanes) {
    storms.set(lane.name, await lane.clients.ask<Storm>('storm', where(lane, streams, rounds + 1)))
    await lane.clients.ask('close')
  }
  return {
    streams,
    lanes: [...figures].map(([name, lane]) => {
      const storm = storms.get(name)
      return { name, ...lane, ...(storm && { storm }) }
    })
  }
}

function perStream(before: Memory, after: Memory) {
  const streams = after.streams - before.streams
  return { rss: (after.rssBytes - before.rssBytes) / streams, heap: (after.heapBytes - before.heapBytes) / streams }
}

const place = serverCore === undefined ? 'not pinned' : `servers on core ${serverCore}, clients on core ${clientCore}`
console.log(`Policy stream bench${options.short ? ', short form: no verdicts' : ''}`)
console.log(`Node ${process.version}, ${availableParallelism()} cores, ${place}, policy of 5 kB`)
console.log(hasNchan ? '' : 'nchan is not here (Debian: libnginx-mod-nchan), so it is not compared.\n')
const scales: ScaleFigures[] = []
for (const extent of extents) {
  const scale = await measure(extent)
  scales.push(scale)
  printTable(rowsOf(scale))
}
const aims = options.short ? [] : judgeAims(scales)
for (const { says, measured, met } of aims) console.log(`${met ? 'met   ' : 'MISSED'}  ${says}: ${measured}`)
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ scales, aims }, null, 2)}\n`)
