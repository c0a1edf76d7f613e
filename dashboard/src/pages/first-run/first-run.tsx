import './first-run.css'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { madeTokenBody, tokensBody } from '../../../../src/protocol/api/token-schema.ts'
import { get, send } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { ActionBadge } from '../../components/badges.tsx'
import { tokenPlaceholder } from '../../components/client-lines.ts'
import { ClientTabs } from '../../components/client-tabs.tsx'
import { CopyBlock } from '../../components/copy-button.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { textOf } from '../../components/event-counts.ts'
import { Icon } from '../../components/icons.tsx'
import { Page } from '../../components/page.tsx'
import { useFirstEvent } from './use-first-event.ts'

export function FirstRunPage() {
  return (
    <Page title="Connect a client" about="Create a token, set two values in your client, and see your first call.">
      <FirstRun />
    </Page>
  )
}

/** From nothing to the first event, in three steps. The event itself completes the last one. */
export function FirstRun() {
  const [token, setToken] = useState<string | undefined>(undefined)
  const firstEvent = useFirstEvent()
  return (
    <Stack gap="sm" maw={860} component="ol" className="steps">
      <TokenStep token={token} onMade={setToken} />
      <Step number={2} title="Point a client at this service" isDone={firstEvent !== undefined}>
        <ClientTabs token={token ?? tokenPlaceholder} />
      </Step>
      <Step number={3} title="See the first event" isDone={firstEvent !== undefined}>
        {firstEvent === undefined ? (
          <Group gap="xs" wrap="nowrap" role="status">
            <span className="pulse" aria-hidden="true" />
            <Text size="sm">Waiting for a call. It appears here as soon as it is recorded.</Text>
          </Group>
        ) : (
          <Group gap="sm" role="status">
            <ActionBadge action={firstEvent.sensorMetadata['action']} />
            <Text size="sm">
              {textOf(firstEvent, 'modelId') ?? firstEvent.kind} by{' '}
              {textOf(firstEvent, 'clientSurface') ?? 'an unknown client'}
            </Text>
            {firstEvent.requestId === null ? null : (
              <Button component={Link} to={`/requests/${firstEvent.requestId}`} size="xs">
                See its history
              </Button>
            )}
            <Button component={Link} to="/" variant="default" size="xs" reloadDocument>
              Overview
            </Button>
          </Group>
        )}
      </Step>
    </Stack>
  )
}

function Step({
  number,
  title,
  isDone,
  children
}: {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  readonly children: ReactNode
}) {
  return (
    <li className="card step" data-done={isDone}>
      <span className="step-mark" aria-hidden="true">
        {isDone ? <Icon name="allow" size={16} /> : number}
      </span>
      <div className="step-body">
        <Text component="h2" fw={600} size="md">
          {title}
          {isDone ? <span className="visually-hidden"> (done)</span> : null}
        </Text>
        {children}
      </div>
    </li>
  )
}

function TokenStep({
  token,
  onMade
}: {
  readonly token: string | undefined
  readonly onMade: (token: string) => void
}) {
  const mayMake = useMay('tokens:manage')
  const { data } = useQuery({
    queryKey: ['tokens', 'first'],
    queryFn: ({ signal }) => get('/api/tokens', tokensBody, { signal }),
    enabled: mayMake
  })
  const others = data?.tokens.filter(({ state, scopes }) => state === 'active' && scopes.some(sendsCalls)) ?? []
  const isDone = token !== undefined || others.length > 0
  return (
    <Step number={1} title="Create a token" isDone={isDone}>
      {token !== undefined ? (
        <>
          <Text size="sm" c="dimmed">
            This is the only time it is shown. Store it where you keep your secrets.
          </Text>
          <CopyBlock text={token} label="Token" />
        </>
      ) : mayMake ? (
        <>
          <Text size="sm" c="dimmed">
            {others.length > 0
              ? `There are already tokens (${[...new Set(others.map(({ label }) => label))].slice(0, 4).join(', ')}). Use one of them, or create another for this client.`
              : 'Clients and sensors authenticate with a token. It also says in the records who made a call.'}
          </Text>
          <TokenForm onMade={onMade} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Only admins create tokens. Ask one for yours, then continue with the next step.
        </Text>
      )}
    </Step>
  )
}

const sendsCalls = (scope: string): boolean => scope === 'ingress:write' || scope === 'admin'

function TokenForm({ onMade }: { readonly onMade: (token: string) => void }) {
  const client = useQueryClient()
  const [label, setLabel] = useState('')
  const make = useMutation({
    mutationFn: async () => (await send('POST', '/api/tokens', madeTokenBody, { body: { label } })).body,
    onSuccess: ({ token }) => {
      onMade(token)
      void client.invalidateQueries({ queryKey: ['tokens'] })
    }
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Purpose"
          placeholder="laptops of the platform team"
          required
          withAsterisk={false}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          className="step-input"
        />
        <Button type="submit" loading={make.isPending}>
          Create a token
        </Button>
      </Group>
      {make.error ? (
        <div className="step-error">
          <ErrorBox error={make.error} />
        </div>
      ) : null}
    </form>
  )
}
