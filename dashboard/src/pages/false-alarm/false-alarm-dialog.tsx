import '../policy/policy.css'
import { Alert, Anchor, Button, Group, Radio, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { noteLengthMax } from '../../../../src/protocol/api/policy-schema.ts'
import type { EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { suggestionsBody, type Suggestion } from '../../../../src/protocol/api/suggestion-schema.ts'
import { send } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { KindBadge } from '../../components/badges.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Icon } from '../../components/icons.tsx'
import { Loading } from '../../components/loading.tsx'
import { ChangeList, useChanges } from '../policy/changes.tsx'
import { FindingList } from '../policy/findings.tsx'
import { revisionQuery, usePublish } from '../policy/policy-queries.ts'
import { useDraft } from '../policy/use-draft.ts'
import { SuggestionPreview } from './suggestion-preview.tsx'

/** From a false alarm to a published rule that ends it: what to allow, what else that lets pass, and why. */
export function FalseAlarmDialog({ event, onClose }: { readonly event: EventBody; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [value, setValue] = useState('')
  const [chosen, setChosen] = useState('0')
  const { sequence } = event
  const isAboutTool = event.kind === 'tool_call_enforcement' && !hasFinds(event)
  const asked = useQuery({
    // The pasted value is kept out of the query key, and therefore out of the page's cache.
    queryKey: ['suggestions', sequence, useSecretKey(value)],
    queryFn: async ({ signal }) =>
      (
        await send('POST', '/api/workspace/policy/allow-suggestions', suggestionsBody, {
          body: { sequence, ...(value === '' ? {} : { value }) },
          signal
        })
      ).body,
    gcTime: 0,
    staleTime: Infinity,
    retry: false
  })
  const suggestions = asked.data?.suggestions ?? []
  const place = suggestions[Number(chosen)] === undefined ? 0 : Number(chosen)
  const suggestion = suggestions[place]
  const submit = (submitted: FormEvent): void => {
    submitted.preventDefault()
    setValue(typed)
    setChosen('0')
  }
  return (
    <Dialog onClose={onClose} size="xl" title="This was a false alarm">
      <Stack gap="lg">
        {isAboutTool ? null : (
          <form onSubmit={submit}>
            <Textarea
              label="The value, if you have it"
              data-autofocus
              description="Needed for the narrowest rule. It is used only for this answer and stored nowhere; the policy keeps its hash."
              autosize
              minRows={1}
              maxRows={4}
              spellCheck={false}
              autoComplete="off"
              classNames={{ input: 'mono' }}
              value={typed}
              onChange={(changed) => setTyped(changed.currentTarget.value)}
              onKeyDown={submitByEnter}
            />
            <Button
              type="submit"
              size="xs"
              variant="default"
              mt={6}
              disabled={typed === value}
              loading={asked.isFetching}
            >
              Find matching rules
            </Button>
          </form>
        )}
        <ErrorBox error={asked.error} title="No rule could be suggested" onRetry={() => void asked.refetch()} />
        {asked.isPending ? <Loading /> : null}
        {asked.data ? (
          <>
            {isAboutTool ? (
              <Text size="sm">The call was refused because of its tool, not its content.</Text>
            ) : (
              <Group gap={6}>
                <Text size="sm">Findings:</Text>
                {asked.data.kinds.length === 0 ? <Text size="sm">no kind is on record</Text> : null}
                {asked.data.kinds.map((kind) => (
                  <KindBadge key={kind} kind={kind} />
                ))}
              </Group>
            )}
            {suggestion ? (
              <>
                <Choices suggestions={suggestions} chosen={String(place)} onChoose={setChosen} />
                <PublishSuggestion
                  // A note and an error belong to one choice.
                  key={place}
                  suggestion={suggestion}
                  revision={asked.data.revision}
                  isOfAnotherValue={typed !== value}
                  onClose={onClose}
                  onAgain={() => void asked.refetch()}
                />
              </>
            ) : (
              <Text size="sm">
                No rule would let this pass.{isAboutTool ? '' : ' Paste the value to look further.'}
              </Text>
            )}
          </>
        ) : null}
      </Stack>
    </Dialog>
  )
}

const hasFinds = ({ sensorMetadata }: EventBody): boolean =>
  Object.keys(sensorMetadata['entityCounts'] ?? {}).length > 0

/** A pasted value may have several lines; Shift+Enter adds a line break. */
function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

/** A number that represents a value, so that the value itself is not a cache key. */
function useSecretKey(value: string): number {
  const [seen, setSeen] = useState({ value, count: 0 })
  if (seen.value !== value) setSeen({ value, count: seen.count + 1 })
  return seen.value === value ? seen.count : seen.count + 1
}

function Choices({
  suggestions,
  chosen,
  onChoose
}: {
  readonly suggestions: readonly Suggestion[]
  /** Index in the list. */
  readonly chosen: string
  readonly onChoose: (place: string) => void
}) {
  return (
    <Radio.Group label="What to allow, from the narrowest to the widest" value={chosen} onChange={onChoose}>
      <Stack gap="xs" mt="xs">
        {suggestions.map(({ title, explanation, isPublishable }, place) => (
          <Radio
            key={place}
            value={String(place)}
            disabled={!isPublishable}
            label={title}
            description={isPublishable ? explanation : `${explanation} It cannot be published.`}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function PublishSuggestion({
  suggestion,
  revision,
  isOfAnotherValue,
  onClose,
  onAgain
}: {
  readonly suggestion: Suggestion
  readonly revision: string
  /** A different value was typed since the rules were suggested. */
  readonly isOfAnotherValue: boolean
  readonly onClose: () => void
  readonly onAgain: () => void
}) {
  const base = useQuery(revisionQuery(revision))
  const { draft } = useDraft()
  const publish = usePublish()
  const navigate = useNavigate()
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
        {suggestion.findings.length > 0 ? (
          <FindingList
            findings={suggestion.findings.map((finding) => ({
              ...finding,
              severity: finding.severity === 'error' || finding.severity === 'warning' ? finding.severity : 'info'
            }))}
          />
        ) : null}
        {isConflict ? (
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
        ) : (
          <ErrorBox error={publish.error ?? base.error} title="The policy was not published" />
        )}
        {draft?.isChanged ? (
          <Text size="sm" c="dimmed">
            You also have a draft of the policy. It stays as it is; the rule is published on its own.{' '}
            <Anchor component={Link} to="/policy" inherit>
              See the draft
            </Anchor>
          </Text>
        ) : null}
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
          {draft && !draft.isChanged && draft.head.revision === revision ? (
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
          ) : null}
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

type Documents = Suggestion['policy']

function Changes({ before, after }: { readonly before: Parameters<typeof useChanges>[0]; readonly after: Documents }) {
  return <ChangeList changes={useChanges(before, after)} />
}
