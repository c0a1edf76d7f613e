import { Anchor, Autocomplete, Button, Stack, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Link, useSearchParams } from 'react-router'
import { auditPageSchema, type AuditRowBody } from '../../../../src/protocol/api/reading-schema.ts'
import { get } from '../../api/client.ts'
import { ActionBadge, EventKind } from '../../components/badges.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ExportMenu } from '../../components/export-menu.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { auditActionNames, sayDetail } from './audit-words.ts'
import { AuditVerification } from './audit-verification.tsx'

const filterNames = ['action', 'actor', 'requestId', 'from', 'to'] as const
type Filters = Partial<Record<(typeof filterNames)[number], string>>

function filtersOf(parameters: URLSearchParams): Filters {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = parameters.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    })
  )
}

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

function AuditFilters({
  filters,
  onChange
}: {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}) {
  const [fields, setFields] = useState(filters)
  const set = (name: keyof Filters, value: string) => setFields({ ...fields, [name]: value })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onChange(Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== '')))
  }
  return (
    <form onSubmit={submit} role="search" aria-label="Filters of the audit">
      <div className="filters">
        <Autocomplete
          className="filter"
          label="Action"
          placeholder="any"
          data={auditActionNames}
          value={fields.action ?? ''}
          onChange={(value) => set('action', value)}
        />
        <TextInput
          className="filter"
          label="Actor"
          placeholder="user:kim, token:…, service"
          value={fields.actor ?? ''}
          onChange={(event) => set('actor', event.currentTarget.value)}
        />
        <TextInput
          className="filter"
          label="Request id"
          placeholder="any"
          value={fields.requestId ?? ''}
          onChange={(event) => set('requestId', event.currentTarget.value)}
        />
        <Autocomplete
          className="filter"
          label="From"
          placeholder="24h, 7d or a time"
          data={['1h', '24h', '7d', '30d']}
          value={fields.from ?? ''}
          onChange={(value) => set('from', value)}
        />
        <TextInput
          className="filter"
          label="To"
          placeholder="now, 1h or a time"
          value={fields.to ?? ''}
          onChange={(event) => set('to', event.currentTarget.value)}
        />
        <Button type="submit">Search</Button>
        {Object.keys(filters).length > 0 ? (
          <Button variant="default" onClick={() => onChange({})}>
            Clear
          </Button>
        ) : null}
      </div>
    </form>
  )
}

const columns: readonly Column<AuditRowBody>[] = [
  { title: 'Time', cell: ({ at }) => <Time at={at} /> },
  { title: 'Actor', width: 140, minWidth: 140, cell: ({ actor }) => <span className="mono wrap">{actor}</span> },
  { title: 'Action', cell: ({ action }) => <EventKind kind={action} /> },
  {
    title: 'Detail',
    minWidth: 420,
    cell: (row) => (
      <span className="wrap">
        <ActionBadge action={row.detail['action']} /> {sayDetail(row)}
      </span>
    )
  },
  {
    title: 'Request',
    cell: ({ requestId }) =>
      requestId === null ? (
        ''
      ) : (
        <Anchor
          component={Link}
          to={`/requests/${encodeURIComponent(requestId)}`}
          className="mono nowrap"
          size="sm"
          title={requestId}
        >
          {requestId.slice(0, 8)}…
        </Anchor>
      )
  },
  { title: 'Row', align: 'right', cell: ({ sequence }) => sequence }
]
