import { Button, Group, Select, SimpleGrid, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { dryRunBody, type DryRunBody } from '../../../../src/protocol/api/policy-schema.ts'
import { send } from '../../api/client.ts'
import { ActionBadge, KindBadge } from '../../components/badges.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Figure } from '../../components/figure.tsx'
import { formatCount } from '../../components/format.ts'
import { Section } from '../../components/page.tsx'
import { RequestLink } from '../../components/request-link.tsx'
import type { PolicyDraft } from './use-draft.ts'

const spans = ['1', '7', '14', '30'].map((value) => ({
  value,
  label: value === '1' ? 'Last day' : `Last ${value} days`
}))

/** Replays recorded days with the draft: how many calls would have been decided differently. */
export function DryRunView({ draft }: { readonly draft: PolicyDraft }) {
  const [days, setDays] = useState('7')
  const documents = 'documents' in draft.read ? draft.read.documents : undefined
  const run = useMutation({
    mutationFn: async () => {
      const body = { ...documents, days: Number(days) }
      return (await send('POST', '/api/workspace/policy/dry-run', dryRunBody, { body })).body
    }
  })
  return (
    <Stack gap="md">
      <Section
        title="Dry run"
        about="Texts and arguments are never recorded, so this uses kinds of entities and names of tools only. Conditions on arguments count as not met."
      >
        <Group align="flex-end" gap="sm">
          <Select
            label="Replay"
            data={spans}
            value={days}
            allowDeselect={false}
            onChange={(value) => setDays(value ?? '7')}
          />
          <Button loading={run.isPending} disabled={documents === undefined} onClick={() => run.mutate()}>
            {draft.isChanged ? 'Replay against the draft' : 'Replay against the policy in force'}
          </Button>
        </Group>
      </Section>
      <ErrorBox error={run.error} title="The dry run did not work" />
      {run.data ? <Report report={run.data} /> : null}
    </Stack>
  )
}

type Change = DryRunBody['changes'][number]

function Report({ report: { events, unchanged, isCut, changes } }: { readonly report: DryRunBody }) {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Figure label="Calls replayed" value={formatCount(events)} note={isCut ? 'The newest; there were more.' : ''} />
        <Figure label="Same decision" value={formatCount(unchanged)} />
        <Figure label="Different decision" value={formatCount(events - unchanged)} />
      </SimpleGrid>
      <Section title="What would change" flush>
        <DataTable
          label="Calls with a different decision"
          columns={columns}
          rows={changes}
          rowKey={({ of, was, wouldBe }) => `${of} ${was} ${wouldBe}`}
          empty={
            <EmptyState icon="allow" title="Nothing would change">
              {events === 0
                ? 'No calls were recorded in this time.'
                : 'Every recorded call would be decided as it was then.'}
            </EmptyState>
          }
        />
      </Section>
    </Stack>
  )
}

const examplesShown = 3

const columns: readonly Column<Change>[] = [
  { title: 'Calls', align: 'right', cell: ({ events }) => formatCount(events) },
  {
    title: 'Of',
    cell: ({ of }) => <span className="nowrap">{of === 'model_calls' ? 'Model calls' : 'Tool calls'}</span>
  },
  { title: 'Was', cell: ({ was }) => <ActionBadge action={was} /> },
  { title: 'Would be', cell: ({ wouldBe }) => <ActionBadge action={wouldBe} /> },
  {
    title: 'By',
    cell: ({ by }) => (
      <Group gap={4}>
        {Object.entries(by).map(([name, count]) => (
          <KindBadge key={name} kind={name} count={count} />
        ))}
      </Group>
    )
  },
  {
    title: 'Examples',
    cell: ({ examples }) =>
      examples.slice(0, examplesShown).map((id) => <RequestLink key={id} id={id} size="xs" display="block" />)
  }
]
