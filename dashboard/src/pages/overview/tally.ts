/** Sums over the points of a series. */
import { formatCompact } from '../../components/format.ts'
import type { SeriesPoint } from '../../../../src/protocol/api/reading-schema.ts'

export interface Tally {
  /** Model calls, however they ended. */
  readonly calls: number
  readonly block: number
  readonly mask: number
  readonly allow: number
  /** The sum of all three: events with an action. */
  readonly judged: number
  /** Of these, the ones about model calls and about tool calls; sensors may report decisions about other things. */
  readonly judgedCalls: number
  readonly judgedTools: number
  readonly entitiesMasked: number
}

export function tally(points: readonly SeriesPoint[]): Tally {
  const sum = { calls: 0, block: 0, mask: 0, allow: 0, judged: 0, judgedCalls: 0, judgedTools: 0, entitiesMasked: 0 }
  for (const { kind, action, events, entitiesMasked } of points) {
    if (kind === 'ingress_proxy') sum.calls += events
    sum.entitiesMasked += entitiesMasked
    if (action !== 'block' && action !== 'mask' && action !== 'allow') continue
    sum[action] += events
    sum.judged += events
    if (kind === 'ingress_proxy') sum.judgedCalls += events
    if (kind === 'tool_call_enforcement') sum.judgedTools += events
  }
  return sum
}

/** What the decisions are about, and how many model calls ended without one: the counts that are not zero, in words. */
export function sayParts({ calls, judged, judgedCalls, judgedTools }: Tally): string {
  const other = judged - judgedCalls - judgedTools
  const undecided = calls - judgedCalls
  const parts = [
    [judgedCalls, 'model call', 'model calls'],
    [judgedTools, 'tool call', 'tool calls'],
    [other, 'other', 'others']
  ] as const
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, one, more]) => `${formatCompact(count)} ${count === 1 ? one : more}`)
  if (undecided > 0) said.push(`${formatCompact(undecided)} more without a decision`)
  return said.join(', ')
}

/** The share of blocked events, or null without any decisions. */
export const blockRate = ({ block, judged }: Tally): number | null => (judged === 0 ? null : block / judged)

export interface ValueTally extends Tally {
  readonly value: string
  readonly events: number
}

/** One tally for each value of the dimension, greatest first. */
export function byValue(points: readonly SeriesPoint[]): ValueTally[] {
  const groups = new Map<string, SeriesPoint[]>()
  for (const point of points) {
    const group = groups.get(point.value)
    if (group) group.push(point)
    else groups.set(point.value, [point])
  }
  return [...groups]
    .map(([value, group]) => ({ value, events: group.reduce((sum, { events }) => sum + events, 0), ...tally(group) }))
    .toSorted((a, b) => b.events - a.events || b.entitiesMasked - a.entitiesMasked)
}

/**
 * A quantile of the time that scanning added, from its histogram.
 * @param points of the dimension `addedMs`, whose values are upper bounds in milliseconds, or `inf`
 * @param share from 0 to 1
 * @returns the upper bound of the bucket that contains it, in milliseconds; Infinity beyond the last; null without
 *   calls
 */
export function quantile(points: readonly SeriesPoint[], share: number): number | null {
  const buckets = byValue(points)
    .map(({ value, events }) => ({ bound: value === 'inf' ? Infinity : Number(value), events }))
    .toSorted((a, b) => a.bound - b.bound)
  const all = buckets.reduce((sum, { events }) => sum + events, 0)
  if (all === 0) return null
  let below = 0
  for (const { bound, events } of buckets) {
    below += events
    if (below >= all * share) return bound
  }
  return null
}
