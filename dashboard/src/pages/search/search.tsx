import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { eventPages, filtersOf, type Filters } from '../../api/events.ts'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { EventFilters } from '../../components/event-filters.tsx'
import { ExportMenu } from '../../components/export-menu.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { useEventColumns } from '../false-alarm/event-columns.tsx'
import { RequestLookup } from './request-lookup.tsx'

const spans = [
  { value: '15m', label: '15 min' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' }
] as const

/** Events by their labels and times. The whole query is in the URL. */
export function SearchPage() {
  const [parameters, setParameters] = useSearchParams()
  const filters = filtersOf(parameters)
  const change = (next: Filters): void => setParameters({ ...next })
  return (
    <Page
      title="Search"
      about="Every recorded call and sensor event."
      controls={
        <>
          <RequestLookup />
          <ExportMenu path="/api/events/export" filters={filters} row="event" />
        </>
      }
    >
      <Stack gap="sm">
        <Section>
          <EventFilters filters={filters} onChange={change} />
        </Section>
        <Results filters={filters} onChange={change} />
      </Stack>
    </Page>
  )
}

function Results({ filters, onChange }: { readonly filters: Filters; readonly onChange: (filters: Filters) => void }) {
  const pages = useInfiniteQuery(eventPages(filters))
  const columns = useEventColumns()
  const events = pages.data?.pages.flatMap((page) => page.events) ?? []
  return (
    <Section title="Events" flush controls={<Times filters={filters} onChange={onChange} />}>
      <DataTable
        label="Events"
        columns={columns}
        rows={events}
        rowKey={({ sequence }) => sequence}
        isLoading={pages.isPending}
        error={pages.error}
        onRetry={() => void pages.refetch()}
        more={{
          has: pages.hasNextPage,
          isLoading: pages.isFetchingNextPage,
          load: () => pages.fetchNextPage()
        }}
        empty={<NothingFound filters={filters} onChange={onChange} />}
      />
    </Section>
  )
}

/** A time span back from now or, after following a figure, two fixed times. */
function Times({ filters, onChange }: { readonly filters: Filters; readonly onChange: (filters: Filters) => void }) {
  const { from, to, ...rest } = filters
  const isSpan = to === undefined && (from === undefined || spans.some(({ value }) => value === from))
  if (!isSpan) {
    return (
      <Group gap="xs">
        <Text size="sm">
          {from === undefined ? null : (
            <>
              from <FixedTime at={from} />{' '}
            </>
          )}
          {to === undefined ? null : (
            <>
              to <FixedTime at={to} />
            </>
          )}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => onChange(rest)}>
          All times
        </Button>
      </Group>
    )
  }
  return (
    <SegmentedControl
      aria-label="Time"
      size="xs"
      value={from ?? ''}
      onChange={(value) => onChange(value === '' ? rest : { ...rest, from: value })}
      data={[...spans, { value: '', label: 'All' }]}
    />
  )
}

const FixedTime = ({ at }: { readonly at: string }) => (/^\d+[smhd]$/.test(at) ? <b>{at} ago</b> : <Time at={at} />)

function NothingFound({
  filters,
  onChange
}: {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}) {
  const isFiltered = Object.keys(filters).length > 0
  return (
    <EmptyState
      icon="search"
      title={isFiltered ? 'No matching events' : 'No events yet'}
      action={
        isFiltered ? (
          <Button variant="default" onClick={() => onChange({})}>
            Clear all filters
          </Button>
        ) : (
          <Button component={Link} to="/first-run">
            Connect a client
          </Button>
        )
      }
    >
      {isFiltered
        ? 'Events must match all filters exactly. Try fewer filters, or a longer time.'
        : 'Point a client at this service, and its first call appears here.'}
    </EmptyState>
  )
}
