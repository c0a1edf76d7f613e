import { Select, Stack, Switch } from '@mantine/core'
import { presets } from '../../../../../src/policy/redaction/profile.ts'
import { textOr, valueAt, withValue } from '../documents.ts'
import type { FormProps } from './form-view.tsx'

const profile = 'redactionProfile'

const presetNames = { standard: 'Standard', 'coding-agents': 'Coding agents' } as const

const presetMeanings: Readonly<Record<string, string>> = {
  standard: 'High-risk findings block, medium ones are masked, low ones are allowed.',
  'coding-agents':
    'Like standard, but only the newest user text can block. Secrets in tool results and history, which agents resend, are masked. Masked values are put back into answers.'
}

export function ModeForm({ documents, onChange }: FormProps) {
  const set = (path: readonly string[], value: unknown) => onChange(withValue(documents, [profile, ...path], value))
  const at = (...path: string[]) => valueAt(documents, [profile, ...path])
  const preset = textOr(at('preset'), 'standard')
  const restore = at('restore', 'enabled') ?? preset === 'coding-agents'
  return (
    <Stack gap="sm">
      <Select
        label="Preset"
        description={presetMeanings[preset] ?? 'Defaults for everything the policy does not set.'}
        data={presets.map((value) => ({ value, label: presetNames[value] }))}
        value={preset}
        allowDeselect={false}
        onChange={(value) => set(['preset'], value ?? 'standard')}
      />
      <Select
        label="Mode"
        data={[
          { value: 'enforce', label: 'Enforce' },
          { value: 'observe', label: 'Observe: count medium and low findings, change nothing' }
        ]}
        value={textOr(at('mode'), 'enforce')}
        allowDeselect={false}
        onChange={(value) => set(['mode'], value ?? 'enforce')}
      />
      <Select
        label="How a block is answered"
        data={[
          { value: 'error', label: 'As an error (403)' },
          { value: 'refusal', label: "As an answer of the model's form, for agents that hide errors" }
        ]}
        value={textOr(at('blockAs'), 'error')}
        allowDeselect={false}
        onChange={(value) => set(['blockAs'], value ?? 'error')}
      />
      <Switch
        label="Requests with high-risk secrets are blocked"
        description="If off, the secrets are masked and the request passes."
        checked={at('blockHighRisk') !== false}
        onChange={(event) => set(['blockHighRisk'], event.currentTarget.checked)}
      />
      <Switch
        label="Masked values are put back into answers"
        description="For the client that sent them. High-risk values only in edits of the text that contains them."
        checked={restore === true}
        onChange={(event) => set(['restore', 'enabled'], event.currentTarget.checked)}
      />
    </Stack>
  )
}
