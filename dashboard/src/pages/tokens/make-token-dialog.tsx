import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { defaultScopes, scopes, type Scope } from '../../../../src/protocol/scopes.ts'
import { ErrorBox } from '../../components/error-box.tsx'
import { expiryChoices, expiryOf } from './expiry.ts'
import { TokenDialog } from './token-dialog.tsx'
import { useMakeToken } from './tokens-queries.ts'

const meanings: Readonly<Record<Scope, string>> = {
  'ingress:write': 'Send model calls',
  'events:write': 'Send sensor events',
  'policy:read': 'Read and follow the policy',
  'audit:read': 'Read all events and the audit',
  'policy:write': 'Publish policies',
  admin: 'Everything'
}

export function MakeTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const make = useMakeToken()
  const [label, setLabel] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(defaultScopes)
  const [days, setDays] = useState('90')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    make.mutate({ label: label.trim(), scopes: [...chosen], expiresAt: expiryOf(days) })
  }
  return (
    <TokenDialog title="New token" made={make.data} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <ErrorBox error={make.error} title="The token was not created" />
          <TextInput
            label="Label"
            description="Who or what will use it."
            placeholder="laptop-of-kim"
            required
            withAsterisk={false}
            data-autofocus
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          <Checkbox.Group
            label="Scopes"
            description="An agent or a sensor needs the first three."
            value={[...chosen]}
            onChange={setChosen}
          >
            <div className="scope-list">
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  mt={scope === scopes[0] ? 6 : 0}
                  label={
                    <>
                      {meanings[scope]} <span className="mono dimmed">{scope}</span>
                    </>
                  }
                />
              ))}
            </div>
          </Checkbox.Group>
          <Select
            label="Expires"
            data={[...expiryChoices]}
            value={days}
            allowDeselect={false}
            onChange={(value) => setDays(value ?? '')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={make.isPending} disabled={label.trim() === '' || chosen.length === 0}>
              Create the token
            </Button>
          </Group>
        </Stack>
      </form>
    </TokenDialog>
  )
}
