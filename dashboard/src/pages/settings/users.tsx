import { Button, Group, Menu, Select, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { z } from 'zod'
import { isRole, roleNames, roles, type Role } from '../../../../src/protocol/roles.ts'
import {
  madeUserBody,
  usersBody,
  type MadeUserBody,
  type UserBody,
  type UserPatch
} from '../../../../src/protocol/api/user-schema.ts'
import { get, send } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { StateBadge } from '../../components/badges.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CopyBlock } from '../../components/copy-button.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Icon } from '../../components/icons.tsx'
import { NameInput } from '../../components/name-input.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'

const roleChoices = roles.map((value) => ({ value, label: roleNames[value] }))
const pathOf = ({ id }: UserBody): string => `/api/users/${encodeURIComponent(id)}`

function useUserMutation<Variables, Data>(mutationFn: (variables: Variables) => Promise<Data>) {
  const client = useQueryClient()
  // Not awaited: see the tokens.
  return useMutation({ mutationFn, onSettled: () => void client.invalidateQueries({ queryKey: ['users'] }) })
}

/** Who may sign in, and with which role. */
export function UsersView() {
  const { data: session } = useSession()
  const users = useInfiniteQuery({
    queryKey: ['users'],
    queryFn: ({ pageParam, signal }) => get('/api/users', usersBody, { query: { after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined
  })
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<MadeUserBody | null>(null)
  const [removed, setRemoved] = useState<UserBody | null>(null)
  const change = useUserMutation(async ({ user, ...patch }: UserPatch & { readonly user: UserBody }) =>
    send('PATCH', pathOf(user), z.unknown(), { body: patch })
  )
  const link = useUserMutation(
    async (user: UserBody) => (await send('POST', `${pathOf(user)}/link`, madeUserBody)).body
  )
  const act: Acts = {
    self: session?.user?.id,
    setRole: (user, role) => change.mutate({ user, role }),
    setDisabled: (user, disabled) => change.mutate({ user, disabled }),
    makeLink: (user) => link.mutate(user, { onSuccess: setMade }),
    remove: setRemoved
  }
  return (
    <>
      <Section
        flush
        title="Users"
        controls={
          <Button size="sm" leftSection={<Icon name="plus" size={16} />} onClick={() => setNew(true)}>
            New user
          </Button>
        }
      >
        <ErrorBox error={change.error ?? link.error} title="The user was not changed" />
        <DataTable
          label="Users"
          columns={columnsWith(act)}
          rows={users.data?.pages.flatMap((page) => page.users) ?? []}
          more={{ has: users.hasNextPage, isLoading: users.isFetchingNextPage, load: () => users.fetchNextPage() }}
          rowKey={({ id }) => id}
          isLoading={users.isPending}
          error={users.error}
          onRetry={() => void users.refetch()}
          empty={null}
        />
      </Section>
      {isNew ? (
        <NewUserDialog
          onClose={() => setNew(false)}
          onMade={(one) => {
            setNew(false)
            setMade(one)
          }}
        />
      ) : null}
      {made ? <LinkDialog made={made} onClose={() => setMade(null)} /> : null}
      {removed ? <RemoveDialog user={removed} onClose={() => setRemoved(null)} /> : null}
    </>
  )
}

interface Acts {
  /** The current user, who must not accidentally remove their own rights. */
  readonly self: string | undefined
  setRole(user: UserBody, role: Role): void
  setDisabled(user: UserBody, disabled: boolean): void
  makeLink(user: UserBody): void
  remove(user: UserBody): void
}

const columnsWith = (act: Acts): readonly Column<UserBody>[] => [
  {
    title: 'Name',
    cell: ({ name, id, provider }) => (
      <>
        <span className="mono">{name}</span>
        {id === act.self ? <span className="dimmed"> (you)</span> : null}
        {provider === 'oidc' ? (
          <Text size="xs" c="dimmed">
            by the sign-in provider
          </Text>
        ) : null}
      </>
    )
  },
  {
    title: 'Role',
    cell: (user) =>
      user.id === act.self || user.provider === 'oidc' ? (
        <span title={user.provider === 'oidc' ? 'Set by their groups at each sign-in.' : undefined}>
          {roleNames[user.role]}
        </span>
      ) : (
        <Select
          size="xs"
          w={140}
          aria-label={`Role of ${user.name}`}
          data={roleChoices}
          value={user.role}
          allowDeselect={false}
          onChange={(role) => {
            if (role !== null && isRole(role)) act.setRole(user, role)
          }}
        />
      )
  },
  { title: 'State', cell: (user) => <UserState user={user} /> },
  {
    title: 'Last sign-in',
    cell: ({ lastSignInAt }) => (lastSignInAt ? <Time at={lastSignInAt} ago /> : <span className="dimmed">never</span>)
  },
  { title: 'Sessions', align: 'right', cell: ({ sessions }) => sessions },
  { title: 'Actions', cell: (user) => (user.id === act.self ? null : <UserActions user={user} act={act} />) }
]

function UserState({ user: { disabled, hasPassword, provider } }: { readonly user: UserBody }): ReactNode {
  if (disabled) return <StateBadge state="bad">disabled</StateBadge>
  if (provider === 'local' && !hasPassword) return <StateBadge state="warn">has not set a password</StateBadge>
  return <StateBadge state="good">active</StateBadge>
}

function UserActions({ user, act }: { readonly user: UserBody; readonly act: Acts }) {
  return (
    <Menu>
      <Menu.Target>
        <Button size="compact-xs" variant="default">
          Change<span className="visually-hidden"> {user.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {user.provider === 'local' ? (
          <Menu.Item onClick={() => act.makeLink(user)}>Create a link for a new password</Menu.Item>
        ) : null}
        <Menu.Item onClick={() => act.setDisabled(user, !user.disabled)}>
          {user.disabled ? 'Enable' : 'Disable and end every session'}
        </Menu.Item>
        <Menu.Item color="var(--mantine-color-error)" onClick={() => act.remove(user)}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function NewUserDialog({
  onClose,
  onMade
}: {
  readonly onClose: () => void
  readonly onMade: (made: MadeUserBody) => void
}) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const make = useUserMutation(
    async () => (await send('POST', '/api/users', madeUserBody, { body: { name, role } })).body
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    make.mutate(undefined, { onSuccess: onMade })
  }
  return (
    <Dialog onClose={onClose} title="New user">
      <form onSubmit={submit}>
        <Stack gap="md">
          <ErrorBox error={make.error} title="The user was not created" />
          <NameInput autoComplete="off" data-autofocus value={name} onType={setName} />
          <Select
            label="Role"
            description={roleMeanings[role]}
            data={roleChoices}
            value={role}
            allowDeselect={false}
            onChange={(value) => {
              if (value !== null && isRole(value)) setRole(value)
            }}
          />
          <Text size="sm" c="dimmed">
            You get a link for them to set their own password. Nobody else knows the password.
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={make.isPending}>
              Create the user
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const roleMeanings: Readonly<Record<Role, string>> = {
  viewer: 'Sees events, the audit and the policy.',
  analyst: 'Like viewer; also exports, and tries texts and drafts.',
  editor: 'Like analyst; also publishes policies and allows false alarms.',
  admin: 'Everything: also tokens, users and settings.'
}

function LinkDialog({ made, onClose }: { readonly made: MadeUserBody; readonly onClose: () => void }) {
  return (
    <Dialog onClose={onClose} size="lg" title={`A link for ${made.user.name}`} closeOnClickOutside={false}>
      <Stack gap="md">
        <Text size="sm">
          Whoever opens it sets the password. It works once, until <Time at={made.link.expiresAt} />, and is shown only
          now.
        </Text>
        <CopyBlock text={`${location.origin}${made.link.path}`} label="The link" />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function RemoveDialog({ user, onClose }: { readonly user: UserBody; readonly onClose: () => void }) {
  const remove = useUserMutation(async () => send('DELETE', pathOf(user), z.unknown()))
  return (
    <Dialog onClose={onClose} title={`Remove ${user.name}?`}>
      <Stack gap="md">
        <ErrorBox error={remove.error} title="The user was not removed" />
        <Text size="sm">Their sessions end at once. Their actions stay in the audit.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
          >
            Remove
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
