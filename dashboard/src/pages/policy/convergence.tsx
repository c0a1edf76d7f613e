import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { PolicySensorsBody } from '../../../../src/protocol/policy-api-schema.ts'
import { sequenceOf } from '../../../../src/policy/revision.ts'
import { StateBadge } from '../../components/badges.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { formatCount, formatName } from '../../components/format.ts'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { useShownRows } from '../../components/shown-rows.ts'
import { sensorsQuery } from './policy-queries.ts'

type Sensor = PolicySensorsBody['sensors'][number]
type Standing = 'current' | 'behind' | 'refused'

const standingOf = ({ isCurrent, rejected }: Sensor): Standing =>
  rejected !== null ? 'refused' : isCurrent ? 'current' : 'behind'

function countStandings(sensors: readonly Sensor[]): Record<Standing, number> {
  const counts = { current: 0, behind: 0, refused: 0 }
  for (const sensor of sensors) counts[standingOf(sensor)]++
  return counts
}

/** How far the policy in force has come: how many sensors enforce it, how many lag, how many refuse it. */
export function ConvergenceBar() {
  const { data, error } = useQuery(sensorsQuery)
  if (error) return <Text size="sm">Which sensors enforce it cannot be told at the moment.</Text>
  if (!data) return null
  const { current, behind, refused } = countStandings(data.sensors)
  const all = data.sensors.length
  if (all === 0) {
    return (
      <Text size="sm" c="dimmed">
        No sensor has told within a day which policy it enforces. Calls to this service itself follow it at once.
      </Text>
    )
  }
  const parts = [
    `${formatCount(current)} of ${formatCount(all)} ${all === 1 ? 'sensor enforces' : 'sensors enforce'} it`,
    ...(behind > 0 ? [`${formatCount(behind)} on the way or lagging`] : []),
    ...(refused > 0 ? [`${formatCount(refused)} refused it`] : [])
  ]
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {parts.join(', ')}
          {data.isCut ? ' (of those looked at)' : ''}
        </Text>
        <Anchor component={Link} to="/policy/sensors" size="sm">
          See which
        </Anchor>
      </Group>
      <div className="convergence-track" aria-hidden="true">
        {Object.entries({ current, behind, refused })
          .filter(([, count]) => count > 0)
          .map(([part, count]) => (
            <i key={part} data-part={part} style={{ width: `${(count / all) * 100}%` }} />
          ))}
      </div>
    </div>
  )
}

const badges = {
  current: <StateBadge state="good">enforces it</StateBadge>,
  behind: <StateBadge state="warn">another revision</StateBadge>,
  refused: <StateBadge state="bad">refused it</StateBadge>
}

const columns: readonly Column<Sensor>[] = [
  {
    title: 'Sensor',
    cell: ({ sensorId }) => <span className="mono">{sensorId === null ? '(gives no id)' : formatName(sensorId)}</span>
  },
  { title: 'Standing', cell: (sensor) => badges[standingOf(sensor)] },
  {
    title: 'Enforces',
    cell: ({ applied }) => (applied?.revision ? <Revision id={applied.revision} /> : 'nothing it told of')
  },
  { title: 'Since', cell: ({ applied }) => (applied ? <Time at={applied.at} ago /> : '') },
  {
    title: 'Refused',
    cell: ({ rejected }) =>
      rejected ? (
        <>
          <Revision id={rejected.revision ?? 'unreadable'} /> <span className="dimmed">{rejected.reasonCode}</span>
        </>
      ) : (
        ''
      )
  },
  { title: 'Kind', cell: ({ platform }) => platform ?? '' },
  { title: 'Version', cell: ({ sensorVersion }) => sensorVersion ?? '' }
]

const Revision = ({ id }: { readonly id: string }) => (
  <span className="mono" title={id}>
    {sequenceOf(id) ?? id}
  </span>
)

const order: Readonly<Record<Standing, number>> = { refused: 0, behind: 1, current: 2 }

/** Every sensor with what it enforces, those first that do not enforce the policy in force. */
export function ConvergenceView() {
  const { data, error, isPending, refetch } = useQuery(sensorsQuery)
  const sensors = (data?.sensors ?? []).toSorted((a, b) => order[standingOf(a)] - order[standingOf(b)])
  const { rows, more } = useShownRows(sensors)
  return (
    <Stack gap="md">
      <Section title="Which sensors enforce it" about="As each sensor said itself within the last day." flush>
        <DataTable
          label="Sensors and the policy that they enforce"
          columns={columns}
          rows={rows}
          more={more}
          rowKey={({ sensorId, tokenId, platform }) => `${tokenId} ${sensorId} ${platform}`}
          isLoading={isPending}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <EmptyState icon="fleet" title="No sensor has acknowledged a policy">
              A sidecar, an MCP proxy or a sensor of your own tells here which revision it enforces as soon as it runs.
            </EmptyState>
          }
        />
      </Section>
    </Stack>
  )
}
