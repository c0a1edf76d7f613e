import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { TokenBody } from '../../../../src/protocol/api/token-schema.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { formatName } from '../../components/format.ts'
import { TokenDialog } from './token-dialog.tsx'
import { useRotateToken } from './tokens-queries.ts'

const overlaps = [
  { value: '0', label: 'Revoke it now' },
  { value: '3600000', label: 'One hour' },
  { value: '86400000', label: 'One day' },
  { value: '604800000', label: '7 days' }
]

/** Replaces a token by a new one; the old one stays valid for a while so that clients can change over. */
export function RotateTokenDialog({ token, onClose }: { readonly token: TokenBody; readonly onClose: () => void }) {
  const rotate = useRotateToken()
  const [overlapMs, setOverlapMs] = useState('86400000')
  return (
    <TokenDialog title={`Rotate “${formatName(token.label)}”`} made={rotate.data} onClose={onClose}>
      <Stack gap="md">
        <ErrorBox error={rotate.error} title="The token was not rotated" />
        <Text size="sm">This creates a new token with the same label and scopes. It is shown once.</Text>
        <Select
          label="The old token stays valid for"
          data={overlaps}
          value={overlapMs}
          allowDeselect={false}
          onChange={(value) => setOverlapMs(value ?? '86400000')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={rotate.isPending}
            onClick={() => rotate.mutate({ id: token.id, overlapMs: Number(overlapMs) })}
          >
            Rotate
          </Button>
        </Group>
      </Stack>
    </TokenDialog>
  )
}
