import { Anchor, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AuditRowBody, EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { ActionBadge, EventKind, KindBadge, StateBadge, TierBadge } from '../../components/badges.tsx'
import { EventOutcome, EventSubject } from '../../components/event-cells.tsx'
import { countsOf, nameOf, numberOf, textOf } from '../../components/event-counts.ts'
import { factName, factValue } from '../../components/facts.ts'
import { formatDuration, formatWord } from '../../components/format.ts'
import { sayReason } from '../../components/reason-words.ts'
import { Icon, type IconName } from '../../components/icons.tsx'
import { Time } from '../../components/time.tsx'
import { FalseAlarm } from '../false-alarm/false-alarm-button.tsx'
import { TokenLabel } from '../tokens/token-label.tsx'

/** One event: a call through the service, or a sensor's report. */
export function EventChapter({ event, audit }: { readonly event: EventBody; readonly audit: readonly AuditRowBody[] }) {
  const isCall = event.kind === 'ingress_proxy'
  return (
    <Chapter icon={isCall ? 'live' : event.kind === 'tool_call_enforcement' ? 'tools' : 'info'} at={event.occurredAt}>
      <Group gap="xs">
        <Text fw={600} component="h3" size="sm">
          <EventKind kind={event.kind} />
        </Text>
        <EventOutcome event={event} />
        {event.sensorMetadata['riskTier'] === 'none' ? null : <TierBadge tier={event.sensorMetadata['riskTier']} />}
        <FalseAlarm event={event} />
      </Group>
      <Text size="sm">
        <EventSubject event={event} />
        <Origin event={event} />
      </Text>
      <Decision event={event} />
      <Findings event={event} />
      {isCall ? <Upstream event={event} /> : null}
      <Facts event={event} />
      {audit.map((row) => (
        <AuditLine key={row.sequence} row={row} />
      ))}
    </Chapter>
  )
}

/** An audit row without an event of its own. */
export function AuditChapter({ row }: { readonly row: AuditRowBody }) {
  return (
    <Chapter icon="audit" at={row.at}>
      <Group gap="xs">
        <Text fw={600} component="h3" size="sm">
          {formatWord(row.action)}
        </Text>
        <ActionBadge action={row.detail['action']} />
      </Group>
      <AuditLine row={row} />
    </Chapter>
  )
}

function Chapter({
  icon,
  at,
  children
}: {
  readonly icon: IconName
  readonly at: string
  readonly children: ReactNode
}) {
  return (
    <li className="chapter">
      <span className="chapter-mark">
        <Icon name={icon} size={16} />
      </span>
      <div className="chapter-body">
        <Text size="xs" c="dimmed">
          <Time at={at} />
        </Text>
        {children}
      </div>
    </li>
  )
}

/** The agent or the sensor that it came from. */
function Origin({ event }: { readonly event: EventBody }) {
  const [surface, sensor] = [nameOf(event, 'clientSurface'), nameOf(event, 'sensorId')]
  const known = [surface === 'unknown' ? undefined : surface, sensor].filter((name) => name !== undefined)
  return known.length === 0 ? null : <span className="dimmed">, from {known.join(' by ')}</span>
}

/** Why a tool call was decided as it was. */
function Decision({ event }: { readonly event: EventBody }) {
  const [rule, reason] = [nameOf(event, 'ruleId'), textOf(event, 'reasonCode')]
  if (event.kind !== 'tool_call_enforcement' || (rule === undefined && reason === undefined)) return null
  return (
    <dl className="facts">
      {rule === undefined ? null : (
        <Fact name="Rule">
          <span className="mono">{rule}</span>
        </Fact>
      )}
      {reason === undefined ? null : <Fact name="Why">{sayReason(reason)}</Fact>}
    </dl>
  )
}

function Findings({ event }: { readonly event: EventBody }) {
  const [found, passed] = [countsOf(event), countsOf(event, 'passedCounts')]
  if (found.length + passed.length === 0) return null
  return (
    <dl className="facts">
      {found.length === 0 ? null : (
        <Fact name="Found">
          <Kinds counts={found} />
        </Fact>
      )}
      {passed.length === 0 ? null : (
        <Fact name="Let through">
          <Kinds counts={passed} />
        </Fact>
      )}
    </dl>
  )
}

const Kinds = ({ counts }: { readonly counts: readonly [string, number][] }) => (
  <Group gap={4}>
    {counts.map(([kind, count]) => (
      <KindBadge key={kind} kind={kind} count={count} />
    ))}
  </Group>
)

function Upstream({ event }: { readonly event: EventBody }) {
  const status = numberOf(event, 'upstreamStatus')
  const ms = numberOf(event, 'upstreamMs')
  const code = textOf(event, 'errorCode')
  return (
    <dl className="facts">
      <Fact name="Upstream">
        {status === undefined ? (
          <Unanswered event={event} />
        ) : (
          <Group gap={6}>
            <StateBadge state={status < 400 ? 'good' : 'warn'}>{`answered ${status}`}</StateBadge>
            {ms === undefined ? null : <span className="dimmed tabular">first byte after {formatDuration(ms)}</span>}
          </Group>
        )}
      </Fact>
      {code === undefined ? null : (
        <Fact name="Error">
          <span className="mono">{code}</span>
        </Fact>
      )}
    </dl>
  )
}

/** A call without an answer: it was never made, or it failed with an error of the system or TLS. */
function Unanswered({ event }: { readonly event: EventBody }) {
  const { outcome, errorCode } = event.sensorMetadata
  const wasAsked = outcome === 'upstream_failed' || errorCode === 'draining'
  const fault = textOf(event, 'upstreamFault')
  return (
    <Group gap={6}>
      <StateBadge state={wasAsked ? 'warn' : 'quiet'}>{wasAsked ? 'gave no answer' : 'not asked'}</StateBadge>
      {fault === undefined ? null : <span className="mono">{fault}</span>}
    </Group>
  )
}

/** Members that are shown elsewhere on the page, or are meaningless to people. */
const shownElsewhere: ReadonlySet<string> = new Set([
  'action',
  'riskTier',
  'outcome',
  'entityCounts',
  'passedCounts',
  'modelId',
  'modelProvider',
  'mcpToolName',
  'downstreamServer',
  'upstreamStatus',
  'upstreamMs',
  'upstreamFault',
  'errorCode',
  'policyRevision',
  'clientSurface',
  'sensorId'
])

function Facts({ event }: { readonly event: EventBody }) {
  const facts = Object.entries(event.sensorMetadata).filter(
    ([name, value]) => !shownElsewhere.has(name) && value !== null
  )
  return (
    <details className="more">
      <summary>Everything recorded</summary>
      <dl className="facts">
        <Fact name="Event ID">
          <span className="mono">{event.eventId}</span>
        </Fact>
        <Fact name="Reported by">{event.origin === 'service' ? 'this service' : 'a sensor'}</Fact>
        <Fact name="Received">
          <Time at={event.receivedAt} />
        </Fact>
        {event.tokenId === null ? null : (
          <Fact name="Token">
            <Anchor component={Link} to="/tokens" inherit className="mono">
              {event.tokenId}
            </Anchor>
            <TokenLabel id={event.tokenId} />
          </Fact>
        )}
        {facts.map(([name, value]) => (
          <Fact key={name} name={factName(name)}>
            {factValue(name, value)}
          </Fact>
        ))}
      </dl>
    </details>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function AuditLine({ row }: { readonly row: AuditRowBody }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" className="audit-line" id={`audit-${row.sequence}`}>
      <Icon name="seal" size={14} />
      <span>
        Audit row <span className="tabular">{row.sequence}</span>: <span className="mono">{row.action}</span> by{' '}
        <span className="mono">{row.actor}</span>
        {row.tokenId === null ? null : <TokenLabel id={row.tokenId} />}, <Time at={row.at} />
      </span>
    </Group>
  )
}
