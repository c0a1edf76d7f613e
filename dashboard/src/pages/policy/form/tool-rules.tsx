import {
  ActionIcon,
  Button,
  Group,
  NativeSelect,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title
} from '@mantine/core'
import { useState } from 'react'
import { effects } from '../../../../../src/policy/tools/policy.ts'
import { StateBadge } from '../../../components/badges.tsx'
import { Icon } from '../../../components/icons.tsx'
import { formatName } from '../../../components/format.ts'
import { entriesAt, textOr, valueAt, withValue } from '../documents.ts'
import type { FormProps } from './form-view.tsx'

const effectNames = { deny: 'Deny', ask: 'Ask', allow: 'Allow' } as const
const effectChoices = effects.map((value) => ({ value, label: effectNames[value] }))
const rulesPath = ['mcpToolPolicy', 'rules']

export function ToolRules({ documents, onChange }: FormProps) {
  const at = (...path: string[]) => valueAt(documents, ['mcpToolPolicy', ...path])
  const set = (path: readonly string[], value: unknown) =>
    onChange(withValue(documents, ['mcpToolPolicy', ...path], value))
  const pick = (
    label: string,
    path: readonly string[],
    otherwise: string,
    data: { value: string; label: string }[]
  ) => (
    <Select
      label={label}
      data={data}
      value={textOr(at(...path), otherwise)}
      allowDeselect={false}
      onChange={(value) => set(path, value ?? otherwise)}
    />
  )
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {pick('Mode', ['mode'], 'enforce', [
          { value: 'enforce', label: 'Enforce' },
          { value: 'observe', label: 'Observe: report and let pass' }
        ])}
        {pick('Calls that no rule matches', ['defaultEffect'], 'allow', effectChoices)}
        {pick('Servers that are not listed', ['unknownServer'], 'judge', [
          { value: 'judge', label: 'Judged by the rules' },
          { value: 'ask', label: 'At least asked' },
          { value: 'deny', label: 'Denied' }
        ])}
        {pick('Pins of tool definitions', ['pins', 'mode'], 'off', [
          { value: 'off', label: 'Off' },
          { value: 'first-use', label: 'Trust on first use' },
          { value: 'strict', label: 'Listed definitions only' }
        ])}
      </SimpleGrid>
      <div>
        <Title order={3} size={14} mb={6}>
          Rules
        </Title>
        <RuleList documents={documents} onChange={onChange} />
      </div>
      <NewRule documents={documents} onChange={onChange} />
    </Stack>
  )
}

/** How many rules are shown at first and added on demand: a policy may have thousands. */
const rulesStep = 20

function RuleList({ documents, onChange }: FormProps) {
  const [shown, setShown] = useState(rulesStep)
  const rules = entriesAt(documents, rulesPath)
  const replace = (place: number, rule: Record<string, unknown> | null): void => {
    const next = rule === null ? rules.toSpliced(place, 1) : rules.with(place, rule)
    onChange(withValue(documents, rulesPath, next))
  }
  if (rules.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        There are no rules.
      </Text>
    )
  }
  return (
    <>
      <ul className="rule-list">
        {rules.slice(0, shown).map((rule, place) => (
          <li key={`${textOr(rule['id'], '')} ${place}`} className="rule-row">
            <div>
              <Group gap={8}>
                <span className="mono">{textOr(rule['id'], '')}</span>
                {Array.isArray(rule['when']) && rule['when'].length > 0 ? (
                  <StateBadge state="quiet">with conditions</StateBadge>
                ) : null}
              </Group>
              <Text size="sm" c="dimmed">
                {globText(rule['tool'])} on {globText(rule['server'])}
                {typeof rule['reason'] === 'string' ? `: ${formatName(rule['reason'])}` : ''}
              </Text>
            </div>
            {/* The browser's own: a list of drawn ones is most of the time that the page takes. */}
            <NativeSelect
              aria-label={`Effect of rule ${textOr(rule['id'], '')}`}
              data={effectChoices}
              value={textOr(rule['effect'], '')}
              onChange={({ currentTarget }) => replace(place, { ...rule, effect: currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove rule ${textOr(rule['id'], '')}`}
              onClick={() => replace(place, null)}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {rules.length > shown ? (
        <Group mt="xs" gap="sm">
          <Text size="sm" c="dimmed">
            {shown} of {rules.length} rules
          </Text>
          <Button variant="default" size="compact-sm" onClick={() => setShown(shown + rulesStep)}>
            Show more
          </Button>
        </Group>
      ) : null}
    </>
  )
}

function globText(globs: unknown): string {
  if (globs === undefined || globs === '*') return 'any'
  return Array.isArray(globs) ? globs.join(', ') : textOr(globs, 'any')
}

/** A single glob is written as a string, several as a list. */
function globsIn(text: string): string | string[] {
  const globs = text.split(/[\s,]+/).filter((glob) => glob !== '')
  return globs.length > 1 ? globs : (globs[0] ?? '*')
}

const empty = { id: '', tool: '', server: '', reason: '' }

function NewRule({ documents, onChange }: FormProps) {
  const [fields, setFields] = useState(empty)
  const [effect, setEffect] = useState<string>('deny')
  const rules = entriesAt(documents, rulesPath)
  const isTaken = rules.some(({ id }) => id === fields.id.trim())
  const text = (name: keyof typeof empty, label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={fields[name]}
      error={name === 'id' && isTaken ? 'A rule with this name already exists.' : undefined}
      onChange={(event) => setFields({ ...fields, [name]: event.currentTarget.value })}
    />
  )
  const add = (): void => {
    const reason = fields.reason.trim()
    const rule = {
      id: fields.id.trim(),
      effect,
      server: globsIn(fields.server),
      tool: globsIn(fields.tool),
      ...(reason === '' ? {} : { reason })
    }
    onChange(withValue(documents, rulesPath, [...rules, rule]))
    setFields(empty)
  }
  return (
    <Stack gap="sm">
      <Title order={3} size={14}>
        New rule
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }} spacing="sm">
        {text('id', 'Name', 'no-deletes')}
        <Select
          label="Effect"
          data={effectChoices}
          value={effect}
          allowDeselect={false}
          onChange={(value) => setEffect(value ?? 'deny')}
        />
        {text('tool', 'Tools', 'delete_*, drop_*')}
        {text('server', 'Servers', 'any')}
        {text('reason', 'Reason for the agent', 'It cannot be undone.')}
      </SimpleGrid>
      <Group>
        <Button variant="default" disabled={fields.id.trim() === '' || isTaken} onClick={add}>
          Add the rule
        </Button>
      </Group>
    </Stack>
  )
}
