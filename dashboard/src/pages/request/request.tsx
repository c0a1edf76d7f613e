import './request.css'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { AuditRowBody, EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { isUuid } from '../../../../src/protocol/headers.ts'
import { requestAudit, requestEvents } from '../../api/events.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page, Section } from '../../components/page.tsx'
import { AuditProof } from './audit-proof.tsx'
import { AuditChapter, EventChapter } from './chapters.tsx'
import { PolicyInForce } from './policy-in-force.tsx'
import { summarize, tellStory } from './story.ts'

/** Everything recorded about one request; the service is asked only about what can be a request's ID. */
export function RequestPage() {
  const { requestId = '' } = useParams()
  return isUuid(requestId) ? <RequestRecords requestId={requestId} /> : <NoRequestId />
}

function NoRequestId() {
  return (
    <Page title="Request">
      <Nothing title="This address has no request ID">
        A request ID must be a UUID, as in the header of every answer and in every error.
      </Nothing>
    </Page>
  )
}

/** In place of a record, with the way to others. */
function Nothing({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Section>
      <EmptyState
        icon="search"
        title={title}
        action={
          <Button component={Link} to="/search" variant="default">
            Search
          </Button>
        }
      >
        {children}
      </EmptyState>
    </Section>
  )
}

/** What was recorded, as a timeline. */
function RequestRecords({ requestId }: { readonly requestId: string }) {
  const events = useQuery(requestEvents(requestId))
  const audit = useQuery(requestAudit(requestId))
  const error = events.error ?? audit.error
  const refetch = (): void => void Promise.all([events.refetch(), audit.refetch()])
  const title = (
    <Group gap={4} wrap="nowrap" component="span">
      <span className="mono request-id">{requestId}</span>
      <CopyButton value={requestId} label="Copy the request ID" />
    </Group>
  )
  const isEmpty = events.data?.events.length === 0 && audit.data?.rows.length === 0
  return (
    <Page
      title="Request"
      about={title}
      controls={
        <Button variant="default" onClick={refetch}>
          Refresh
        </Button>
      }
    >
      {error ? (
        <ErrorBox error={error} onRetry={refetch} />
      ) : !events.data || !audit.data ? (
        <Loading />
      ) : isEmpty ? (
        <Nothing title="There is no record of this request">
          The ID may belong to another workspace, or its records may be older than the retention. A call that is still
          running is recorded when it ends.
        </Nothing>
      ) : (
        <Story events={events.data.events} rows={audit.data.rows} />
      )}
    </Page>
  )
}

function Story({ events, rows }: { readonly events: readonly EventBody[]; readonly rows: readonly AuditRowBody[] }) {
  const revision = events.find(({ policyRevision }) => policyRevision !== null)?.policyRevision
  return (
    <Stack gap="sm">
      <Text fw={560} className="wrap">
        {summarize(events)}
      </Text>
      <div className="story-columns">
        <Section title="What happened">
          <ol className="timeline">
            {tellStory(events, rows).map((chapter) =>
              chapter.is === 'event' ? (
                <EventChapter key={chapter.key} event={chapter.event} audit={chapter.audit} />
              ) : (
                <AuditChapter key={chapter.key} row={chapter.row} />
              )
            )}
          </ol>
        </Section>
        <Stack gap="sm">
          {revision ? <PolicyInForce revision={revision} /> : null}
          <AuditProof rows={rows} />
        </Stack>
      </div>
    </Stack>
  )
}
