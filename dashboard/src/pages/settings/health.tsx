import { Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  healthBody,
  upstreamCheckBody,
  type HealthBody,
  type UpstreamBody,
  type UpstreamState
} from '../../../../src/protocol/api/system-schema.ts'
import { get, send } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { StateBadge } from '../../components/badges.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { formatCount, formatDuration } from '../../components/format.ts'
import { Loading } from '../../components/loading.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'

const engines = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** Whether the parts of the service work, and whether the model vendors are reachable. */
export function HealthView() {
  const { data, error, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => get('/api/system/health', healthBody, { signal }),
    refetchInterval: 10_000
  })
  if (!data) return error ? <ErrorBox error={error} onRetry={() => void refetch()} /> : <Loading />
  return (
    <Stack gap="md">
      <ErrorBox error={error} title="This may be out of date" onRetry={() => void refetch()} />
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <StorePart health={data} />
        <RecordingPart health={data} />
        <SealingPart health={data} />
      </SimpleGrid>
      <Upstreams upstreams={data.upstreams} />
      <Section title="Instances" about="Instances that write to this database, and those lost in the last day." flush>
        <DataTable
          label="Instances"
          columns={instanceColumns}
          rows={data.instances}
          rowKey={({ writerId }) => writerId}
          empty={null}
        />
      </Section>
    </Stack>
  )
}

const State = ({ ok, good, bad }: { readonly ok: boolean; readonly good: string; readonly bad: string }) => (
  <StateBadge state={ok ? 'good' : 'bad'}>{ok ? good : bad}</StateBadge>
)

function StorePart({ health: { store, version, startedAt } }: { readonly health: HealthBody }) {
  return (
    <Section
      title="Store"
      controls={<State ok={store.ok && !store.isFull} good="ok" bad={store.ok ? 'full' : 'no answer'} />}
    >
      <dl className="setting-facts">
        <dt>Engine</dt>
        <dd>{engines[store.engine]}</dd>
        <dt>A small read takes</dt>
        <dd>{store.readMs === null ? 'no answer' : formatDuration(store.readMs)}</dd>
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Running since</dt>
        <dd>
          <Time at={startedAt} />
        </dd>
      </dl>
    </Section>
  )
}

function RecordingPart({ health: { recording } }: { readonly health: HealthBody }) {
  return (
    <Section title="Recording" controls={<State ok={recording.ok} good="ok" bad="failing" />}>
      <dl className="setting-facts">
        <dt>Waiting for the disk</dt>
        <dd className="tabular">
          {formatCount(recording.queued)} of at most {formatCount(recording.queueMax)}
        </dd>
        <dt>Lost since the start</dt>
        <dd className="tabular">
          {formatCount(recording.lost)}
          {recording.lost > 0 ? ' (each loss is a gap row of the audit)' : ''}
        </dd>
      </dl>
    </Section>
  )
}

function SealingPart({ health: { sealing } }: { readonly health: HealthBody }) {
  return (
    <Section title="Sealing of the audit" controls={<State ok={sealing.ok} good="ok" bad="behind" />}>
      <dl className="setting-facts">
        <dt>Newest root</dt>
        <dd className="tabular">{sealing.sequence === null ? 'none yet' : formatCount(sealing.sequence)}</dd>
        <dt>Signed</dt>
        <dd>{sealing.sealedAt === null ? 'never' : <Time at={sealing.sealedAt} ago />}</dd>
      </dl>
    </Section>
  )
}

const upstreamStates: Readonly<Record<UpstreamState, { word: string; state: 'good' | 'warn' | 'bad' | 'quiet' }>> = {
  ok: { word: 'reached', state: 'good' },
  untried: { word: 'not tried', state: 'quiet' },
  not_configured: { word: 'not configured', state: 'warn' },
  credentials: { word: 'credential refused', state: 'bad' },
  unreachable: { word: 'unreachable', state: 'bad' },
  timeout: { word: 'no answer in time', state: 'bad' },
  failed: { word: 'failed', state: 'bad' }
}

const dialects = { chat: 'Chat completions', messages: 'Messages' } as const

function Upstreams({ upstreams }: { readonly upstreams: readonly UpstreamBody[] }) {
  const mayCheck = useMay('settings:read')
  const check = useMutation({
    mutationFn: async () => (await send('POST', '/api/system/upstream-check', upstreamCheckBody)).body.upstreams
  })
  const checked = new Map(check.data?.map((one) => [one.dialect, one]))
  const columns: readonly Column<UpstreamBody>[] = [
    { title: 'Routes', cell: ({ dialect }) => dialects[dialect] },
    { title: 'Address', cell: ({ origin }) => <span className="mono">{origin}</span> },
    { title: 'Credential', cell: ({ hasKey }) => (hasKey ? 'set' : 'none') },
    {
      title: 'Check',
      cell: ({ dialect }) => {
        const result = checked.get(dialect)
        if (!result) return <span className="dimmed">not checked on this visit</span>
        const { word, state } = upstreamStates[result.state]
        return (
          <>
            <StateBadge state={state}>{word}</StateBadge>{' '}
            {result.ms === null ? null : <span className="tabular">{formatDuration(result.ms)}</span>}
            <Text size="sm" c="dimmed">
              {result.message}
            </Text>
          </>
        )
      }
    }
  ]
  return (
    <Section
      flush
      title="Model vendors"
      controls={
        mayCheck ? (
          <Button size="xs" variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
        ) : null
      }
    >
      <ErrorBox error={check.error} title="The check failed" />
      <DataTable
        label="Model vendors"
        columns={columns}
        rows={upstreams}
        rowKey={({ dialect }) => dialect}
        empty={null}
      />
    </Section>
  )
}

type Instance = HealthBody['instances'][number]

/** The state of an instance that did not stop in order, and whether anything is left to be done about it. */
function InstanceState({ instance: { state, lostAt, isSealed } }: { readonly instance: Instance }) {
  if (state === 'open') return <StateBadge state="good">open</StateBadge>
  if (state === 'silent') {
    return (
      <>
        <StateBadge state="warn">silent</StateBadge>
        <Text size="sm" c="dimmed">
          It missed a heartbeat: it hangs, or it ended unexpectedly.{' '}
          {lostAt === null ? null : (
            <>
              Unless it comes back, its chain is closed at <Time at={lostAt} />.
            </>
          )}
        </Text>
      </>
    )
  }
  return (
    <>
      <StateBadge state="quiet">ended unexpectedly</StateBadge>
      <Text size="sm" c="dimmed">
        {isSealed ? 'Everything it wrote is sealed.' : 'What it wrote will be sealed within a minute.'} Records of its
        last 40 ms may be missing; an audit row says so. You need not do anything.
      </Text>
    </>
  )
}

const instanceColumns: readonly Column<Instance>[] = [
  {
    title: 'Instance',
    cell: ({ writerId, isThis }) => (
      <>
        <span className="mono">{writerId}</span> {isThis ? <StateBadge state="quiet">this one</StateBadge> : null}
      </>
    )
  },
  { title: 'State', cell: (instance) => <InstanceState instance={instance} /> },
  { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: 'Last heartbeat', cell: ({ lastAt }) => <Time at={lastAt} ago /> }
]
