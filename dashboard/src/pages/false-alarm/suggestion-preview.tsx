import { Group, Stack, Text } from '@mantine/core'
import type { Suggestion } from '../../../../src/protocol/api/suggestion-schema.ts'
import { ActionBadge, KindBadge } from '../../components/badges.tsx'
import { formatCount } from '../../components/format.ts'
import { RequestLink } from '../../components/request-link.tsx'
import { Time } from '../../components/time.tsx'

const examplesShown = 3

/** What else a rule would have let pass in the recorded days. */
export function SuggestionPreview({ suggestion: { preview } }: { readonly suggestion: Suggestion }) {
  if (preview === null) {
    return (
      <Text size="sm" c="dimmed">
        Records contain kinds, not values, so a replay cannot tell how often exactly this value was found.
      </Text>
    )
  }
  return (
    <Stack gap={6}>
      <Text size="sm" fw={560}>
        Since <Time at={preview.from} />,{' '}
        {preview.changed === 0
          ? `none of ${formatCount(preview.events)} calls would have been decided differently.`
          : `${formatCount(preview.changed)} of ${formatCount(preview.events)} calls would have been decided differently:`}
        {preview.isCut ? ' Only the newest were looked at.' : ''}
      </Text>
      {preview.changes.map(({ was, wouldBe, events, by, examples }) => (
        <Group key={`${was} ${wouldBe}`} gap={8}>
          <span className="tabular">{formatCount(events)}</span>
          <ActionBadge action={was} />
          <span aria-label="would be">→</span>
          <ActionBadge action={wouldBe} />
          {Object.entries(by).map(([name, count]) => (
            <KindBadge key={name} kind={name} count={count} />
          ))}
          {examples.slice(0, examplesShown).map((id) => (
            <RequestLink key={id} id={id} size="xs" />
          ))}
        </Group>
      ))}
    </Stack>
  )
}
