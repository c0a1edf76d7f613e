import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { TokenBody } from '../../../../src/protocol/api/token-schema.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Time } from '../../components/time.tsx'
import { formatName } from '../../components/format.ts'
import { useRevokeToken } from './tokens-queries.ts'

export function RevokeTokenDialog({ token, onClose }: { readonly token: TokenBody; readonly onClose: () => void }) {
  const revoke = useRevokeToken()
  const submit = (): void =>
    revoke.mutate(token.id, {
      onSuccess: () => {
        onClose()
        notifications.show({ color: 'teal', message: `The token “${formatName(token.label)}” is revoked.` })
      }
    })
  return (
    <Dialog onClose={onClose} title={`Revoke “${formatName(token.label)}”?`}>
      <Stack gap="md">
        <ErrorBox error={revoke.error} title="The token was not revoked" />
        <Text size="sm">
          Whoever uses it is refused from then on, everywhere within two seconds. This cannot be taken back.{' '}
          {token.lastUsedAt ? (
            <>
              It was last used <Time at={token.lastUsedAt} ago />.
            </>
          ) : (
            'It was never used.'
          )}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={revoke.isPending} onClick={submit}>
            Revoke it
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
