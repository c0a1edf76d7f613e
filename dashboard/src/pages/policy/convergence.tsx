import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { sequenceOf } from '../../../../src/policy/revision.ts'
import { StateBadge } from '../../components/badges.tsx'
import type { Column } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { formatCount } from '../../components/format.ts'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { byWeight, SensorTable } from '../../components/sensor-table.tsx'
import { sensorsQuery } from './policy-queries.ts'
import { countStandings, standingsOf, type SensorStanding, type Standing } from './standings.ts'

/** How far the policy in force has spread: how many sensors enforce it, lag behind, or refuse it. */
export function ConvergenceBar() {
  const { data, error } = useQuery(sensorsQuery)
  if (error) return <Text size="sm">Which sensors enforce it is unknown at the moment.</Text>
  if (!data) return null
  const { current, behind, refused } = countStandings(data)
  const all = data.sensors.length
  if (all === 0) {
    return (
      <Text size="sm" c="dimmed">
        No sensor reported its policy within the last day. Calls to this service follow the policy at once.
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
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <Text size="sm" role="status">
          {parts.join(', ')}
          {data.isCut ? '; others are not counted' : ''}
        </Text>
        <Anchor component={Link} to="/policy/sensors" size="sm" className="nowrap">
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

const columns: readonly Column<SensorStanding>[] = [
  { title: 'Standing', cell: ({ standing }) => badges[standing] },
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
  }
]

const Revision = ({ id }: { readonly id: string }) => (
  <span className="mono" title={id}>
    {sequenceOf(id) ?? id}
  </span>
)

const weights: Readonly<Record<Standing, number>> = { refused: 2, behind: 1, current: 0 }

/** Every sensor with what it enforces, those without the policy in force first. */
export function ConvergenceView() {
  const query = useQuery(sensorsQuery)
  const sensors = query.data ? standingsOf(query.data).toSorted(byWeight(({ standing }) => weights[standing])) : []
  return (
    <Stack gap="md">
      <Section title="Which sensors enforce it" about="As each sensor reported within the last day." flush>
        <SensorTable
          label="Sensors and the policy that they enforce"
          sensors={sensors}
          columns={columns}
          query={query}
          empty={
            <EmptyState icon="fleet" title="No sensor has acknowledged a policy">
              Each sidecar, MCP proxy and sensor of your own appears here with the revision it enforces.
            </EmptyState>
          }
        />
      </Section>
    </Stack>
  )
}
