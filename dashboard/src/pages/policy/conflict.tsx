import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { ChangeList, useChanges } from './changes.tsx'
import type { Documents } from './documents.ts'
import { merge } from './merge.ts'
import type { PolicyDraft } from './use-draft.ts'
import { Dialog } from '../../components/dialog.tsx'
import { formatName } from '../../components/format.ts'

/** Two authors started from the same revision: what each of them changed, side by side, and the options. */
export function ConflictDialog({
  draft,
  documents,
  onClose
}: {
  readonly draft: PolicyDraft
  readonly documents: Documents
  readonly onClose: () => void
}) {
  const { base, current } = draft
  const theirs = useChanges(base, current)
  const mine = useChanges(base, documents)
  const merged = useMemo(
    () => merge(documentsOf(base), documentsOf(documents), documentsOf(current)),
    [base, documents, current]
  )
  const both = useMemo(() => new Set(merged.clashes), [merged])
  const goOn = (next: Documents): void => {
    draft.rebase(next)
    onClose()
  }
  return (
    <Dialog onClose={onClose} size="xl" title="Two changes to the same policy">
      <Stack gap="md">
        <Text size="sm">
          You started from revision {base.sequence}. Meanwhile <span className="mono">{current.author}</span> published
          revision {current.sequence}
          {current.note === '' ? '.' : <>: “{formatName(current.note)}”</>}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <section aria-label="What they changed">
            <Title order={3} size={14} mb="xs">
              They changed
            </Title>
            <ChangeList changes={theirs} />
          </section>
          <section aria-label="What you changed">
            <Title order={3} size={14} mb="xs">
              You changed
            </Title>
            <ChangeList changes={mine} marked={both} />
          </section>
        </SimpleGrid>
        <Text size="sm">
          {both.size === 0
            ? 'The changes do not overlap, so you can keep both.'
            : 'Where both changed the same setting, your change would replace theirs. Check before you publish.'}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => goOn(documentsOf(documents))}>
            Keep only mine (takes theirs back)
          </Button>
          <Button
            variant="default"
            onClick={() => {
              draft.discard()
              onClose()
            }}
          >
            Keep only theirs (discards my draft)
          </Button>
          <Button onClick={() => goOn(merged.value as Documents)}>Apply mine on top of theirs</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const documentsOf = ({ mcpToolPolicy, redactionProfile }: Documents | PolicyDraft['base']): Documents => ({
  mcpToolPolicy,
  redactionProfile
})
