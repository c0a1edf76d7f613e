import './overview.css'
import { Button, SegmentedControl, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { newestEvent } from '../../api/events.ts'
import { withQuery } from '../../api/client.ts'
import { chartHeightPx } from '../../components/chart-height.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Figure } from '../../components/figure.tsx'
import { formatCompact, formatDuration, formatShare } from '../../components/format.ts'
import { Loading } from '../../components/loading.tsx'
import { Page, Section } from '../../components/page.tsx'
import { FirstRun } from '../first-run/first-run.tsx'
import { Breakdowns } from './breakdowns.tsx'
import { ChangeList } from './change-list.tsx'
import { defaultRange, isRange, rangeNames, ranges, type RangeName } from './ranges.ts'
import { blockRate, sayParts } from './tally.ts'
import { useOverview, type Overview } from './use-overview.ts'

const TimeChart = lazy(() => import('../../components/time-chart.tsx'))

export function OverviewPage() {
  const [parameters, setParameters] = useSearchParams()
  const asked = parameters.get('range')
  const range = isRange(asked) ? asked : defaultRange
  const newest = useQuery(newestEvent)
  // The first steps do not disappear while somebody completes the last of them.
  const [isFirstRun, setFirstRun] = useState(false)
  if (newest.isFetchedAfterMount && newest.data?.isEmpty && !isFirstRun) setFirstRun(true)
  const hasNothing = isFirstRun || newest.data?.isEmpty === true
  // Requested together with the newest event, since there nearly always is one.
  const overview = useOverview(range, { isShown: !hasNothing })
  if (newest.isPending) return <Loading />
  if (hasNothing) {
    return (
      <Page title="Overview" about="Three steps to your first recorded call.">
        <FirstRun />
      </Page>
    )
  }
  const choose = (value: string): void =>
    setParameters(value === defaultRange ? {} : { range: value }, { replace: true })
  return (
    <Page
      title="Overview"
      about="Decisions about your agents' calls to models and tools."
      controls={
        <>
          <SegmentedControl
            aria-label="Range"
            size="sm"
            value={range}
            onChange={choose}
            data={rangeNames.map((name) => ({ value: name, label: ranges[name].label }))}
          />
          <Button component={Link} to="/first-run" variant="default" size="sm">
            Connect a client
          </Button>
        </>
      }
    >
      <Counts range={range} overview={overview} />
    </Page>
  )
}

function Counts({ range, overview }: { readonly range: RangeName; readonly overview: Overview }) {
  const { isLoading, error, now, from, refetch } = overview
  if (error && now.judged + now.calls === 0) return <ErrorBox error={error} onRetry={refetch} />
  if (isLoading) return <Loading />
  return (
    <div className="overview">
      {error ? <ErrorBox error={error} title="These counts may be out of date" onRetry={refetch} /> : null}
      <Figures range={range} overview={overview} />
      <div className="overview-main">
        <OverTime range={range} overview={overview} />
        <Section title={`Changed since ${ranges[range].before}`}>
          <ChangeList changes={overview.changes} from={from} />
        </Section>
      </div>
      <Breakdowns values={overview.values} from={from} />
    </div>
  )
}

const decisions = [
  { action: 'mask', label: 'Masked' },
  { action: 'block', label: 'Blocked' },
  { action: 'allow', label: 'Allowed' }
] as const

function Figures({
  range,
  overview: { now, before, added, from }
}: {
  readonly range: RangeName
  readonly overview: Overview
}) {
  const events = (filters: Record<string, string>): string => withQuery('/search', { ...filters, from })
  const isFirst = before.judged + before.calls === 0
  const was = (value: string): string => (isFirst ? 'nothing before' : `${value} ${ranges[range].before}`)
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <Figure
        label="Decisions"
        icon="live"
        value={formatCompact(now.judged)}
        note={
          <>
            {was(formatCompact(before.judged))}
            <br />
            {sayParts(now)}
          </>
        }
        to={events({})}
      />
      {decisions.map(({ action, label }) => (
        <Figure
          key={action}
          label={label}
          icon={action}
          value={formatCompact(now[action])}
          note={was(formatCompact(before[action]))}
          to={events({ action })}
        />
      ))}
      <Figure
        label="Block rate"
        icon="policy"
        value={formatShare(blockRate(now))}
        note={was(formatShare(blockRate(before)))}
        to={events({ action: 'block' })}
      />
      <Figure
        label="Added latency"
        icon="clock"
        value={formatBound(added.p95)}
        note={added.p50 === null ? 'no calls' : `p95; median ${formatBound(added.p50)}`}
        to={events({ kind: 'ingress_proxy' })}
      />
    </SimpleGrid>
  )
}

/** The histogram only knows upper bounds, so they are shown. */
function formatBound(ms: number | null): string {
  if (ms === null) return '–'
  return ms === Infinity ? '> 1 s' : `≤ ${formatDuration(ms).replace('.00', '').replace('.0', '')}`
}

function OverTime({
  range,
  overview: { steps, stepMs, now }
}: {
  readonly range: RangeName
  readonly overview: Overview
}) {
  const navigate = useNavigate()
  const { label } = ranges[range]
  const toStep = ({ at }: { readonly at: number }): void =>
    void navigate(withQuery('/search', { from: new Date(at).toISOString(), to: new Date(at + stepMs).toISOString() }))
  const sentence = `Decisions over the last ${label}: ${now.block} blocked, ${now.mask} masked, ${now.allow} allowed.`
  return (
    <Section title="Decisions over time" controls={<Legend />}>
      <div style={{ minHeight: chartHeightPx }}>
        {now.judged === 0 ? (
          <EmptyState
            icon="clock"
            title={`Nothing was decided in the last ${label}`}
            action={
              range === '30d' ? undefined : (
                <Button component={Link} to="/?range=30d" variant="default">
                  Show 30 days
                </Button>
              )
            }
          >
            The service is ready; calls appear here as they are made.
          </EmptyState>
        ) : (
          <Suspense fallback={<Loading />}>
            <TimeChart steps={steps} stepMs={stepMs} label={sentence} onChoose={toStep} />
          </Suspense>
        )}
      </div>
      <Text className="visually-hidden">{sentence}</Text>
    </Section>
  )
}

function Legend() {
  return (
    <span className="legend" aria-hidden="true">
      {decisions.map(({ action, label }) => (
        <span key={action}>
          <i data-part={action} />
          {label}
        </span>
      ))}
    </span>
  )
}
