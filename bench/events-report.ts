/** Figures, aims and verdicts of the events benchmark. */
import type { Latency } from './measure.ts'

export interface EngineFigures {
  readonly engine: 'sqlite' | 'postgres'
  /** Medians over all rounds, in rows or events per second. */
  readonly barePerSecond: number
  readonly batchesPerSecond: number
  readonly singlesPerSecond: number
  /** Median of the ratios of the rounds. */
  readonly batchRatio: number
  readonly batchLatency: Latency
  readonly singleLatency: Latency
  readonly callsAlone: Latency
  readonly callsBeside: Latency
  readonly ingestBesidePerSecond: number
  /** Events that the store has counted at the end. */
  readonly stored: number
}

interface EventsAim {
  readonly says: string
  readonly measured: string
  readonly met: boolean
}

const callRatio = ({ callsAlone, callsBeside }: EngineFigures): number => callsBeside.p99Ms / callsAlone.p99Ms

export function judgeEvents(figures: EngineFigures): EventsAim[] {
  const { engine, batchRatio, singlesPerSecond } = figures
  const aims = [
    {
      says: `${engine}: batches at least 0.4 of the bare engine`,
      measured: batchRatio.toFixed(2),
      met: batchRatio >= 0.4
    },
    {
      says: `${engine}: p99 of model calls below 1.1 of theirs alone`,
      measured: callRatio(figures).toFixed(2),
      met: callRatio(figures) < 1.1
    }
  ]
  if (engine !== 'sqlite') return aims
  const says = 'sqlite: at least 5000 single events a second with 64 senders'
  return [...aims, { says, measured: singlesPerSecond.toFixed(0), met: singlesPerSecond >= 5000 }]
}

const ms = (value: number): string => `${value.toFixed(1)} ms`

function engineLines(figures: EngineFigures): string[] {
  const { engine, batchLatency, singleLatency, callsAlone, callsBeside } = figures
  const perSecond = (value: number): string => value.toFixed(0).padStart(8)
  return [
    engine,
    `  bare engine, batches of 200  ${perSecond(figures.barePerSecond)} rows/s`,
    `  batches of 200, 8 senders    ${perSecond(figures.batchesPerSecond)} events/s, ${figures.batchRatio.toFixed(2)} of it; p50 ${ms(batchLatency.p50Ms)}, p99 ${ms(batchLatency.p99Ms)} a batch`,
    `  singles, 64 senders          ${perSecond(figures.singlesPerSecond)} events/s; p50 ${ms(singleLatency.p50Ms)}, p99 ${ms(singleLatency.p99Ms)}`,
    `  model calls alone             p50 ${ms(callsAlone.p50Ms)}, p99 ${ms(callsAlone.p99Ms)} (${callsAlone.count} calls)`,
    `  model calls beside ingest     p50 ${ms(callsBeside.p50Ms)}, p99 ${ms(callsBeside.p99Ms)}, ratio ${callRatio(figures).toFixed(2)} (${figures.ingestBesidePerSecond.toFixed(0)} events/s)`,
    `  stored in the end            ${perSecond(figures.stored)} events`
  ]
}

/** The report as text. The short form measures too little for a verdict, so it gives none. */
export function renderEvents(
  all: readonly EngineFigures[],
  { short, upstreamMs }: { readonly short: boolean; readonly upstreamMs: number }
): string {
  const parts = [
    `Sluice events bench${short ? ', short form: no verdicts' : ''}. The upstream of the model calls takes ${upstreamMs} ms.`,
    ...all.map((figures) => engineLines(figures).join('\n'))
  ]
  if (!short) {
    const verdicts = all.flatMap(judgeEvents)
    parts.push(
      verdicts.map(({ met, says, measured }) => `${met ? 'met   ' : 'MISSED'}  ${says}: ${measured}`).join('\n')
    )
  }
  return parts.join('\n\n')
}
