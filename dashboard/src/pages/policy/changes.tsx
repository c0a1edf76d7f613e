import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { diffPolicies, type PolicyChange } from '../../../../src/policy/diff/diff.ts'
import type { PolicyDocuments } from '../../../../src/policy/revision.ts'
import { StateBadge } from '../../components/badges.tsx'
import { Icon, type IconName } from '../../components/icons.tsx'

/** The semantic differences between two policies: order and spelled-out defaults do not count. */
export const useChanges = (before: PolicyDocuments, after: PolicyDocuments): readonly PolicyChange[] =>
  useMemo(() => diffPolicies(before, after), [before, after])

/** The differences between two policies that are both loaded. */
export function Differences({ before, after }: { readonly before: PolicyDocuments; readonly after: PolicyDocuments }) {
  return <ChangeList changes={useChanges(before, after)} />
}

const icons: Readonly<Record<PolicyChange['kind'], IconName>> = { added: 'plus', removed: 'close', changed: 'refresh' }

/** Differences as sentences with their values; those that let more pass are marked. */
export function ChangeList({
  changes,
  marked,
  empty = 'No change in meaning.'
}: {
  readonly changes: readonly PolicyChange[]
  /** Pointers of differences that somebody else made as well. */
  readonly marked?: ReadonlySet<string>
  readonly empty?: string
}) {
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    )
  }
  return (
    <ul className="policy-changes">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.path}`}>
          <span className="change-icon" data-change={change.kind}>
            <Icon name={icons[change.kind]} size={14} />
          </span>
          <div className="change-text">
            {change.says} {change.softens ? <StateBadge state="warn">lets more pass</StateBadge> : null}{' '}
            {marked?.has(change.path) ? <StateBadge state="bad">both changed this</StateBadge> : null}
            <ChangeValues change={change} />
          </div>
        </li>
      ))}
    </ul>
  )
}

const shownLengthMax = 400

function ChangeValues({ change: { before, after, path } }: { readonly change: PolicyChange }) {
  return (
    <div className="change-values">
      <span className="mono dimmed">{path}</span>
      {before === undefined ? null : (
        <del className="mono">
          <span className="visually-hidden">before: </span>
          {shown(before)}
        </del>
      )}
      {after === undefined ? null : (
        <ins className="mono">
          <span className="visually-hidden">after: </span>
          {shown(after)}
        </ins>
      )}
    </div>
  )
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)} …` : text
}
