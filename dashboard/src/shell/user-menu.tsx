import { ActionIcon, Menu, Text } from '@mantine/core'
import { roleNames } from '../../../src/protocol/roles.ts'
import type { SessionUser } from '../../../src/protocol/api/session-schema.ts'
import { useSignOut } from '../api/session.ts'
import { Icon } from '../components/icons.tsx'

export function UserMenu({ user }: { readonly user: SessionUser }) {
  const signOut = useSignOut()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="light" size="lg" radius="xl" aria-label={`Signed in as ${user.name}`}>
          <Icon name="user" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className="user-menu-head">
          <Text fw={600} size="sm">
            {user.name}
          </Text>
          <Text size="xs" c="dimmed">
            {roleNames[user.role]}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="signOut" size={16} />}
          onClick={() => signOut.mutate({ everywhere: false })}
        >
          Sign out
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => signOut.mutate({ everywhere: true })}>
          Sign out everywhere
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
