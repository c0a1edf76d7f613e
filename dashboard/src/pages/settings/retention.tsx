import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { settingsBody, type SettingsBody } from '../../../../src/protocol/api/system-schema.ts'
import { get } from '../../api/client.ts'
import { StateBadge } from '../../components/badges.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { formatBytes, formatCount, formatShare } from '../../components/format.ts'
import { Loading } from '../../components/loading.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'

/** The server's effective settings. */
export const useSettings = () =>
  useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => get('/api/settings', settingsBody, { signal }),
    refetchInterval: 60_000
  })

/** How long records are kept, and how much space they take. */
export function RetentionView() {
  const { data, error, refetch } = useSettings()
  if (!data) return error ? <ErrorBox error={error} onRetry={() => void refetch()} /> : <Loading />
  const { retention } = data
  const days = (count: number) => (count === 1 ? '1 day' : `${formatCount(count)} days`)
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Section title="Retention" about="Set by variables of the server; see Configuration.">
        <dl className="setting-facts">
          <dt>Events</dt>
          <dd>{days(retention.eventDays)}</dd>
          <dt>Audit rows</dt>
          <dd>{days(retention.auditDays)}</dd>
          <dt>Counts per minute</dt>
          <dd>{days(retention.minuteRollupDays)}</dd>
          <dt>Oldest event</dt>
          <dd>
            <OldestEvent store={data.store} />
          </dd>
        </dl>
      </Section>
      <Room settings={data} />
    </SimpleGrid>
  )
}

/** Determined together with the size, so a new store has events before it has an oldest one. */
function OldestEvent({ store: { oldestEventAt, measuredAt } }: Pick<SettingsBody, 'store'>) {
  if (oldestEventAt !== null) return <Day at={oldestEventAt} />
  return measuredAt === null ? (
    'not measured yet'
  ) : (
    <>
      none as of <Time at={measuredAt} ago />
    </>
  )
}

/** Days of records begin at midnight UTC. */
const Day = ({ at }: { readonly at: string }) => <span className="tabular">of {at.slice(0, 10)} (UTC)</span>

const highFill = 0.85

function Room({ settings: { store, retention } }: { readonly settings: SettingsBody }) {
  return (
    <Section title="Disk usage" {...(store.isFull && { controls: <StateBadge state="bad">full</StateBadge> })}>
      <Stack gap="xs">
        <Text size="xl" fw={620} className="tabular">
          {store.bytes === null ? 'not measured yet' : formatBytes(store.bytes)}
        </Text>
        {store.measuredAt === null ? null : (
          <Text size="sm" c="dimmed">
            Measured every ten minutes, last <Time at={store.measuredAt} ago />.
          </Text>
        )}
        {store.fill === null ? null : (
          <div className="fill-track" aria-hidden="true">
            <i
              data-level={store.fill >= highFill ? 'high' : 'normal'}
              style={{ width: `${Math.min(1, store.fill) * 100}%` }}
            />
          </div>
        )}
        <Text size="sm" c="dimmed">
          {retention.bytesMax === null
            ? 'There is no cap; only the retention applies.'
            : `${formatShare(store.fill)} of the cap of ${formatBytes(retention.bytesMax)}. Days go early before it is passed.`}
        </Text>
        {store.isFull ? (
          <Text size="sm">
            The cap is exceeded: events from sensors are refused until there is room. Sensors keep them.
          </Text>
        ) : null}
      </Stack>
    </Section>
  )
}
