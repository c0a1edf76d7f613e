import { Button, List, PasswordInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { passwordLengthMin } from '../../../../src/protocol/api/session-schema.ts'
import { ApiError } from '../../api/problem.ts'
import { checkSetup, useSession, useSetup } from '../../api/session.ts'
import { CopyBlock } from '../../components/copy-button.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Loading } from '../../components/loading.tsx'
import { NameInput } from '../../components/name-input.tsx'
import { Time } from '../../components/time.tsx'
import { Alone } from './alone.tsx'
import { NoSession } from './no-session.tsx'
import { isKeptNowhere, PlainHttp } from './plain-http.tsx'

/** The page of a one-time link: creates the first admin, or sets the password of an invited user. */
export function SetupPage() {
  const { hash } = useLocation()
  const { data: session, error, refetch } = useSession()
  // Codes consist of unreserved characters: any other fragment is not a code, and the service says so.
  const code = hash.slice(1)
  const link = useQuery({
    queryKey: ['session', 'setup', code],
    queryFn: ({ signal }) => checkSetup(code, signal),
    enabled: code !== '',
    retry: false,
    staleTime: Infinity
  })
  // A link is not over because the database is away.
  const again = () => Promise.all([refetch(), link.refetch()])
  if (!session && error) return <NoSession error={error} onReturn={again} />
  // Checked before the link is used up by somebody who then could not be signed in.
  if (isKeptNowhere(session)) {
    return (
      <Alone title="Welcome to Sluice">
        <PlainHttp url={session.secureUrl} />
      </Alone>
    )
  }
  if (code === '') return session && !session.setupNeeded ? <Navigate to="/sign-in" replace /> : <NoLink />
  if (link.isPending || link.isRefetching || !session) return <Loading isPage />
  if (link.error) {
    if (isOver(link.error)) return <LinkOver isForFirst={session.setupNeeded} />
    return (
      <Alone title="This link could not be checked">
        <ErrorBox error={link.error} onRetry={() => void again()} />
      </Alone>
    )
  }
  const { purpose, name, expiresAt } = link.data
  return (
    <Alone
      title={purpose === 'first' ? 'Create the first admin' : 'Set your password'}
      about={
        <>
          This link works once, until <Time at={expiresAt} />.
        </>
      }
    >
      <SetupForm code={code} fixedName={purpose === 'first' ? null : (name ?? '')} />
    </Alone>
  )
}

/** Anything else, such as a database that is away, says nothing about the link. */
const isOver = (error: unknown): boolean =>
  error instanceof ApiError && ['link_over', 'invalid_value'].includes(error.code)

/** @param isForFirst whether there is no user yet, so that nobody could make a new link under Settings */
function LinkOver({ isForFirst }: { readonly isForFirst: boolean }) {
  return (
    <Alone
      title="This link cannot be used"
      about="It was used, has expired, was replaced by a newer one, or is incomplete."
    >
      {isForFirst ? (
        <HowToGetLink />
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            Ask an admin for a new link. If no admin can sign in, run this on the machine of the service:
          </Text>
          <CopyBlock text="sluice admin reset NAME" label="Command for a new link" />
        </Stack>
      )}
    </Alone>
  )
}

function SetupForm({ code, fixedName }: { readonly code: string; readonly fixedName: string | null }) {
  const setup = useSetup()
  const navigate = useNavigate()
  const [name, setName] = useState(fixedName ?? '')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [isTried, setTried] = useState(false)
  const tooShort = password.length < passwordLengthMin
  const differs = password !== again
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (tooShort || differs) return
    const who = fixedName === null ? { name } : {}
    setup.mutate({ code, password, ...who }, { onSuccess: () => void navigate('/', { replace: true }) })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <ErrorBox error={setup.error} />
        <NameInput autoComplete="username" readOnly={fixedName !== null} value={name} onType={setName} />
        <PasswordInput
          label="Password"
          description={`At least ${passwordLengthMin} characters; a few words are better than special characters.`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={password}
          error={isTried && tooShort ? `Must have at least ${passwordLengthMin} characters.` : undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        <PasswordInput
          label="Password again"
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={again}
          error={isTried && !tooShort && differs ? 'The passwords differ.' : undefined}
          onChange={(event) => setAgain(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the repeated password' }}
        />
        <Button type="submit" loading={setup.isPending}>
          {fixedName === null ? 'Create the admin and sign in' : 'Set the password and sign in'}
        </Button>
      </Stack>
    </form>
  )
}

function NoLink() {
  return (
    <Alone title="Welcome to Sluice" about="There is no user yet. Create the first one with a one-time link.">
      <HowToGetLink />
    </Alone>
  )
}

function HowToGetLink() {
  return (
    <Stack gap="sm">
      <List size="sm" spacing={6}>
        <List.Item>The first start of the service prints the link in its log.</List.Item>
        <List.Item>To get a new one, run this on the machine of the service:</List.Item>
      </List>
      <CopyBlock text="sluice admin setup-link" label="Command for a new link" />
    </Stack>
  )
}
