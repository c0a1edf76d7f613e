import { Anchor, Collapse, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { warningsBody } from '../../../src/protocol/api/system-schema.ts'
import { get } from '../api/client.ts'
import { Icon } from '../components/icons.tsx'

/** What is weaker than the default rules, shown on every page until it is undone. */
export function WarningsBanner() {
  const { data } = useQuery({
    queryKey: ['warnings'],
    queryFn: ({ signal }) => get('/api/warnings', warningsBody, { signal }),
    refetchInterval: 60_000
  })
  const [isOpen, { toggle }] = useDisclosure(false)
  const [first, ...others] = data?.warnings ?? []
  if (!first) return null
  return (
    <section className="banner" aria-label="What weakens the policy">
      <Icon name="warning" />
      <div className="banner-text">
        <BannerLine warning={first} />
        <Collapse expanded={isOpen}>
          {others.map((warning) => (
            <BannerLine key={`${warning.code} ${warning.path}`} warning={warning} />
          ))}
        </Collapse>
      </div>
      {others.length === 0 ? null : (
        <UnstyledButton className="banner-more" onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? 'Show less' : `${others.length} more`}
        </UnstyledButton>
      )}
    </section>
  )
}

function BannerLine({ warning }: { readonly warning: { readonly message: string; readonly path: string | null } }) {
  return (
    <div>
      {warning.message}{' '}
      {warning.path === null ? null : (
        <Anchor component={Link} to="/policy" inherit c="inherit" underline="always">
          See the policy
        </Anchor>
      )}
    </div>
  )
}
