import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { revisionHead } from '../../../../src/protocol/api/policy-schema.ts'
import { get } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { formatName } from '../../components/format.ts'

/** The policy revision that decided, according to the record. */
export function PolicyInForce({ revision }: { readonly revision: string }) {
  const mayRead = useMay('policy:read')
  const { data, error } = useQuery({
    queryKey: ['policy', 'revision', revision, 'head'],
    queryFn: ({ signal }) =>
      get(`/api/workspace/policy/revisions/${encodeURIComponent(revision)}`, revisionHead, { signal }),
    enabled: mayRead,
    staleTime: Infinity
  })
  return (
    <Section title="Policy in force">
      <Text size="sm">
        Revision{' '}
        <Anchor component={Link} to="/policy" inherit className="mono">
          {revision}
        </Anchor>
      </Text>
      {data ? (
        <Text size="sm" c="dimmed" className="wrap">
          by {data.author}, <Time at={data.publishedAt} />
          {data.note === '' ? '' : `: ${formatName(data.note)}`}
        </Text>
      ) : error ? (
        <Text size="sm" c="dimmed">
          This revision is not in the workspace's history. A sensor reports the revision that it has, which may be its
          own.
        </Text>
      ) : null}
    </Section>
  )
}
