import { TextInput } from '@mantine/core'

interface Props {
  /** What it searches, for people: `Find a token`. */
  readonly label: string
  readonly value: string
  readonly onType: (wanted: string) => void
}

/** The field above a table that filters its rows by a text. */
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
