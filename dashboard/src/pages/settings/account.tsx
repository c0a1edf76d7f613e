import { Button, Group, PasswordInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { roleNames } from '../../../../src/protocol/roles.ts'
import { passwordLengthMin, sessionBody, type PasswordRequest } from '../../../../src/protocol/api/session-schema.ts'
import { send, setOwnSession } from '../../api/client.ts'
import { sessionQuery, useSession, useSignOut } from '../../api/session.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'

/** The user's own account: who they are, a new password, and signing out of every browser. */
export function AccountView() {
  const { data: session } = useSession()
  const signOut = useSignOut()
  const user = session?.user
  if (!session || !user) return null
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Section title="You">
        <Stack gap="md">
          <dl className="setting-facts">
            <dt>Name</dt>
            <dd className="mono">{user.name}</dd>
            <dt>Role</dt>
            <dd>{roleNames[user.role]}</dd>
            <dt>Signs in with</dt>
            <dd>{user.provider === 'oidc' ? (session.oidc?.name ?? 'the sign-in provider') : 'password'}</dd>
            <dt>This session ends</dt>
            <dd>{session.endsAt === null ? '' : <Time at={session.endsAt} />}</dd>
          </dl>
          <ErrorBox error={signOut.error} />
          <Group gap="xs">
            <Button variant="default" onClick={() => signOut.mutate({ everywhere: false })}>
              Sign out
            </Button>
            <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate({ everywhere: true })}>
              Sign out everywhere
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            “Everywhere” ends every session of yours, in every browser.
          </Text>
        </Stack>
      </Section>
      {user.provider === 'local' ? <NewPassword name={user.name} /> : null}
    </SimpleGrid>
  )
}

function NewPassword({ name }: { readonly name: string }) {
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: async (body: PasswordRequest) =>
      (await send('POST', '/api/session/password', sessionBody, { body })).body,
    onSuccess: (session) => {
      setOwnSession(session)
      client.setQueryData(sessionQuery.queryKey, { ...session, isEnded: false })
      setCurrent('')
      setPassword('')
      notifications.show({ color: 'teal', message: 'Your password is changed. Your other sessions have ended.' })
    }
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ current, password })
  }
  return (
    <Section title="New password" about="All your other sessions end.">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <ErrorBox error={change.error} title="The password was not changed" />
          {/* For password managers, which want to know whose password it is. */}
          <input type="text" autoComplete="username" value={name} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
          />
          <PasswordInput
            label="New password"
            description={`At least ${passwordLengthMin} characters.`}
            autoComplete="new-password"
            required
            withAsterisk={false}
            minLength={passwordLengthMin}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
