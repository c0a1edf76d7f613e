import { Button, Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { sequenceOf } from '../../../../src/policy/revision.ts'
import { sensorsBody, type SensorBody, type SensorsBody } from '../../../../src/protocol/api/sensor-schema.ts'
import { get } from '../../api/client.ts'
import { StateBadge } from '../../components/badges.tsx'
import type { Column } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Figure } from '../../components/figure.tsx'
import { FindField } from '../../components/find-field.tsx'
import { formatCount, formatDuration } from '../../components/format.ts'
import { Page, Section } from '../../components/page.tsx'
import { byWeight, SensorTable } from '../../components/sensor-table.tsx'
import { Time } from '../../components/time.tsx'

/** What is wrong with a sensor; empty if nothing is. */
function troublesOf({ isSilent, isCurrent, state, dropped, spooled, spoolProblem }: SensorBody): string[] {
  return [
    ...(isSilent ? ['silent'] : []),
    ...(!isSilent && !isCurrent ? ['lags'] : []),
    ...(state !== null && state !== 'fresh' ? [stateWords[state] ?? state] : []),
    ...((dropped ?? 0) > 0 ? ['dropped events'] : []),
    ...((spooled ?? 0) > 1000 ? ['events wait'] : []),
    ...(spoolProblem === null ? [] : [diskWords[spoolProblem] ?? 'disk fails'])
  ]
}

/** Silent sensors come first, then those with the most problems. */
const weightOf = (sensor: SensorBody): number => troublesOf(sensor).length + (sensor.isSilent ? 10 : 0)

const stateWords: Readonly<Record<string, string>> = {
  unresolved: 'no policy yet',
  baseline: 'own baseline',
  stale: 'stale policy',
  expired: 'expired policy'
}

/** Why a sensor's events are only in memory, and would be lost with its process. */
const diskWords: Readonly<Record<string, string>> = {
  in_use: 'folder in use',
  gone: 'folder gone',
  full: 'disk full',
  read_only: 'disk read-only',
  denied: 'folder denied'
}

/** The sensors of the workspace: whether they are alive, what they enforce, and what waits in them. */
export function FleetPage() {
  const query = useQuery({
    queryKey: ['sensors'],
    queryFn: ({ signal }) => get('/api/sensors', sensorsBody, { signal }),
    refetchInterval: 10_000
  })
  const { data } = query
  const [only, setOnly] = useState('all')
  const [wanted, setWanted] = useState('')
  const sensors = data?.sensors ?? []
  const matching = sensors
    .filter((sensor) => only === 'all' || troublesOf(sensor).length > 0)
    .filter(({ sensorId, platform }) =>
      `${sensorId ?? ''} ${platform ?? ''}`.toLowerCase().includes(wanted.toLowerCase())
    )
    .toSorted(byWeight(weightOf))
  return (
    <Page title="Fleet" about="The sensors of this workspace, as of their last heartbeat.">
      <Stack gap="md">
        {data === undefined || sensors.length === 0 ? null : <FleetFigures fleet={data} />}
        <Section
          flush
          title="Sensors"
          controls={
            sensors.length === 0 ? null : (
              <Group gap="xs">
                <FindField label="Find a sensor" value={wanted} onType={setWanted} />
                <SegmentedControl
                  size="xs"
                  aria-label="Which sensors"
                  value={only}
                  onChange={setOnly}
                  data={[
                    { value: 'all', label: 'All' },
                    { value: 'trouble', label: 'With problems' }
                  ]}
                />
              </Group>
            )
          }
        >
          <SensorTable
            label="Sensors"
            sensors={matching}
            columns={columns}
            query={query}
            empty={sensors.length === 0 ? <NoSensor /> : <EmptyState icon="allow" title="No matching sensors" />}
          />
        </Section>
      </Stack>
    </Page>
  )
}

/** The fleet in numbers. */
function FleetFigures({ fleet: { sensors, revision, isCut } }: { readonly fleet: SensorsBody }) {
  const alive = sensors.filter(({ isSilent }) => !isSilent)
  const sum = (of: (sensor: SensorBody) => number | null) => sensors.reduce((all, one) => all + (of(one) ?? 0), 0)
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Figure
        icon="fleet"
        label="Sensors alive"
        value={formatCount(alive.length)}
        note={`of ${isCut ? 'at least ' : ''}${formatCount(sensors.length)} known`}
      />
      <Figure
        icon="policy"
        label="Enforce the current policy"
        value={formatCount(alive.filter(({ isCurrent }) => isCurrent).length)}
        note={`of those alive: revision ${sequenceOf(revision) ?? revision}`}
        to="/policy/sensors"
      />
      <Figure
        icon="clock"
        label="Events waiting"
        value={formatCount(sum(({ spooled }) => spooled))}
        note="to be sent"
      />
      <Figure
        icon="warning"
        label="Events lost"
        value={formatCount(sum(({ dropped }) => dropped))}
        note="since each started"
      />
    </SimpleGrid>
  )
}

const NoSensor = () => (
  <EmptyState
    icon="fleet"
    title="No sensors yet"
    action={
      <Button component={Link} to="/tokens" variant="default">
        Create a token for one
      </Button>
    }
  >
    A sidecar masks on the agent's own machine, and an MCP proxy sits in front of a tool server. Start one with a token
    of this workspace, and it appears here.
  </EmptyState>
)

const columns: readonly Column<SensorBody>[] = [
  {
    title: 'State',
    cell: (sensor) => {
      const troubles = troublesOf(sensor)
      if (troubles.length === 0) return <StateBadge state="good">ok</StateBadge>
      return <StateBadge state={sensor.isSilent ? 'bad' : 'warn'}>{troubles.join(', ')}</StateBadge>
    }
  },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} ago /> },
  {
    title: 'Revision',
    align: 'right',
    cell: ({ policyRevision }) =>
      policyRevision === null ? '' : <span title={policyRevision}>{sequenceOf(policyRevision) ?? policyRevision}</span>
  },
  {
    title: 'Policy age',
    align: 'right',
    cell: ({ policyAgeMs }) =>
      policyAgeMs === null ? (
        ''
      ) : (
        <span className="nowrap" title="Time from the service's last confirmation of the policy to the last heartbeat">
          {formatDuration(policyAgeMs)}
        </span>
      )
  },
  { title: 'Waiting', align: 'right', cell: ({ spooled }) => (spooled === null ? '' : formatCount(spooled)) },
  { title: 'Lost', align: 'right', cell: ({ dropped }) => (dropped === null ? '' : formatCount(dropped)) }
]
