/** What all ways to publish a policy have in common. */
import { Alert, Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { noteLengthMax } from '../../../../src/protocol/api/policy-schema.ts'
import { ApiError } from '../../api/problem.ts'
import { Icon } from '../../components/icons.tsx'

/** Whether publishing failed because somebody else published first. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'policy_conflict'

/** The reason of a revision. */
export function NoteField({
  note,
  onChange,
  description,
  isFirst = false
}: {
  readonly note: string
  readonly onChange: (note: string) => void
  readonly description?: string
  /** Whether a dialog opens with the cursor in it. */
  readonly isFirst?: boolean
}) {
  return (
    <TextInput
      label="Note"
      description={description}
      maxLength={noteLengthMax}
      data-autofocus={isFirst || undefined}
      value={note}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Says that somebody else published first, with the way out. */
export function ConflictNotice({
  title,
  action,
  onAction,
  children
}: {
  readonly title: string
  readonly action: string
  readonly onAction: () => void
  readonly children?: ReactNode
}) {
  return (
    <Alert color="orange" className="warn-box" icon={<Icon name="warning" />} title={title} role="alert">
      {children}
      <Button size="xs" onClick={onAction}>
        {action}
      </Button>
    </Alert>
  )
}
