/**
 * `node bench/turns.ts`: what a conversation costs when the agent sends all of its history with each turn. Sends the
 * same turns, up to 30, through a bare proxy, through Sluice with `SERVICE_INGRESS_CLEAN_SECTIONS_MAX=0`, and through Sluice
 * with its default, in alternation on one core; no conversation is sent twice. `--short` only shows that everything
 * works; `--json FILE` writes the figures.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BodyDialect } from './bodies.ts'
import { findCores, startChild, type Child } from './child.ts'
import { median } from './measure.ts'
import { printTable } from './one-core.ts'
import type { Target } from './raw-http.ts'

const { values: options } = parseArgs({
  options: { short: { type: 'boolean', default: false }, json: { type: 'string' } }
})
const dialect: BodyDialect = 'messages'
const sizesBytes = options.short ? [50_000] : [50_000, 150_000, 500_000]
const turns = options.short ? 5 : 30
const rounds = options.short ? 2 : 16
const warmupRounds = options.short ? 0 : 6
/** A process that has scanned less has compiled less, so both scan many bodies before single bodies are measured. */
const aloneRounds = options.short ? 2 : 60
const aloneWarmupRounds = options.short ? 0 : 150

const cores = findCores()
const [proxyCore, loadCore] = 'unpinned' in cores ? [undefined, undefined] : [cores.proxy, cores.load]

interface Lane {
  readonly title: string
  readonly process: Child<unknown>
  readonly target: Target
}

async function setUp(stack: AsyncDisposableStack): Promise<{ generator: Child<unknown>; lanes: readonly Lane[] }> {
  const upstream = stack.use(await startChild<{ port: number }>('upstream.ts', { core: loadCore }))
  const generator = stack.use(await startChild('load.ts', { core: loadCore }))
  const { port } = upstream.ready
  const sluice = async (title: string, cleanSectionsMax: string): Promise<Lane> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
    stack.defer(() => rm(dataDir, { recursive: true, force: true }))
    const env = { SERVICE_INGRESS_CLEAN_SECTIONS_MAX: cleanSectionsMax }
    const started = { core: proxyCore, args: [dataDir, String(port)], env }
    const process: Child<{ port: number; token: string }> = stack.use(await startChild('sluice-process.ts', started))
    const headers = { 'x-api-key': process.ready.token }
    return {
      title,
      process,
      target: { name: title, port: process.ready.port, path: '/api/ingress/v1/messages', headers }
    }
  }
  const started = { core: proxyCore, args: [String(port)] }
  const bare: Child<{ port: number }> = stack.use(await startChild('bare-proxy.ts', started))
  const bareTarget = { name: 'the bare proxy', port: bare.ready.port, path: '/v1/messages', headers: {} }
  return {
    generator,
    lanes: [
      { title: 'bare proxy', process: bare, target: bareTarget },
      await sluice('nothing kept', '0'),
      await sluice('known parts', '65536')
    ]
  }
}

/** Cost for one lane and size. */
interface Cost {
  readonly cpuMs: number[]
  readonly wallMs: number[]
}

await using stack = new AsyncDisposableStack()
const { generator, lanes } = await setUp(stack)

/** @returns the processor time per call, and the median response time */
async function converse(lane: Lane, sizeBytes: number, seed: number, onlyLast: boolean): Promise<[number, number]> {
  const before = await lane.process.ask<number>('cpu')
  const conversation = { target: lane.target, dialect, sizeBytes, turns, seed, onlyLast }
  const samplesMs = await generator.ask<number[]>('converse', conversation)
  const cpuMs = ((await lane.process.ask<number>('cpu')) - before) / 1000
  return [cpuMs / samplesMs.length, median(samplesMs)]
}

async function measure(sizeBytes: number, onlyLast: boolean, firstSeed: number): Promise<Cost[]> {
  const costs: Cost[] = lanes.map(() => ({ cpuMs: [], wallMs: [] }))
  const [warmup, measured] = onlyLast ? [aloneWarmupRounds, aloneRounds] : [warmupRounds, rounds]
  for (let round = -warmup; round < measured; round++) {
    const seed = firstSeed + warmup + round
    for (let i = 0; i < lanes.length; i++) {
      const at = (i + round + warmup) % lanes.length
      const [cpuMs, wallMs] = await converse(lanes[at]!, sizeBytes, seed, onlyLast)
      if (round < 0) continue
      costs[at]!.cpuMs.push(cpuMs)
      costs[at]!.wallMs.push(wallMs)
    }
  }
  return costs
}

const figures: Record<string, unknown>[] = []
let seed = 1
for (const sizeBytes of sizesBytes) {
  for (const onlyLast of [false, true]) {
    const costs = await measure(sizeBytes, onlyLast, seed)
    seed += warmupRounds + rounds + aloneWarmupRounds + aloneRounds
    const rows = lanes.map(({ title }, i) => ({
      title,
      cpuMsPerCall: median(costs[i]!.cpuMs),
      p50Ms: median(costs[i]!.wallMs)
    }))
    figures.push({ sizeBytes, onlyLast, rows })
    const what = onlyLast ? 'the last one alone' : `${turns} turns at most`
    printTable([
      [`up to ${sizeBytes / 1000} kB, ${what}`, 'CPU ms/call', 'p50 ms'],
      ...rows.map(({ title, cpuMsPerCall, p50Ms }) => [title, cpuMsPerCall.toFixed(2), p50Ms.toFixed(2)])
    ])
  }
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`)
