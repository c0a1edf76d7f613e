import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState, type FormEvent } from 'react'
import { ErrorBox } from '../../components/error-box.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Differences } from './changes.tsx'
import type { Documents } from './documents.ts'
import { FindingList } from './findings.tsx'
import { usePublish } from './policy-queries.ts'
import { ConflictNotice, isConflict, NoteField } from './publishing.tsx'
import type { PolicyDraft } from './use-draft.ts'
import { useLint } from './use-lint.ts'

/** The last check of a draft: what it changes, the service's findings, and the note for the history. */
export function PublishDialog({
  draft,
  documents,
  onClose,
  onConflict
}: {
  readonly draft: PolicyDraft
  readonly documents: Documents
  readonly onClose: () => void
  readonly onConflict: () => void
}) {
  const { report, error: lintError, isCurrent } = useLint(draft.text)
  const publish = usePublish()
  const [note, setNote] = useState(draft.note)
  const [isConfirmed, setConfirmed] = useState(false)
  const isStopped = report !== undefined && !report.isPublishable && !(report.needsConfirm && isConfirmed)
  const isLate = isConflict(publish.error)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    publish.mutate(
      { documents, note: note.trim(), confirm: isConfirmed, base: draft.base.revision },
      {
        onSuccess: ({ sequence }) => {
          draft.discard()
          onClose()
          notifications.show({ color: 'teal', message: `Revision ${sequence} is in force.` })
        }
      }
    )
  }
  return (
    <Dialog onClose={onClose} size="lg" title="Publish the policy">
      <form onSubmit={submit}>
        <Stack gap="md">
          {isLate ? (
            <ConflictNotice title="Somebody else published first" action="Compare and resolve" onAction={onConflict}>
              <Text size="sm" mb="xs">
                Another revision was published since you started. Your changes are not lost.
              </Text>
            </ConflictNotice>
          ) : (
            <ErrorBox error={publish.error} title="The policy was not published" />
          )}
          <Differences before={draft.base} after={documents} />
          <ErrorBox error={lintError} title="The draft could not be checked" />
          {report && report.findings.length > 0 ? <FindingList findings={report.findings} /> : null}
          {report?.needsConfirm ? (
            <Checkbox
              checked={isConfirmed}
              onChange={(event) => setConfirmed(event.currentTarget.checked)}
              label="Yes, agents must not be able to call any tool"
            />
          ) : null}
          <NoteField
            description="The reason. It stays in the history and the audit, so do not write secrets here."
            note={note}
            onChange={setNote}
            isFirst
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Keep editing
            </Button>
            <Button type="submit" loading={publish.isPending} disabled={isStopped || isLate || !isCurrent}>
              Publish as revision {draft.base.sequence + 1}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
