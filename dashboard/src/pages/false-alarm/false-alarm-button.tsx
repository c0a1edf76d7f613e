import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import type { EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { useMay } from '../../api/session.ts'
import { formatTime } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'

const FalseAlarmDialog = lazy(async () => ({ default: (await import('./false-alarm-dialog.tsx')).FalseAlarmDialog }))

/**
 * Leads from a masked or blocked event to a rule that lets such calls pass. Hidden for other events and without the
 * permission.
 */
export function FalseAlarm({ event, isCompact = false }: { readonly event: EventBody; readonly isCompact?: boolean }) {
  const mayWrite = useMay('policy:write')
  const [isOpen, dialog] = useDisclosure(false)
  const { action } = event.sensorMetadata
  if (!mayWrite || (action !== 'block' && action !== 'mask')) return null
  return (
    <>
      {isCompact ? (
        <Tooltip label="False alarm?">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`False alarm at ${formatTime(new Date(event.occurredAt))}`}
            onClick={dialog.open}
          >
            <Icon name="flag" size={16} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button size="compact-sm" variant="default" leftSection={<Icon name="flag" size={14} />} onClick={dialog.open}>
          False alarm
        </Button>
      )}
      {isOpen ? (
        <Suspense>
          <FalseAlarmDialog event={event} onClose={dialog.close} />
        </Suspense>
      ) : null}
    </>
  )
}
