import { Alert, Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { ClientTabs } from '../../components/client-tabs.tsx'
import { CopyBlock } from '../../components/copy-button.tsx'
import { Icon } from '../../components/icons.tsx'

/** A new token, which is only shown here, with the lines that configure clients. */
export function MadeToken({
  token,
  isForClients,
  onClose
}: {
  readonly token: string
  /** Whether it may be used for model calls, so that lines for clients are useful. */
  readonly isForClients: boolean
  readonly onClose: () => void
}) {
  const [isKept, setKept] = useState(false)
  return (
    <Stack gap="md">
      <Alert color="teal" variant="light" icon={<Icon name="tokens" />} title="This is the only time you see it">
        <Text size="sm">The service keeps a hash of it and cannot show it again.</Text>
      </Alert>
      <CopyBlock text={token} label="The token" />
      {isForClients ? (
        <section aria-label="Lines for clients">
          <Title order={3} size={14} mb="xs">
            Set it in a client
          </Title>
          <ClientTabs token={token} />
        </section>
      ) : null}
      <Checkbox
        label="I have stored the token"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isKept} onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
