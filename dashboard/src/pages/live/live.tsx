import { Button, Group, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { filtersOf, type Filters } from '../../api/events.ts'
import type { TailState } from '../../api/tail.ts'
import { StateBadge } from '../../components/badges.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { EventFilters } from '../../components/event-filters.tsx'
import { formatCount } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useEventColumns } from '../false-alarm/event-columns.tsx'
import { keptMax } from './live-rows.ts'
import { useLiveEvents } from './use-live-events.ts'

/** Events as they arrive. Pausing freezes the rows, so that one can be read; new events wait. */
export function LivePage() {
  const columns = useEventColumns()
  const [parameters, setParameters] = useSearchParams()
  const { from: _, to: __, ...filters } = filtersOf(parameters)
  const live = useLiveEvents(filters)
  useHotkeys([['p', live.toggle]])
  return (
    <Page
      title="Live"
      about="Model calls and tool calls as they are recorded."
      controls={
        <>
          <LiveState state={live.state} isPaused={live.isPaused} />
          <Button
            variant={live.isPaused ? 'filled' : 'default'}
            leftSection={<Icon name={live.isPaused ? 'play' : 'pause'} size={15} />}
            onClick={live.toggle}
            aria-keyshortcuts="p"
          >
            {live.isPaused ? `Resume${live.waiting > 0 ? ` (${formatCount(live.waiting)} waiting)` : ''}` : 'Pause'}
          </Button>
        </>
      }
    >
      <Stack gap="sm">
        <Section>
          <EventFilters filters={filters} onChange={(next: Filters) => setParameters({ ...next }, { replace: true })} />
        </Section>
        <Section flush title="Events" about={`The newest ${keptMax}; older ones are in the search.`}>
          <DataTable
            label="Live events"
            columns={columns}
            rows={live.events}
            rowKey={({ sequence }) => sequence}
            isLoading={live.isLoading}
            error={live.error}
            onRetry={live.retry}
            empty={<Quiet />}
          />
        </Section>
        {live.lost > 0 ? (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {formatCount(live.lost)} more came than are kept here.
            </Text>
          </Group>
        ) : null}
      </Stack>
    </Page>
  )
}

function LiveState({ state, isPaused }: { readonly state: TailState; readonly isPaused: boolean }) {
  return (
    <span role="status">
      {state === 'broken' ? (
        <StateBadge state="warn">Interrupted, reconnecting</StateBadge>
      ) : isPaused ? (
        <StateBadge state="quiet">Paused</StateBadge>
      ) : state === 'open' ? (
        <StateBadge state="good">Following</StateBadge>
      ) : (
        <StateBadge state="quiet">Connecting</StateBadge>
      )}
    </span>
  )
}

function Quiet() {
  return (
    <EmptyState
      icon="live"
      title="Nothing has arrived yet"
      action={
        <Button component={Link} to="/first-run" variant="default">
          Connect a client
        </Button>
      }
    >
      The next model call or tool call that matches the filters appears here by itself.
    </EmptyState>
  )
}
