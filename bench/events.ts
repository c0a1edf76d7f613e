/**
 * `npm run bench:events`: the rate of `POST /api/events` compared with the bare engine's own batched insert in the same
 * run, on both engines, and the effect on concurrent model calls.
 *
 * `--short` only shows that everything works; `--engine sqlite|postgres` measures one; `--json FILE` writes the
 * figures; `--soak` sends for ten minutes (`--minutes N`) and prints the memory of the service.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sharedPostgres } from '../test/support/postgres.ts'
import { startChild, type Child } from './child.ts'
import type { Sent } from './events-load.ts'
import { judgeEvents, renderEvents, type EngineFigures } from './events-report.ts'
import { runSoak } from './events-soak.ts'
import { median, type Latency } from './measure.ts'

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    engine: { type: 'string' },
    json: { type: 'string' }
  }
})

const batchSize = 200
const batchSenders = 8
const singleSenders = 64
const callers = 16
const upstreamMs = 200
const extent = options.short
  ? { rounds: 1, durationMs: 1000, callMs: 2000 }
  : { rounds: 5, durationMs: 4000, callMs: 10_000 }

/** Seconds to measure one engine, including its start and the warm-up. */
const secondsOfEngine = Math.ceil((extent.durationMs * (0.5 + 3 * extent.rounds) + 2 * extent.callMs) / 1000) + 5

const engines = ['sqlite', 'postgres'] as const
type Engine = (typeof engines)[number]

/** A stalled machine must not hang the benchmark: a step may take three times as long as planned. */
async function inTime<T>(step: string, durationMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const boundMs = 3 * durationMs + 30_000
    timer = setTimeout(() => reject(new Error(`${step} took longer than ${boundMs / 1000} s.`)), boundMs)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Everything that is needed to measure one engine. */
export interface Stage {
  readonly bare: Child<unknown>
  readonly load: Child<unknown>
  readonly callers: Child<unknown>
  readonly service: Child<{ readonly port: number; readonly token: string }>
  /** What the bare engine writes to. */
  readonly ground: { readonly folder: string } | { readonly url: string }
}

async function setUp(engine: Engine, stack: AsyncDisposableStack): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const start = async <Ready>(
    file: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
    nodeArgs: readonly string[] = []
  ) => stack.use(await startChild<Ready>(file, { core: undefined, args, env, nodeArgs }))
  const server = engine === 'postgres' ? await sharedPostgres() : undefined
  const url = await server?.newDatabase()
  const env = {
    SERVICE_MASTER_KEY: randomBytes(32).toString('hex'),
    ...(url === undefined ? {} : { DATABASE_URL: url })
  }
  const upstream: Child<{ port: number }> = await start('events-upstream.ts', [String(upstreamMs)])
  return {
    bare: await start('events-bare.ts'),
    load: await start('events-load.ts'),
    callers: await start('events-load.ts'),
    service: await start(
      'events-service.ts',
      [folder, String(upstream.ready.port)],
      env,
      options.soak ? ['--expose-gc'] : []
    ),
    ground: server ? { url: await server.newDatabase() } : { folder }
  }
}

const rate = ({ events, seconds }: Sent): number => events / seconds

async function measure(engine: Engine, { bare, load, callers: calls, service, ground }: Stage): Promise<EngineFigures> {
  const { durationMs, callMs, rounds } = extent
  const to = service.ready
  const singles = { ...to, senders: singleSenders, size: 1 }
  const batches = { ...to, senders: batchSenders, size: batchSize }
  // The first requests pay for compilation on first use.
  await load.ask<Sent>('send', { ...batches, durationMs: durationMs / 2 })
  const figures = { bare: [] as number[], batches: [] as Sent[], singles: [] as Sent[] }
  for (let round = 1; round <= rounds; round++) {
    const send = (extent: object) => inTime('A round', durationMs, load.ask<Sent>('send', { ...extent, durationMs }))
    const writing = bare.ask<number>(engine, { ...ground, batch: batchSize, durationMs })
    figures.bare.push(await inTime('The bare engine', durationMs, writing))
    figures.batches.push(await send(batches))
    figures.singles.push(await send(singles))
    const [perSecond, sent] = [figures.bare.at(-1) ?? 0, rate(figures.batches.at(-1) as Sent)]
    const said = `bare ${perSecond.toFixed(0)}, batches ${sent.toFixed(0)} (${(sent / perSecond).toFixed(2)})`
    process.stderr.write(`${engine}: round ${round} of ${rounds}: ${said}\n`)
  }
  process.stderr.write(`${engine}: model calls, ${(2 * callMs) / 1000} s\n`)
  const caller = { ...to, senders: callers, durationMs: callMs }
  const alone = await inTime('Calls', callMs, calls.ask<Latency>('call', caller))
  const [beside, ingest] = await Promise.all([
    inTime('Calls beside ingest', callMs, calls.ask<Latency>('call', caller)),
    inTime('Ingest beside calls', callMs, load.ask<Sent>('send', { ...batches, durationMs: callMs }))
  ])
  return {
    engine,
    barePerSecond: median(figures.bare),
    batchesPerSecond: median(figures.batches.map(rate)),
    singlesPerSecond: median(figures.singles.map(rate)),
    batchRatio: median(figures.batches.map((sent, round) => rate(sent) / (figures.bare[round] ?? Number.NaN))),
    batchLatency: figures.batches.at(-1)?.latency as Latency,
    singleLatency: figures.singles.at(-1)?.latency as Latency,
    callsAlone: alone,
    callsBeside: beside,
    ingestBesidePerSecond: rate(ingest),
    stored: await service.ask<number>('stored')
  }
}

async function main(): Promise<void> {
  const chosen = engines.filter((engine) => options.engine === undefined || options.engine === engine)
  if (chosen.length === 0) throw new Error('--engine takes sqlite or postgres.')
  const minutes = Number(options.minutes)
  if (!(minutes > 0 && minutes <= 60)) throw new Error('--minutes takes a number up to 60.')
  await using server = new AsyncDisposableStack()
  if (chosen.includes('postgres')) server.use(await sharedPostgres())
  const all: EngineFigures[] = []
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), load average ${loadavg()[0]?.toFixed(1)}, not pinned`
  )
  const seconds = options.soak ? minutes * 60 : secondsOfEngine
  process.stderr.write(`About ${seconds} s for each of: ${chosen.join(', ')}\n`)
  for (const engine of chosen) {
    await using stack = new AsyncDisposableStack()
    const stage = await setUp(engine, stack)
    if (options.soak) console.log(await runSoak(engine, stage, minutes))
    else all.push(await measure(engine, stage))
  }
  if (options.soak) return
  console.log(renderEvents(all, { short: options.short, upstreamMs }))
  const verdicts = options.short ? {} : { aims: all.flatMap(judgeEvents) }
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify({ engines: all, ...verdicts }, null, 2)}\n`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
