import './tokens.css'
import { Button, Group, Switch, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TokenBody } from '../../../../src/protocol/api/token-schema.ts'
import { useMay } from '../../api/session.ts'
import { StateBadge } from '../../components/badges.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FindField } from '../../components/find-field.tsx'
import { Icon } from '../../components/icons.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useShownRows } from '../../components/shown-rows.ts'
import { Time } from '../../components/time.tsx'
import { useNow } from '../../components/use-now.ts'
import { formatName } from '../../components/format.ts'
import { MakeTokenDialog } from './make-token-dialog.tsx'
import { RevokeTokenDialog } from './revoke-token-dialog.tsx'
import { RotateTokenDialog } from './rotate-token-dialog.tsx'
import { tokensQuery } from './tokens-queries.ts'

type Open = { readonly dialog: 'make' } | { readonly dialog: 'rotate' | 'revoke'; readonly token: TokenBody } | null

const about = 'Agents, sensors and programs authenticate with these.'

/** Tokens with which agents, sensors and programs call the service. */
export function TokensPage() {
  if (useMay('tokens:manage')) return <Tokens />
  return (
    <Page title="Tokens" about={about}>
      <Section>
        <EmptyState icon="tokens" title="Only admins manage tokens">
          Ask an admin for a token of your own.
        </EmptyState>
      </Section>
    </Page>
  )
}

function Tokens() {
  const [open, setOpen] = useState<Open>(null)
  const [withOld, setWithOld] = useState(false)
  const [wanted, setWanted] = useState('')
  const pages = useInfiniteQuery(tokensQuery)
  const all = pages.data?.pages.flatMap(({ tokens: page }) => page) ?? []
  const hasOld = all.length > 0
  const tokens = all
    .filter(({ state }) => withOld || state === 'active')
    .filter(({ label, id }) => `${label} ${id}`.toLowerCase().includes(wanted.trim().toLowerCase()))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  const { rows, more } = useShownRows(tokens, pages)
  const close = () => setOpen(null)
  const make = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen({ dialog: 'make' })}>
      New token
    </Button>
  )
  return (
    <Page title="Tokens" about={about} controls={make}>
      <Section
        flush
        title="Workspace tokens"
        controls={
          <Group gap="md">
            <FindField label="Find a token" value={wanted} onType={setWanted} />
            <Switch
              size="sm"
              label="Show revoked and expired"
              checked={withOld}
              onChange={(event) => setWithOld(event.currentTarget.checked)}
            />
          </Group>
        }
      >
        <DataTable
          label="Workspace tokens"
          columns={columnsWith(setOpen)}
          rows={rows}
          rowKey={({ id }) => id}
          isLoading={pages.isPending}
          error={pages.error}
          onRetry={() => void pages.refetch()}
          more={more}
          empty={
            wanted.trim() !== '' ? (
              <EmptyState icon="search" title="No matching tokens">
                {withOld ? 'Search for another label or ID.' : 'It may be revoked or expired: those are hidden.'}
              </EmptyState>
            ) : (
              <EmptyState icon="tokens" title={hasOld ? 'No valid tokens' : 'No tokens yet'} action={make}>
                An agent needs one to send its calls through this service. A token is shown once, when it is created.
              </EmptyState>
            )
          }
        />
      </Section>
      {open?.dialog === 'make' ? <MakeTokenDialog onClose={close} /> : null}
      {open?.dialog === 'rotate' ? <RotateTokenDialog token={open.token} onClose={close} /> : null}
      {open?.dialog === 'revoke' ? <RevokeTokenDialog token={open.token} onClose={close} /> : null}
    </Page>
  )
}

const columnsWith = (open: (what: Open) => void): readonly Column<TokenBody>[] => [
  {
    title: 'Label',
    minWidth: 150,
    cell: ({ label, id }) => (
      <>
        <div className="wrap">{formatName(label)}</div>
        <Text size="xs" c="dimmed" className="mono">
          {id}
        </Text>
      </>
    )
  },
  { title: 'State', cell: (token) => <TokenState token={token} /> },
  {
    title: 'Scopes',
    minWidth: 200,
    cell: ({ scopes }) => (
      <span className="scopes mono">
        {scopes.map((scope) => (
          <span key={scope} className="nowrap">
            {scope}
          </span>
        ))}
      </span>
    )
  },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} ago /> : <span className="dimmed">never</span>)
  },
  {
    title: 'Expires',
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : <span className="dimmed">never</span>)
  },
  {
    title: 'Actions',
    cell: (token) =>
      token.state === 'active' ? (
        <Group gap={6} wrap="nowrap">
          <Button size="compact-xs" variant="default" onClick={() => open({ dialog: 'rotate', token })}>
            Rotate<span className="visually-hidden"> {formatName(token.label)}</span>
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => open({ dialog: 'revoke', token })}>
            Revoke<span className="visually-hidden"> {formatName(token.label)}</span>
          </Button>
        </Group>
      ) : null
  }
]

function TokenState({ token: { state, expiresAt, revokedAt } }: { readonly token: TokenBody }) {
  const now = useNow()
  if (state === 'revoked') {
    return (
      <>
        <StateBadge state="bad">revoked</StateBadge> {revokedAt ? <Time at={revokedAt} ago /> : null}
      </>
    )
  }
  if (state === 'expired') return <StateBadge state="quiet">expired</StateBadge>
  const leftMs = expiresAt === null ? Infinity : new Date(expiresAt).getTime() - now.getTime()
  return leftMs < 7 * 86_400_000 ? (
    <StateBadge state="warn">expires soon</StateBadge>
  ) : (
    <StateBadge state="good">active</StateBadge>
  )
}
