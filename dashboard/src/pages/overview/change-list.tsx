import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { sequenceOf } from '../../../../src/policy/revision.ts'
import { withQuery } from '../../api/client.ts'
import { formatName } from '../../components/format.ts'
import { Icon, type IconName } from '../../components/icons.tsx'
import { Time } from '../../components/time.tsx'
import type { Change } from './changes.ts'
import { usePublished } from './use-overview.ts'

const icons: Readonly<Record<Change['direction'], IconName>> = { up: 'up', down: 'down', new: 'plus' }

/** What differs from the previous range: published policies, and numbers that moved. */
export function ChangeList({ changes, from }: { readonly changes: readonly Change[]; readonly from: string }) {
  const published = usePublished(from).data?.rows ?? []
  if (changes.length === 0 && published.length === 0) {
    return (
      <Text size="sm" c="dimmed" py={6}>
        No notable change.
      </Text>
    )
  }
  return (
    <ul className="changes">
      {published.slice(0, 2).map(({ sequence, at, actor, detail }) => (
        <li key={sequence}>
          <Link to="/policy/history" className="change" title={noteOf(detail)}>
            <Icon name="policy" size={15} />
            <span>
              Policy revision {sequenceOf(text(detail['revision']) ?? '') ?? ''} by {actor} <Time at={at} ago />
              {noteOf(detail) ? `: ${noteOf(detail)}` : ''}
            </span>
          </Link>
        </li>
      ))}
      {changes.map((change) => (
        <li key={change.text}>
          <Link to={withQuery('/search', { ...change.filters, from })} className="change">
            <Icon name={icons[change.direction]} size={15} />
            <span>{formatName(change.text)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const noteOf = (detail: Readonly<Record<string, unknown>>): string => formatName(text(detail['note']) ?? '')

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
