import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SeriesPoint } from '../../../../src/protocol/api/reading-schema.ts'
import { recentActs, series, type SeriesAsked } from '../../api/events.ts'
import type { ChartStep } from '../../components/time-chart.tsx'
import { useNow } from '../../components/use-now.ts'
import { findChanges, type Change } from './changes.ts'
import { ranges, type RangeName } from './ranges.ts'
import { byValue, quantile, tally, type Tally, type ValueTally } from './tally.ts'

/** The dimensions of the overview, and the filter for the events of a value. */
const dimensions = [
  { by: 'clientSurface', noun: 'surface' },
  { by: 'modelProvider', noun: 'provider' },
  { by: 'modelId', noun: 'model' },
  { by: 'entityKind', noun: 'kind of entity' },
  { by: 'mcpToolName', noun: 'tool' },
  { by: 'downstreamServer', noun: 'tool server' }
] as const
export type DimensionName = (typeof dimensions)[number]['by']

const stepMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

export interface Overview {
  /** Start of the range in the form of a URL parameter. */
  readonly from: string
  readonly stepMs: number
  readonly steps: readonly ChartStep[]
  readonly now: Tally
  readonly before: Tally
  readonly values: Readonly<Record<DimensionName, readonly ValueTally[]>>
  /** Milliseconds that scanning added; null without calls. */
  readonly added: { readonly p50: number | null; readonly p95: number | null }
  readonly changes: readonly Change[]
  readonly isLoading: boolean
  readonly error: unknown
  refetch(): void
}

const none: readonly SeriesPoint[] = []

/** Everything that the overview shows for a range, from counts only: no event is read. */
export function useOverview(range: RangeName, { isShown }: { readonly isShown: boolean }): Overview {
  const { step, spanMs, refetchMs } = ranges[range]
  const unitMs = stepMs[step]
  // Whole steps, so that this range and the previous one share none.
  const fromMs = (Math.floor((useNow().getTime() - spanMs) / unitMs) + 1) * unitMs
  const from = new Date(fromMs).toISOString()
  const earlier = { from: new Date(fromMs - spanMs).toISOString(), to: from, step: 'all' as const }
  const counts = (asked: SeriesAsked, everyMs: number) => ({ ...series(asked, everyMs), enabled: isShown })
  const total = useQuery(counts({ by: 'total', step, from }, refetchMs))
  const totalBefore = useQuery(counts({ by: 'total', ...earlier }, refetchMs * 4))
  const added = useQuery(counts({ by: 'addedMs', step: 'all', from, kind: 'ingress_proxy' }, refetchMs))
  const current = useQueries({ queries: dimensions.map(({ by }) => counts({ by, step: 'all', from }, refetchMs)) })
  const previous = useQueries({ queries: dimensions.map(({ by }) => counts({ by, ...earlier }, refetchMs * 4)) })
  const now = tally(total.data?.points ?? none)
  const before = tally(totalBefore.data?.points ?? none)
  const valuesOf = (place: number): ValueTally[] => byValue(current[place]?.data?.points ?? none)
  const values = Object.fromEntries(dimensions.map(({ by }, place) => [by, valuesOf(place)])) as Record<
    DimensionName,
    ValueTally[]
  >
  const isCompared = previous.every(({ data }) => data) && current.every(({ data }) => data)
  const compared = dimensions.map(({ by, noun }, place) => ({
    filter: by,
    noun,
    now: values[by],
    before: byValue(previous[place]?.data?.points ?? none)
  }))
  const points = total.data?.points
  const steps = useMemo(() => chartSteps(points ?? none, fromMs, unitMs), [points, fromMs, unitMs])
  const times = added.data?.points ?? none
  return {
    from,
    stepMs: unitMs,
    steps,
    now,
    before,
    values,
    added: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    changes: isCompared ? findChanges(now, before, compared) : [],
    isLoading: total.isPending,
    error: total.error,
    refetch: () => void total.refetch()
  }
}

/** Every step of the range, including those without events: gaps in time must look like gaps. */
function chartSteps(points: readonly SeriesPoint[], fromMs: number, unitMs: number): ChartStep[] {
  const count = Math.max(1, Math.ceil((Date.now() - fromMs) / unitMs))
  const steps = Array.from({ length: count }, (_, place) => ({
    at: fromMs + place * unitMs,
    block: 0,
    mask: 0,
    allow: 0
  }))
  for (const { at, action, events } of points) {
    const step = steps[Math.floor((Date.parse(at) - fromMs) / unitMs)]
    if (step && (action === 'block' || action === 'mask' || action === 'allow')) step[action] += events
  }
  return steps
}

/** Revisions that were published in the range. */
export const usePublished = (from: string) => useQuery(recentActs('policy_published', from))
