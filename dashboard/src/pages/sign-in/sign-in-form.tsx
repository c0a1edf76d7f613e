import { Button, Divider, PasswordInput, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { withQuery } from '../../api/client.ts'
import { useSession, useSignIn } from '../../api/session.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { NameInput } from '../../components/name-input.tsx'

/** Name and password, and the provider's button if there is one. The page continues once there is a session. */
export function SignInForm({ next }: { readonly next?: string | undefined }) {
  const { data: session } = useSession()
  const signIn = useSignIn()
  // The user whose session ended is nearly always the one who continues.
  const known = session?.user?.provider === 'local' ? session.user.name : ''
  const [name, setName] = useState(known)
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    signIn.mutate({ name, password }, { onSettled: () => setPassword('') })
  }
  return (
    <Stack gap="md">
      {session?.localSignIn === false ? null : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <ErrorBox error={signIn.error} title="You are not signed in" />
            <NameInput
              autoComplete="username"
              {...(known === '' && { 'data-autofocus': true })}
              value={name}
              onType={setName}
            />
            <PasswordInput
              label="Password"
              {...(known !== '' && { 'data-autofocus': true })}
              name="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            />
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
      )}
      {session?.oidc ? (
        <>
          {session.localSignIn ? <Divider label="or" /> : null}
          <Button component="a" variant="default" href={withQuery('/api/session/oidc', { to: next ?? hereAddress() })}>
            Sign in with {session.oidc.name}
          </Button>
        </>
      ) : null}
    </Stack>
  )
}

const hereAddress = (): string => `${location.pathname}${location.search}`
