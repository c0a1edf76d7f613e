import { SimpleGrid, Text } from '@mantine/core'
import { withQuery } from '../../api/client.ts'
import { BarList, type BarItem } from '../../components/bar-list.tsx'
import { formatCount } from '../../components/format.ts'
import { Section } from '../../components/page.tsx'
import type { ValueTally } from './tally.ts'
import type { DimensionName, Overview } from './use-overview.ts'

const shownMax = 7

const events = ['event', 'events'] as const

const cards: readonly {
  readonly by: DimensionName
  readonly title: string
  readonly unit: readonly [one: string, more: string]
  readonly none: string
}[] = [
  { by: 'clientSurface', title: 'Surfaces', unit: events, none: 'No event says which agent it came from.' },
  { by: 'modelProvider', title: 'Providers', unit: events, none: 'No call went to a provider.' },
  { by: 'modelId', title: 'Models', unit: events, none: 'No call says which model it used.' },
  { by: 'entityKind', title: 'Kinds of entities', unit: ['entity', 'entities'], none: 'Nothing sensitive was found.' },
  { by: 'mcpToolName', title: 'Tools', unit: events, none: 'No sensor reported a tool call.' },
  { by: 'downstreamServer', title: 'Tool servers', unit: events, none: 'No sensor reported a tool server.' }
]

export function Breakdowns({ values, from }: Pick<Overview, 'values' | 'from'>) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
      {cards.map(({ by, title, unit, none }) => (
        <Section key={by} title={title}>
          <Breakdown items={itemsOf(values[by], by, from)} unit={unit} none={none} />
        </Section>
      ))}
    </SimpleGrid>
  )
}

function Breakdown({
  items,
  unit,
  none
}: {
  readonly items: readonly BarItem[]
  readonly unit: readonly [one: string, more: string]
  readonly none: string
}) {
  if (items.length === 0) {
    return (
      <Text size="sm" c="dimmed" py={6}>
        {none}
      </Text>
    )
  }
  const rest = items.slice(shownMax)
  const restSum = rest.reduce((sum, { value }) => sum + value, 0)
  return (
    <>
      <BarList items={items.slice(0, shownMax)} unit={unit[1]} />
      {rest.length === 0 ? null : (
        <Text size="xs" c="dimmed" mt={6} px={8}>
          and {formatCount(rest.length)} more with {formatCount(restSum)} {unit[restSum === 1 ? 0 : 1]}
        </Text>
      )}
    </>
  )
}

function itemsOf(values: readonly ValueTally[], by: DimensionName, from: string): BarItem[] {
  return values
    .filter(({ value }) => value !== '')
    .map(({ value, events, entitiesMasked, block, mask, allow }): BarItem => {
      // Values that were counted together cannot be searched by name.
      const to = value === '(other)' ? undefined : withQuery('/search', { [by]: value, from })
      if (by === 'entityKind') return { name: value, value: entitiesMasked, to }
      return {
        name: value,
        value: events,
        to,
        parts: [
          { part: 'block', value: block },
          { part: 'mask', value: mask },
          { part: 'allow', value: allow }
        ]
      }
    })
    .toSorted((a, b) => b.value - a.value)
}
