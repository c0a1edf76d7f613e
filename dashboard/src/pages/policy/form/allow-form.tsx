import { Anchor, Button, Group, Input, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatCount } from '../../../components/format.ts'
import { textsAt, withValue } from '../documents.ts'
import type { FormProps } from './form-view.tsx'

const paths = {
  emailDomains: ['redactionProfile', 'allow', 'emailDomains'],
  values: ['redactionProfile', 'allow', 'values'],
  patterns: ['redactionProfile', 'allow', 'patterns'],
  deny: ['redactionProfile', 'deny']
} as const

export function AllowForm(props: FormProps) {
  const hashes = textsAt(props.documents, ['redactionProfile', 'allow', 'hmacs']).length
  return (
    <Stack gap="sm">
      <FineAddress {...props} />
      <TextList
        {...props}
        name="emailDomains"
        label="Allowed e-mail domains"
        description="Including their subdomains."
        placeholder="corp.example"
      />
      <TextList
        {...props}
        name="values"
        label="Allowed values"
        description="Exact values. Everybody who can read the policy sees them; you can allow a false alarm by its hash instead."
      />
      {hashes === 0 ? null : (
        <Text size="sm" c="dimmed">
          {hashes === 1 ? '1 value is' : `${hashes} values are`} allowed by keyed hash.
        </Text>
      )}
      <TextList {...props} name="patterns" label="Allowed patterns" description="RE2; each must match a whole value." />
      <TextList
        {...props}
        name="deny"
        label="Words to mask always"
        description="Customer names, code names. Whole words, in upper or lower case."
      />
    </Stack>
  )
}

/** A longer list is not suitable for a form; each entry would be an element on the page. */
const listedMax = 100

function TextList({
  documents,
  onChange,
  name,
  label,
  description,
  placeholder
}: FormProps & {
  readonly name: keyof typeof paths
  readonly label: string
  readonly description: string
  readonly placeholder?: string
}) {
  const texts = textsAt(documents, paths[name])
  if (texts.length > listedMax) {
    return (
      <Input.Wrapper label={label} description={description}>
        <Text size="sm">
          {formatCount(texts.length)} entries.{' '}
          <Anchor component={Link} to="/policy/editor" inherit>
            Change them in the editor
          </Anchor>
        </Text>
      </Input.Wrapper>
    )
  }
  return (
    <TagsInput
      label={label}
      description={description}
      {...(placeholder !== undefined && { placeholder })}
      value={texts}
      onChange={(next) => onChange(withValue(documents, paths[name], next))}
      acceptValueOnBlur
      // A pattern may contain a comma.
      splitChars={[]}
      comboboxProps={{ disabled: true }}
    />
  )
}

/** "Allow an address": only this one, or its whole domain. */
function FineAddress({ documents, onChange }: FormProps) {
  const [address, setAddress] = useState('')
  const trimmed = address.trim()
  const domain = /^[^\s@]+@([^\s@.]+(?:\.[^\s@.]+)+)$/.exec(trimmed)?.[1]?.toLowerCase()
  const add = (name: 'values' | 'emailDomains', value: string): void => {
    const listed = textsAt(documents, paths[name])
    if (!listed.includes(value)) onChange(withValue(documents, paths[name], [...listed, value]))
    setAddress('')
  }
  return (
    <div>
      <TextInput
        label="Allow an address"
        type="email"
        placeholder="support@corp.example"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      {domain === undefined ? (
        trimmed === '' ? null : (
          <Text size="xs" c="dimmed" mt={4}>
            An address must have the form name@domain.
          </Text>
        )
      ) : (
        <Group gap="xs" mt={6}>
          <Button size="xs" variant="default" onClick={() => add('values', trimmed)}>
            Allow this address
          </Button>
          <Button size="xs" variant="default" onClick={() => add('emailDomains', domain)}>
            Allow all of {domain}
          </Button>
        </Group>
      )}
    </div>
  )
}
