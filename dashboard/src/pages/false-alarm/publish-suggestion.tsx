import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { noteLengthMax } from '../../../../src/protocol/api/policy-schema.ts'
import type { Suggestion } from '../../../../src/protocol/api/suggestion-schema.ts'
import { ApiError } from '../../api/problem.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { Icon } from '../../components/icons.tsx'
import { ChangeList, useChanges } from '../policy/changes.tsx'
import { FindingList } from '../policy/findings.tsx'
import { revisionQuery, usePublish } from '../policy/policy-queries.ts'
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
  const isConflict = publish.error instanceof ApiError && publish.error.code === 'policy_conflict'
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
        {base.data ? <Changes before={base.data} after={suggestion.policy} /> : null}
        <SuggestionPreview suggestion={suggestion} />
        <Findings suggestion={suggestion} />
        {isConflict ? (
          <Conflict onAgain={onAgain} />
        ) : (
          <ErrorBox error={publish.error ?? base.error} title="The policy was not published" />
        )}
        {draft?.isChanged ? <OtherDraft /> : null}
        <TextInput
          label="Note"
          description="It stays in the history and the audit, so do not write the value here."
          maxLength={noteLengthMax}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
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
            disabled={!suggestion.isPublishable || isConflict || isOfAnotherValue}
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

function Conflict({ onAgain }: { readonly onAgain: () => void }) {
  return (
    <Alert
      color="orange"
      className="warn-box"
      icon={<Icon name="warning" />}
      title="Somebody else has just published"
      role="alert"
    >
      <Button size="xs" onClick={onAgain}>
        Base the rule on the new revision
      </Button>
    </Alert>
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

type Documents = Suggestion['policy']

function Changes({ before, after }: { readonly before: Parameters<typeof useChanges>[0]; readonly after: Documents }) {
  return <ChangeList changes={useChanges(before, after)} />
}
