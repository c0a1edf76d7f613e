/** The cells of an event's row: the same in the live view, in the search and in the story of a request. */
import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { EventBody } from '../../../src/protocol/api/reading-schema.ts'
import { ActionBadge, EventKind, KindBadge, StateBadge, TierBadge } from './badges.tsx'
import type { Column } from './data-table.tsx'
import { countsOf, nameOf, textOf } from './event-counts.ts'
import { formatWord } from './format.ts'
import { Time } from './time.tsx'

const kindsShown = 3

function EntityCounts({ event }: { readonly event: EventBody }) {
  const counts = countsOf(event)
  if (counts.length === 0) return null
  return (
    <Group gap={4}>
      {counts.slice(0, kindsShown).map(([kind, count]) => (
        <KindBadge key={kind} kind={kind} count={count} />
      ))}
      {counts.length > kindsShown ? (
        <Text size="xs" c="dimmed">
          and {counts.length - kindsShown} more
        </Text>
      ) : null}
    </Group>
  )
}

const troubles: ReadonlySet<string> = new Set(['refused', 'upstream_failed', 'abandoned'])

/** The action, or how a call without one ended. */
export function EventOutcome({ event }: { readonly event: EventBody }) {
  const outcome = textOf(event, 'outcome')
  const isTrouble = outcome !== undefined && troubles.has(outcome)
  const action = event.sensorMetadata['action']
  return (
    <Group gap={4}>
      {/* That a call was allowed says nothing beside how it failed. */}
      {isTrouble && action === 'allow' ? null : <ActionBadge action={action} />}
      {isTrouble ? <StateBadge state="warn">{formatWord(outcome)}</StateBadge> : null}
    </Group>
  )
}

/** What the event is about: the model of a call, the tool of a tool call, otherwise the sensor that reported it. */
export function EventSubject({ event }: { readonly event: EventBody }) {
  const [tool, server] = [nameOf(event, 'mcpToolName'), nameOf(event, 'downstreamServer')]
  if (tool !== undefined) {
    return (
      <span className="subject" title={tool}>
        <span className="mono">{tool}</span>
        {server === undefined || server === 'unknown' ? null : <span className="dimmed"> at {server}</span>}
      </span>
    )
  }
  const [model, provider] = [nameOf(event, 'modelId'), nameOf(event, 'modelProvider')]
  const code = textOf(event, 'errorCode')
  // An unreadable request has no model to show, but says why it was refused.
  if (code !== undefined && (model ?? provider ?? 'unknown') === 'unknown') {
    return <span className="subject dimmed mono">{code}</span>
  }
  if (model === undefined && provider === undefined) {
    const sensor = nameOf(event, 'sensorId')
    return (
      <span className="subject dimmed" title={sensor}>
        {sensor ?? '–'}
      </span>
    )
  }
  return (
    <span className="subject" title={model}>
      {model ?? provider}
      {model === undefined || provider === undefined ? null : <span className="dimmed"> by {provider}</span>}
    </span>
  )
}

/** The path of the request's story, or undefined for events without a request. */
const storyPath = ({ requestId }: EventBody): string | undefined =>
  requestId === null ? undefined : `/requests/${requestId}`

function EventTime({ event }: { readonly event: EventBody }) {
  const path = storyPath(event)
  if (path === undefined) return <Time at={event.receivedAt} />
  return (
    <Anchor component={Link} to={path} inherit>
      <span className="visually-hidden">History of </span>
      <Time at={event.receivedAt} />
    </Anchor>
  )
}

export const eventColumns: readonly Column<EventBody>[] = [
  { title: 'Time', cell: (event) => <EventTime event={event} /> },
  { title: 'Action', cell: (event) => <EventOutcome event={event} /> },
  { title: 'Event', cell: (event) => <EventKind kind={event.kind} /> },
  { title: 'Model or tool', cell: (event) => <EventSubject event={event} /> },
  { title: 'Surface', cell: (event) => <span className="nowrap">{nameOf(event, 'clientSurface')}</span> },
  { title: 'Tier', cell: (event) => <TierBadge tier={event.sensorMetadata['riskTier']} /> },
  { title: 'Found', minWidth: 190, cell: (event) => <EntityCounts event={event} /> }
]
