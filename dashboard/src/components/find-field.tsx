import { TextInput } from '@mantine/core'

interface Props {
  /** What it finds, as a person is told: `Find a token`. */
  readonly label: string
  readonly value: string
  readonly onType: (wanted: string) => void
}

/** The field above a table that leaves of its rows those with a text in them. */
export function FindField({ label, value, onType }: Props) {
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  )
}
