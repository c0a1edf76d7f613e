import { TextInput, type TextInputProps } from '@mantine/core'

interface Props extends Pick<TextInputProps, 'readOnly' | 'value'> {
  /** `username` for one's own name, so that a password manager recognises it; `off` for somebody else's. */
  readonly autoComplete: 'username' | 'off'
  readonly onType: (name: string) => void
  /** Whether it gets the focus when a dialog opens. */
  readonly 'data-autofocus'?: boolean
}

/** The name of a user, without autocorrection. */
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
