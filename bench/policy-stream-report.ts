/** Figures of the stream benchmark, and whether they reach the aims. */
import { latencyOf, median } from './measure.ts'

export interface Memory {
  readonly rssBytes: number
  readonly heapBytes: number
  readonly streams: number
}

export interface LaneFigures {
  readonly name: string
  /** From publishing until the last client has the frame, one value per publish. */
  readonly lastMs: readonly number[]
  /** From publishing until half of the clients have it, one value per publish. */
  readonly halfMs: readonly number[]
  /** Memory of the server's process per stream while all are open and idle; undefined where it cannot be read. */
  readonly bytesPerStream?: { readonly rss: number; readonly heap: number }
  readonly storm?: { readonly ms: number; readonly failed: number }
}

export interface ScaleFigures {
  readonly streams: number
  readonly lanes: readonly LaneFigures[]
}

export interface Aim {
  readonly says: string
  readonly measured: string
  readonly met: boolean
}

const bytesPerStreamAim = 16_000
const ratioAim = 1.3
const lastP99AimMs = 75

const laneOf = ({ lanes }: ScaleFigures, name: string): LaneFigures | undefined =>
  lanes.find((lane) => lane.name === name)

/** Time to the last client divided by that of the bare fan-out: the median over rounds in which the two alternated. */
export function ratioOf(scale: ScaleFigures, name: string): number {
  const bare = laneOf(scale, 'bare')?.lastMs ?? []
  const own = laneOf(scale, name)?.lastMs ?? []
  return median(own.map((ms, round) => ms / (bare[round] ?? Number.NaN)))
}

export function judgeAims(scales: readonly ScaleFigures[]): Aim[] {
  return scales.flatMap((scale) => {
    const hub = laneOf(scale, 'hub')
    if (hub === undefined) return []
    const at = `at ${scale.streams} streams`
    const ratio = ratioOf(scale, 'hub')
    const aims = [
      { says: `last client within ${ratioAim} of bare ${at}`, measured: ratio.toFixed(2), met: ratio <= ratioAim }
    ]
    if (scale.streams <= 1000) {
      const { p99Ms } = latencyOf(hub.lastMs)
      // If the machine is busy otherwise, the bare fan-out is slow as well.
      const bareP99Ms = latencyOf(laneOf(scale, 'bare')?.lastMs ?? []).p99Ms
      aims.push({
        says: `p99 to the last client at most ${lastP99AimMs} ms ${at}`,
        measured: `${p99Ms.toFixed(1)} ms (bare ${bareP99Ms.toFixed(1)} ms)`,
        met: p99Ms <= lastP99AimMs
      })
    }
    const rss = hub.bytesPerStream?.rss
    if (rss !== undefined && scale.streams >= 10_000) {
      aims.push({
        says: `at most ${bytesPerStreamAim / 1000} kB a stream ${at}`,
        measured: `${(rss / 1000).toFixed(1)} kB`,
        met: rss <= bytesPerStreamAim
      })
    }
    if (hub.storm !== undefined) {
      const { failed } = hub.storm
      aims.push({
        says: `a storm of ${scale.streams} without an error`,
        measured: `${failed} failed`,
        met: failed === 0
      })
    }
    return aims
  })
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1)
const kilobytes = (bytes: number | undefined): string => (bytes === undefined ? '-' : (bytes / 1000).toFixed(1))

/** Rows of a table, the header first. */
export function rowsOf(scale: ScaleFigures): string[][] {
  const head = ['', 'half p50', 'last p50', 'last p99', 'to bare', 'rss kB', 'heap kB', 'storm']
  return [
    [`${scale.streams} streams`, ...head.slice(1)],
    ...scale.lanes.map((lane) => {
      const last = latencyOf(lane.lastMs)
      return [
        lane.name,
        `${ms(latencyOf(lane.halfMs).p50Ms)} ms`,
        `${ms(last.p50Ms)} ms`,
        `${ms(last.p99Ms)} ms`,
        ratioOf(scale, lane.name).toFixed(2),
        kilobytes(lane.bytesPerStream?.rss),
        kilobytes(lane.bytesPerStream?.heap),
        lane.storm === undefined ? '-' : `${(lane.storm.ms / 1000).toFixed(2)} s, ${lane.storm.failed} failed`
      ]
    })
  ]
}
