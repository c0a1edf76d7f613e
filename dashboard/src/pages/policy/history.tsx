import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { revisionsBody, type RevisionHead } from '../../../../src/protocol/api/policy-schema.ts'
import { get } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { StateBadge } from '../../components/badges.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Loading } from '../../components/loading.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { formatName } from '../../components/format.ts'
import { Differences } from './changes.tsx'
import { textOf } from './documents.ts'
import { revisionQuery, useRollback } from './policy-queries.ts'
import { NoteField } from './publishing.tsx'
import type { PolicyDraft } from './use-draft.ts'

const pageSize = 50

/** Every revision that was ever in force. */
export function HistoryView({ draft }: { readonly draft: PolicyDraft }) {
  const [shown, setShown] = useState<RevisionHead | null>(null)
  const [rolledBack, setRolledBack] = useState<RevisionHead | null>(null)
  const mayPublish = useMay('policy:write')
  const pages = useInfiniteQuery({
    queryKey: ['policy', 'history'],
    queryFn: ({ pageParam, signal }) =>
      get('/api/workspace/policy/revisions', revisionsBody, { query: { limit: pageSize, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined
  })
  const columns: readonly Column<RevisionHead>[] = [
    {
      title: 'Revision',
      align: 'right',
      cell: ({ sequence, revision }) => <span title={revision}>{sequence}</span>
    },
    { title: 'Published', cell: ({ publishedAt }) => <Time at={publishedAt} /> },
    { title: 'By', cell: ({ author }) => <span className="mono">{author}</span> },
    { title: 'Note', minWidth: 200, cell: ({ note }) => <span className="wrap">{formatName(note)}</span> },
    {
      title: 'Actions',
      cell: (head) => (
        <Group gap={6} wrap="nowrap">
          {head.sequence === draft.head.sequence ? <StateBadge state="good">in force</StateBadge> : null}
          {head.sequence > 1 || head.sequence !== draft.head.sequence || draft.isChanged ? (
            <Button size="compact-xs" variant="default" onClick={() => setShown(head)}>
              Compare<span className="visually-hidden"> revision {head.sequence}</span>
            </Button>
          ) : null}
          {mayPublish && head.sequence !== draft.head.sequence ? (
            <Button size="compact-xs" variant="default" onClick={() => setRolledBack(head)}>
              Roll back<span className="visually-hidden"> to revision {head.sequence}</span>
            </Button>
          ) : null}
        </Group>
      )
    }
  ]
  return (
    <>
      <Section title="History" about="Nothing is ever removed. A rollback publishes an earlier revision again." flush>
        <DataTable
          label="Revisions of the policy"
          columns={columns}
          rows={pages.data?.pages.flatMap(({ revisions }) => revisions) ?? []}
          rowKey={({ sequence }) => sequence}
          empty={null}
          isLoading={pages.isPending}
          error={pages.error}
          onRetry={() => void pages.refetch()}
          more={{ has: pages.hasNextPage, isLoading: pages.isFetchingNextPage, load: () => pages.fetchNextPage() }}
        />
      </Section>
      {shown ? <Comparison head={shown} draft={draft} onClose={() => setShown(null)} /> : null}
      {rolledBack ? <RollbackDialog to={rolledBack} draft={draft} onClose={() => setRolledBack(null)} /> : null}
    </>
  )
}

/** The differences between a revision and another one, or the draft. */
function Comparison({
  head,
  draft,
  onClose
}: {
  readonly head: RevisionHead
  readonly draft: PolicyDraft
  readonly onClose: () => void
}) {
  const before = String(head.sequence - 1)
  const choices = [
    ...(head.sequence > 1 ? [{ value: before, label: `Since revision ${before} (its changes)` }] : []),
    ...(head.sequence === draft.head.sequence ? [] : [{ value: 'head', label: 'To the policy in force' }]),
    ...(draft.isChanged && 'documents' in draft.read ? [{ value: 'draft', label: 'To your draft' }] : [])
  ]
  const [choice, setChoice] = useState(choices[0]?.value ?? 'head')
  const revision = useQuery(revisionQuery(head.revision))
  const previous = useQuery({ ...revisionQuery(before), enabled: choice === before })
  const other =
    choice === 'head'
      ? draft.current
      : choice === 'draft' && 'documents' in draft.read
        ? draft.read.documents
        : previous.data
  const error = revision.error ?? previous.error
  return (
    <Dialog onClose={onClose} size="lg" title={`Revision ${head.sequence}`}>
      <Stack gap="md">
        <Group align="flex-end" justify="space-between">
          <Select
            label="Differences"
            w={300}
            data={choices}
            value={choice}
            allowDeselect={false}
            onChange={(value) => setChoice(value ?? 'head')}
          />
          {revision.data ? (
            <CopyButton value={textOf(revision.data)} label="Copy the policy as JSON" size="md" />
          ) : null}
        </Group>
        <ErrorBox error={error} onRetry={() => void (revision.error ? revision.refetch() : previous.refetch())} />
        {revision.data && other ? (
          choice === before ? (
            <Differences before={other} after={revision.data} />
          ) : (
            <Differences before={revision.data} after={other} />
          )
        ) : error ? null : (
          <Loading />
        )}
      </Stack>
    </Dialog>
  )
}

function RollbackDialog({
  to,
  draft,
  onClose
}: {
  readonly to: RevisionHead
  readonly draft: PolicyDraft
  readonly onClose: () => void
}) {
  const target = useQuery(revisionQuery(to.revision))
  const rollback = useRollback()
  const [note, setNote] = useState(`Back to revision ${to.sequence}.`)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    rollback.mutate(
      { revision: to.revision, note: note.trim(), base: draft.head.revision },
      {
        onSuccess: ({ sequence, unchanged }) => {
          onClose()
          const message = unchanged
            ? 'It is the same as the current policy; nothing changed.'
            : `Revision ${sequence} is in force.`
          notifications.show({ color: 'teal', message })
        }
      }
    )
  }
  return (
    <Dialog onClose={onClose} size="lg" title={`Roll back to revision ${to.sequence}`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">
            Its documents are published anew as revision {draft.head.sequence + 1}. Against the policy in force this
            means:
          </Text>
          {target.data ? <Differences before={draft.current} after={target.data} /> : <Loading />}
          <ErrorBox error={rollback.error ?? target.error} title="The rollback failed" />
          <NoteField note={note} onChange={setNote} isFirst />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rollback.isPending}>
              Roll back
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
