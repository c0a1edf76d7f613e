/** Figures, aims and verdicts of the ingress benchmark, as data and as text. */
import { laneNames, type Latencies, type LaneName, type MixFigures, type Rates } from './phases.ts'

export interface SizeFigures {
  readonly sizeBytes: number
  readonly rates: Rates
  readonly latency: Latencies
}

export interface Figures {
  readonly node: string
  /** How processes were placed: `pinned`, or why they were not. */
  readonly placement: string
  readonly short: boolean
  readonly sizes: readonly SizeFigures[]
  /** Absent if only one size was measured. */
  readonly mix?: readonly MixFigures[]
}

export interface Aim {
  readonly says: string
  readonly measured: string
  readonly met: boolean
}

/** The generator's core has spare capacity while it is busy for less than this share of the time. */
const loadCoreMax = 0.9
/** A saturated proxy uses at least this share of its core. */
const ownCoreMin = 0.9
/** A larger share of other work on the proxies' core invalidates rates and latencies. */
const otherWorkMax = 0.05
/** The direct lane must be faster than the faster proxy by at least this factor. */
const directLeadMin = 1.3

const title: Record<LaneName, string> = { direct: 'direct', bare: 'bare proxy', sluice: 'Sluice' }

/** Reasons why a ratio of rates says nothing about the proxies. */
export function doubts(rates: Rates, placement: string): string[] {
  const out = placement === 'pinned' ? [] : [`not pinned: ${placement}`]
  for (const name of ['bare', 'sluice'] as const) {
    const rate = rates[name]
    if (rate.loadCore > loadCoreMax)
      out.push(`the generator's core was ${percent(rate.loadCore)} busy behind ${title[name]}`)
    if (!rate.isWarm) out.push(`${title[name]} had not warmed up`)
    if (rate.ownCore < ownCoreMin) out.push(`${title[name]} used only ${percent(rate.ownCore)} of its core`)
    if (rate.otherWork > otherWorkMax)
      out.push(`other work took ${percent(rate.otherWork)} of the core from ${title[name]}`)
  }
  if (rates.direct.perSecond < rates.bare.perSecond * directLeadMin)
    out.push('the direct way is hardly faster than the bare proxy')
  return out
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
const ms = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(value < 10 ? 2 : 1))
const kilobytes = (bytes: number): string => `${bytes / 1000} kB`
const ratioOf = ({ sluice, bare }: Rates): number => sluice.perSecond / bare.perSecond
const addedP50Ms = (latency: Latencies, against: 'direct' | 'bare'): number =>
  latency.sluice.p50Ms - latency[against].p50Ms

/** By body size in bytes. */
const addedP50AimsMs: ReadonlyMap<number, number> = new Map([
  [2000, 1],
  [500_000, 6]
])

/** Judges the aims of what was measured. Added latency is relative to the direct lane: it is what a user feels. */
export function judgeAims({ sizes, mix, placement }: Figures): Aim[] {
  const aims: Aim[] = []
  for (const { sizeBytes, rates, latency } of sizes) {
    const added = addedP50Ms(latency, 'direct')
    if (sizeBytes === 2000) {
      const valid = doubts(rates, placement).length === 0
      const measured = `${ratioOf(rates).toFixed(2)}${valid ? '' : ', not valid'}`
      aims.push({ says: 'rate at 2 kB at least 0.6 of the bare proxy', measured, met: valid && ratioOf(rates) >= 0.6 })
    }
    const aimMs = addedP50AimsMs.get(sizeBytes)
    if (aimMs === undefined) continue
    const noise = latency.otherWork > otherWorkMax ? `, other work took ${percent(latency.otherWork)} of the core` : ''
    const says = `added p50 at ${kilobytes(sizeBytes)} below ${aimMs} ms`
    aims.push({ says, measured: `${ms(added)} ms${noise}`, met: added < aimMs })
  }
  const loop = mix?.find((one) => one.lane === 'sluice' && one.largeBytes > 0)?.loop?.p99Ms
  if (loop === undefined) return aims
  return [
    ...aims,
    { says: 'event-loop delay p99 below 15 ms beside 32 MiB bodies', measured: `${ms(loop)} ms`, met: loop < 15 }
  ]
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  return rows.map(
    (row) =>
      `  ${row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`
  )
}

function rateLines({ sizes, placement }: Figures): string[] {
  const heading = ['body', 'way', 'calls/s', 'to bare', 'CPU ms/call', 'to bare', 'own core', 'others', 'load core']
  const rows = sizes.flatMap(({ sizeBytes, rates }) =>
    laneNames.map((name) => {
      const { perSecond, cpuMsPerCall, ownCore, loadCore, otherWork } = rates[name]
      const ratios = [perSecond / rates.bare.perSecond, cpuMsPerCall / rates.bare.cpuMsPerCall].map((ratio) =>
        name === 'direct' ? '' : ratio.toFixed(2)
      )
      const cells = [
        perSecond.toFixed(0),
        ratios[0] ?? '',
        cpuMsPerCall.toFixed(3),
        ratios[1] ?? '',
        name === 'direct' ? '' : percent(ownCore),
        percent(otherWork),
        percent(loadCore)
      ]
      return [name === 'direct' ? kilobytes(sizeBytes) : '', title[name], ...cells]
    })
  )
  const notes = sizes.map(({ sizeBytes, rates }) => {
    const reasons = doubts(rates, placement)
    const verdict = reasons.length === 0 ? 'the ratio is valid' : `the ratio is NOT valid: ${reasons.join('; ')}`
    return `  ${kilobytes(sizeBytes)}: ${verdict}`
  })
  return ['Rate, closed loop', ...columns([heading, ...rows]), ...notes]
}

function latencyLines({ sizes }: Figures): string[] {
  const heading = ['body', 'way', 'p50 ms', 'p99 ms', 'added p50 to direct', 'to bare', 'calls']
  const rows = sizes.flatMap(({ sizeBytes, latency }) =>
    laneNames.map((name) => {
      const { p50Ms, p99Ms, count } = latency[name]
      const added =
        name === 'direct'
          ? ['', '']
          : [ms(p50Ms - latency.direct.p50Ms), name === 'bare' ? '' : ms(addedP50Ms(latency, 'bare'))]
      return [name === 'direct' ? kilobytes(sizeBytes) : '', title[name], ms(p50Ms), ms(p99Ms), ...added, String(count)]
    })
  )
  return ['Latency, one call at a time, the three ways in turn', ...columns([heading, ...rows])]
}

function mixLines(mix: readonly MixFigures[]): string[] {
  const heading = ['way', 'bodies', 'small p50', 'p99', 'large p50', 'loop delay p50', 'p99', 'max', 'memory', 'calls']
  const rows = mix.map(({ lane, largeBytes, loop, small, large }) => [
    title[lane],
    largeBytes > 0 ? '2 kB + 32 MiB' : '2 kB',
    ...[
      small.p50Ms,
      small.p99Ms,
      large.p50Ms,
      loop?.p50Ms ?? Number.NaN,
      loop?.p99Ms ?? Number.NaN,
      loop?.maxMs ?? Number.NaN
    ].map(ms),
    loop ? `${Math.round(loop.rssBytes / 2 ** 20)} MiB` : '-',
    `${small.count} + ${large.count}`
  ])
  return ['Large bodies beside small ones, ms', ...columns([heading, ...rows])]
}

/** The report as text. The short form measures too little for a verdict, so it gives none. */
export function renderReport(figures: Figures): string {
  const parts = [rateLines(figures), latencyLines(figures)]
  if (figures.mix !== undefined) parts.push(mixLines(figures.mix))
  const rows = judgeAims(figures).map((aim) => [aim.met ? 'met' : 'MISSED', aim.says, aim.measured])
  if (!figures.short && rows.length > 0) parts.push(['Aims', ...columns(rows)])
  return parts.map((lines) => lines.join('\n')).join('\n\n')
}
