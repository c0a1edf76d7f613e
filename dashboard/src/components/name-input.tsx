import { TextInput, type TextInputProps } from '@mantine/core'

interface Props extends Pick<TextInputProps, 'readOnly' | 'value'> {
  /** `username` where it is one's own, so that a password manager knows it; `off` where it is somebody else's. */
  readonly autoComplete: 'username' | 'off'
  readonly onType: (name: string) => void
  /** Whether a dialog begins here. */
  readonly 'data-autofocus'?: boolean
}

/** The name of a user, of which no keyboard is to make a word. */
export function NameInput({ autoComplete, onType, ...rest }: Props) {
  return (
    <TextInput
      {...rest}
      label="Name"
      name={autoComplete === 'username' ? 'username' : 'new-user'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      required
      withAsterisk={false}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  )
}
