import { Group, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { auditPageSchema, type AuditRowBody } from '../../../../src/protocol/api/reading-schema.ts'
import { get } from '../../api/client.ts'
import { ActionBadge, EventKind } from '../../components/badges.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ExportMenu } from '../../components/export-menu.tsx'
import { formatName } from '../../components/format.ts'
import { Page, Section } from '../../components/page.tsx'
import { RequestLink } from '../../components/request-link.tsx'
import { Time } from '../../components/time.tsx'
import { useTokenLabels } from '../tokens/token-label.tsx'
import { AuditFilters, filtersOf } from './audit-filters.tsx'
import { sayDetail } from './audit-words.ts'
import { AuditVerification } from './audit-verification.tsx'

/** Every decision and every administrative action, and the proof that none of it was changed. */
export function AuditPage() {
  const [parameters, setParameters] = useSearchParams()
  const filters = filtersOf(parameters)
  const pages = useInfiniteQuery({
    queryKey: ['audit', 'rows', filters],
    queryFn: ({ pageParam, signal }) =>
      get('/api/audit', auditPageSchema, { query: { ...filters, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined
  })
  const labels = useTokenLabels()
  const columns = useMemo(() => columnsWith(labels), [labels])
  return (
    <Page
      title="Audit"
      about="Every decision and every administrative action, sealed so that no row can change unnoticed."
      controls={<ExportMenu path="/api/audit/export" filters={filters} row="row" />}
    >
      <Stack gap="md">
        <AuditVerification />
        <Section>
          <AuditFilters key={parameters.toString()} filters={filters} onChange={(next) => setParameters({ ...next })} />
        </Section>
        <Section title="Rows" flush>
          <DataTable
            label="Audit rows"
            columns={columns}
            rows={pages.data?.pages.flatMap(({ rows }) => rows) ?? []}
            rowKey={({ sequence }) => sequence}
            isLoading={pages.isPending}
            error={pages.error}
            onRetry={() => void pages.refetch()}
            more={{ has: pages.hasNextPage, isLoading: pages.isFetchingNextPage, load: () => pages.fetchNextPage() }}
            empty={
              <EmptyState icon="audit" title="No matching rows">
                Widen the filters. Rows older than the audit's retention are gone.
              </EmptyState>
            }
          />
        </Section>
      </Stack>
    </Page>
  )
}

const columnsWith = (labels: ReadonlyMap<string, string>): readonly Column<AuditRowBody>[] => [
  { title: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    // Before the rest, so that a phone shows what was decided without scrolling.
    title: 'Action',
    cell: ({ action, detail }) => (
      <Group gap={4}>
        <EventKind kind={action} />
        <ActionBadge action={detail['action']} />
      </Group>
    )
  },
  { title: 'Actor', minWidth: 170, cell: ({ actor }) => <Actor name={actor} labels={labels} /> },
  { title: 'Detail', minWidth: 320, cell: (row) => <span className="wrap">{sayDetail(row, labels)}</span> },
  {
    title: 'Request',
    cell: ({ requestId }) => (requestId === null ? '' : <RequestLink id={requestId} size="sm" />)
  },
  { title: 'Row', align: 'right', cell: ({ sequence }) => sequence }
]

/** Who acted; a token with its label. */
function Actor({ name, labels }: { readonly name: string; readonly labels: ReadonlyMap<string, string> }) {
  const label = name.startsWith('token:') ? (labels.get(name.slice('token:'.length)) ?? '') : ''
  return (
    <span className="wrap">
      <span className="mono">{name}</span>
      {label === '' ? null : ` (${formatName(label)})`}
    </span>
  )
}
