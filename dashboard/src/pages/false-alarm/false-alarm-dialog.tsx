import '../policy/policy.css'
import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import type { EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { suggestionsBody, type Suggestion } from '../../../../src/protocol/api/suggestion-schema.ts'
import { send } from '../../api/client.ts'
import { KindBadge } from '../../components/badges.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Loading } from '../../components/loading.tsx'
import { PublishSuggestion } from './publish-suggestion.tsx'

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
  const submit = (): void => {
    setValue(typed)
    setChosen('0')
  }
  return (
    <Dialog onClose={onClose} size="xl" title="This was a false alarm">
      <Stack gap="lg">
        {isAboutTool ? null : (
          <ValueForm
            typed={typed}
            onType={setTyped}
            isAsked={typed === value}
            isLoading={asked.isFetching}
            onSubmit={submit}
          />
        )}
        <ErrorBox error={asked.error} title="No rule could be suggested" onRetry={() => void asked.refetch()} />
        {asked.isPending ? <Loading /> : null}
        {asked.data ? (
          <>
            {isAboutTool ? (
              <Text size="sm">The call was refused because of its tool, not its content.</Text>
            ) : (
              <Kinds kinds={asked.data.kinds} />
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

/** Where the value that was found can be pasted. */
function ValueForm({
  typed,
  onType,
  isAsked,
  isLoading,
  onSubmit
}: {
  readonly typed: string
  readonly onType: (text: string) => void
  /** Whether the rules shown are those for the text that is typed. */
  readonly isAsked: boolean
  readonly isLoading: boolean
  readonly onSubmit: () => void
}) {
  const submit = (submitted: FormEvent): void => {
    submitted.preventDefault()
    onSubmit()
  }
  return (
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
        onChange={(changed) => onType(changed.currentTarget.value)}
        onKeyDown={submitByEnter}
      />
      <Button type="submit" size="xs" variant="default" mt={6} disabled={isAsked} loading={isLoading}>
        Find matching rules
      </Button>
    </form>
  )
}

function Kinds({ kinds }: { readonly kinds: readonly string[] }) {
  return (
    <Group gap={6}>
      <Text size="sm">Findings:</Text>
      {kinds.length === 0 ? <Text size="sm">no kind is on record</Text> : null}
      {kinds.map((kind) => (
        <KindBadge key={kind} kind={kind} />
      ))}
    </Group>
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
