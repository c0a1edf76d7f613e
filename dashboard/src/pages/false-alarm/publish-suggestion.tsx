import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Suggestion } from '../../../../src/protocol/api/suggestion-schema.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { Differences } from '../policy/changes.tsx'
import { FindingList } from '../policy/findings.tsx'
import { revisionQuery, usePublish } from '../policy/policy-queries.ts'
import { ConflictNotice, isConflict, NoteField } from '../policy/publishing.tsx'
import { useDraft } from '../policy/use-draft.ts'
import { SuggestionPreview } from './suggestion-preview.tsx'

interface PublishSuggestionProps {
  readonly suggestion: Suggestion
  readonly revision: string
  /** A different value was typed since the rules were suggested. */
  readonly isOfAnotherValue: boolean
  readonly onClose: () => void
  readonly onAgain: () => void
}

/** What a rule changes and lets pass, with a note and the ways to publish it. */
export function PublishSuggestion(props: PublishSuggestionProps) {
  const { suggestion, revision, isOfAnotherValue, onClose, onAgain } = props
  const base = useQuery(revisionQuery(revision))
  const { draft } = useDraft()
  const publish = usePublish()
  const [note, setNote] = useState(`False alarm: ${suggestion.title}`)
  const isLate = isConflict(publish.error)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    publish.mutate(
      { documents: suggestion.policy, note: note.trim(), confirm: false, base: revision },
      {
        onSuccess: ({ sequence }) => {
          onClose()
          notifications.show({
            color: 'teal',
            message: `Revision ${sequence} is in force: the next call like this passes.`
          })
        }
      }
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {base.data ? <Differences before={base.data} after={suggestion.policy} /> : null}
        <SuggestionPreview suggestion={suggestion} />
        <Findings suggestion={suggestion} />
        {isLate ? (
          <ConflictNotice
            title="Somebody else has just published"
            action="Base the rule on the new revision"
            onAction={onAgain}
          />
        ) : (
          <ErrorBox error={publish.error ?? base.error} title="The policy was not published" />
        )}
        {draft?.isChanged ? <OtherDraft /> : null}
        <NoteField
          description="It stays in the history and the audit, so do not write the value here."
          note={note}
          onChange={setNote}
        />
        {isOfAnotherValue ? (
          <Text size="sm" role="status">
            This rule does not know the value above yet. Look for rules that fit it first.
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <ReviewFirst {...props} note={note} />
          <Button
            type="submit"
            loading={publish.isPending}
            disabled={!suggestion.isPublishable || isLate || isOfAnotherValue}
          >
            Publish the rule
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Puts the rule into the draft, unless that has other changes or another base. */
function ReviewFirst({
  suggestion,
  revision,
  isOfAnotherValue,
  note,
  onClose
}: PublishSuggestionProps & { readonly note: string }) {
  const { draft } = useDraft()
  const navigate = useNavigate()
  if (!draft || draft.isChanged || draft.head.revision !== revision) return null
  return (
    <Button
      variant="default"
      disabled={isOfAnotherValue}
      onClick={() => {
        draft.rebase(suggestion.policy, note)
        onClose()
        void navigate('/policy')
      }}
    >
      Review it in the policy first
    </Button>
  )
}

function OtherDraft() {
  return (
    <Text size="sm" c="dimmed">
      You also have a draft of the policy. It stays as it is; the rule is published on its own.{' '}
      <Anchor component={Link} to="/policy" inherit>
        See the draft
      </Anchor>
    </Text>
  )
}

function Findings({ suggestion: { findings } }: { readonly suggestion: Suggestion }) {
  if (findings.length === 0) return null
  return (
    <FindingList
      findings={findings.map((finding) => ({
        ...finding,
        severity: finding.severity === 'error' || finding.severity === 'warning' ? finding.severity : 'info'
      }))}
    />
  )
}
