/** The measurements, phase by phase. Within a phase, direct, bare proxy and Sluice run in alternation. */
import type { Child } from './child.ts'
import { readCoreBusyMs } from './core-load.ts'
import { median, type Latency } from './measure.ts'
import type { Target } from './raw-http.ts'

export const laneNames = ['direct', 'bare', 'sluice'] as const
export type LaneName = (typeof laneNames)[number]

/** A route to the upstream: where the generator sends to, and the process that is measured. */
export interface Lane {
  readonly target: Target
  /** For the direct lane, the upstream itself. */
  readonly process: Child<unknown>
}

export interface Stage {
  readonly lanes: Readonly<Record<LaneName, Lane>>
  readonly upstream: Child<unknown>
  readonly generator: Child<unknown>
  /** The core that the proxies are pinned to. */
  readonly proxyCore: number | undefined
  progress(text: string): void
}

/** How long each part takes. */
export interface Extent {
  readonly sizesBytes: readonly number[]
  /** Slices of warming up, at most. */
  readonly warmupSlicesMax: number
  readonly sliceMs: number
  readonly rounds: number
  readonly latencyMs: number
  readonly mixMs: number
}

export const fullExtent: Extent = {
  sizesBytes: [2000, 50_000, 500_000],
  warmupSlicesMax: 75,
  sliceMs: 1200,
  rounds: 4,
  latencyMs: 8000,
  mixMs: 8000
}
/** Shows only that everything works: however short a part is, every connection makes at least one call in it. */
export const shortExtent: Extent = {
  ...fullExtent,
  warmupSlicesMax: 1,
  sliceMs: 10,
  rounds: 1,
  latencyMs: 10,
  mixMs: 50
}

/** Medians over the slices of a lane. */
export interface Rate {
  readonly perSecond: number
  /** Processor time of the measured process per call. */
  readonly cpuMsPerCall: number
  /** Share of its core that the measured process used; 1 is all of it. */
  readonly ownCore: number
  /** Share of the other core that generator and upstream used. */
  readonly loadCore: number
  /** Share of the proxies' core taken by processes outside the benchmark. */
  readonly otherWork: number
}

export interface LaneRate extends Rate {
  /** Whether calls had stopped getting cheaper when the measurement began. */
  readonly isWarm: boolean
}

export type Rates = Readonly<Record<LaneName, LaneRate>>

const connectionsFor = (sizeBytes: number): number => (sizeBytes > 100_000 ? 8 : sizeBytes > 10_000 ? 16 : 32)

/** Processor time used while some work runs, in milliseconds. */
interface Usage {
  /** By each process that was asked for. */
  readonly ofMs: readonly number[]
  /** On the proxies' core by anything but the proxies. */
  readonly otherMs: number
}

async function watch<T>(
  stage: Stage,
  processes: readonly Child<unknown>[],
  work: () => Promise<T>
): Promise<[T, Usage]> {
  const proxies = [stage.lanes.bare.process, stage.lanes.sluice.process]
  const read = (): Promise<number[]> => Promise.all([...processes, ...proxies].map((child) => child.ask<number>('cpu')))
  const coreBefore = readCoreBusyMs(stage.proxyCore)
  const before = await read()
  const result = await work()
  const usedMs = (await read()).map((microseconds, i) => (microseconds - (before[i] ?? 0)) / 1000)
  const coreAfter = readCoreBusyMs(stage.proxyCore)
  const coreMs = coreBefore === undefined || coreAfter === undefined ? 0 : coreAfter - coreBefore
  const proxiesMs = usedMs.slice(processes.length).reduce((sum, each) => sum + each, 0)
  return [result, { ofMs: usedMs.slice(0, processes.length), otherMs: Math.max(0, coreMs - proxiesMs) }]
}

async function slice(stage: Stage, name: LaneName, sizeBytes: number, durationMs: number): Promise<Rate> {
  const lane = stage.lanes[name]
  const ask = { target: lane.target, sizeBytes, connections: connectionsFor(sizeBytes), durationMs }
  const saturate = (): Promise<{ answers: number; elapsedMs: number }> => stage.generator.ask('saturate', ask)
  const [{ answers, elapsedMs }, usage] = await watch(stage, [lane.process, stage.generator, stage.upstream], saturate)
  const [own = 0, generator = 0, upstream = 0] = usage.ofMs
  return {
    perSecond: (answers / elapsedMs) * 1000,
    cpuMsPerCall: own / answers,
    ownCore: own / elapsedMs,
    loadCore: (generator + upstream) / elapsedMs,
    otherWork: usage.otherMs / elapsedMs
  }
}

function medianRate(rates: readonly Rate[]): Rate {
  const of = (key: keyof Rate): number => median(rates.map((rate) => rate[key]))
  const [perSecond, cpuMsPerCall] = [of('perSecond'), of('cpuMsPerCall')]
  return { perSecond, cpuMsPerCall, ownCore: of('ownCore'), loadCore: of('loadCore'), otherWork: of('otherWork') }
}

/** A lane is warm once in so many slices a call has got cheaper by no more than this share. */
const steadySlices = 8
const steadyShare = 0.02

/** Lets a lane run until it is warm: V8 compiles for tens of thousands of small calls. @returns whether it is */
async function warmUp(stage: Stage, extent: Extent, name: LaneName, sizeBytes: number): Promise<boolean> {
  let cpuMsPerCall = Infinity
  let steady = 0
  for (let count = 0; count < extent.warmupSlicesMax && steady < steadySlices; count++) {
    stage.progress(`rate, ${sizeBytes} bytes, warming up ${name}, slice ${count + 1}`)
    const one = await slice(stage, name, sizeBytes, extent.sliceMs)
    const isCheaper = one.cpuMsPerCall < cpuMsPerCall * (1 - steadyShare)
    if (isCheaper) cpuMsPerCall = one.cpuMsPerCall
    steady = isCheaper ? 0 : steady + 1
  }
  return steady >= steadySlices
}

/** Closed-loop rates for one body size. */
export async function measureRates(stage: Stage, extent: Extent, sizeBytes: number): Promise<Rates> {
  const slices: Record<LaneName, Rate[]> = { direct: [], bare: [], sluice: [] }
  const isWarm = { direct: false, bare: false, sluice: false }
  for (const name of laneNames) {
    await stage.generator.ask('probe', { target: stage.lanes[name].target, sizeBytes, masked: name === 'sluice' })
    isWarm[name] = await warmUp(stage, extent, name, sizeBytes)
  }
  for (let round = 0; round < extent.rounds; round++) {
    stage.progress(`rate, ${sizeBytes} bytes, round ${round + 1} of ${extent.rounds}`)
    for (const name of laneNames) slices[name].push(await slice(stage, name, sizeBytes, extent.sliceMs))
  }
  const of = (name: LaneName): LaneRate => ({ ...medianRate(slices[name]), isWarm: isWarm[name] })
  return { direct: of('direct'), bare: of('bare'), sluice: of('sluice') }
}

export interface Latencies extends Readonly<Record<LaneName, Latency>> {
  /** As in {@link Rate}. */
  readonly otherWork: number
}

/** Latency for one body size at low load. */
export async function measureLatency(stage: Stage, extent: Extent, sizeBytes: number): Promise<Latencies> {
  stage.progress(`latency, ${sizeBytes} bytes`)
  const targets = laneNames.map((name) => stage.lanes[name].target)
  const ask = { targets, sizeBytes, durationMs: extent.latencyMs }
  const startedAt = performance.now()
  const alternate = (): Promise<[Latency, Latency, Latency]> => stage.generator.ask('alternate', ask)
  const [[direct, bare, sluice], usage] = await watch(stage, [], alternate)
  return { direct, bare, sluice, otherWork: usage.otherMs / (performance.now() - startedAt) }
}

export interface MixFigures {
  readonly lane: 'direct' | 'sluice'
  readonly largeBytes: number
  /** Event-loop delay and memory of the Sluice process; absent for the direct lane. */
  readonly loop?: Latency & { readonly rssBytes: number }
  /** Small calls as their client sees them. */
  readonly small: Latency
  readonly large: Latency
}

const largeBytes = 32 * 1024 * 1024

async function mixOnce(
  stage: Stage,
  lane: MixFigures['lane'],
  largeBytesOrNone: number,
  durationMs: number
): Promise<MixFigures> {
  const { target, process } = stage.lanes[lane]
  const ask = {
    target,
    smallBytes: 2000,
    smallConnections: 4,
    smallPauseMs: 5,
    largeBytes: largeBytesOrNone,
    durationMs
  }
  const mix = (): Promise<Pick<MixFigures, 'small' | 'large'>> => stage.generator.ask('mix', ask)
  if (lane === 'direct') return { lane, largeBytes: largeBytesOrNone, ...(await mix()) }
  await process.ask('watchLoop')
  const calls = await mix()
  return { lane, largeBytes: largeBytesOrNone, ...calls, loop: await process.ask('readLoop') }
}

/**
 * Small calls at a modest rate, alone and next to bodies of 32 MiB. The direct lane shows which part of the small
 * calls' wait is due to the generator and the upstream, which handle the large bodies on one core as well.
 */
export async function measureMix(stage: Stage, extent: Extent): Promise<MixFigures[]> {
  stage.progress('event loop, small bodies')
  const alone = await mixOnce(stage, 'sluice', 0, extent.mixMs / 2)
  stage.progress('event loop, with bodies of 32 MiB')
  await stage.generator.ask('probe', { target: stage.lanes.sluice.target, sizeBytes: largeBytes, masked: true })
  const direct = await mixOnce(stage, 'direct', largeBytes, extent.mixMs / 2)
  return [alone, direct, await mixOnce(stage, 'sluice', largeBytes, extent.mixMs)]
}
