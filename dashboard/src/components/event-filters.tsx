/** The filters of events, kept in the URL: what is shown can be shared as a link. */
import { ActionIcon, Autocomplete, Button, Group, Select, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { providers, sandboxes, surfaces } from '../../../src/protocol/vocabularies.ts'
import type { FilterName, Filters } from '../api/events.ts'
import { formatWord } from './format.ts'
import { Icon } from './icons.tsx'

interface FilterField {
  readonly name: FilterName
  readonly label: string
  /** The values to choose from; without them it is a text field. */
  readonly values?: readonly { readonly value: string; readonly label: string }[]
  /** Suggested values; others can be typed. */
  readonly offered?: readonly string[]
}

const words = (values: readonly string[]) => values.map((value) => ({ value, label: formatWord(value) }))

const fields: readonly FilterField[] = [
  {
    name: 'action',
    label: 'Action',
    values: [
      { value: 'block', label: 'Blocked' },
      { value: 'mask', label: 'Masked' },
      { value: 'allow', label: 'Allowed' }
    ]
  },
  {
    name: 'kind',
    label: 'Event',
    values: [
      { value: 'ingress_proxy', label: 'Model call' },
      { value: 'tool_call_enforcement', label: 'Tool call' },
      { value: 'recording_gap', label: 'Recording gap' }
    ]
  },
  { name: 'riskTier', label: 'Tier', values: words(['high', 'medium', 'low', 'none']) },
  { name: 'clientSurface', label: 'Surface', offered: surfaces },
  { name: 'modelProvider', label: 'Provider', offered: providers },
  { name: 'modelId', label: 'Model' },
  { name: 'entityKind', label: 'Kind of entity' },
  { name: 'mcpToolName', label: 'Tool' },
  { name: 'downstreamServer', label: 'Tool server', offered: sandboxes },
  { name: 'sensorId', label: 'Sensor' },
  { name: 'origin', label: 'Reported by', values: words(['service', 'sensor']) },
  { name: 'requestId', label: 'Request ID' }
]

/** Fields that are always shown; the others are added with the button. */
const first: ReadonlySet<FilterName> = new Set(['action', 'kind', 'clientSurface', 'modelProvider'])

interface Props {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

export function EventFilters({ filters, onChange }: Props) {
  const [isWide, setWide] = useState(false)
  const isShown = ({ name }: FilterField): boolean => isWide || first.has(name) || filters[name] !== undefined
  const change = (name: FilterName, value: string | null): void => {
    const { [name]: _, ...rest } = filters
    onChange(value === null || value === '' ? rest : { ...rest, [name]: value })
  }
  const isFiltered = fields.some(({ name }) => filters[name] !== undefined)
  return (
    <search aria-label="Filters" className="filters">
      {fields.filter(isShown).map((field) => (
        <Field
          // A change from outside (a link, the back button) resets the field.
          key={`${field.name} ${filters[field.name] ?? ''}`}
          field={field}
          value={filters[field.name]}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      <Group gap={4} wrap="nowrap">
        <Button variant="subtle" color="gray" size="sm" onClick={() => setWide(!isWide)} aria-expanded={isWide}>
          {isWide ? 'Fewer filters' : 'More filters'}
        </Button>
        {isFiltered ? (
          <Button variant="subtle" color="gray" size="sm" onClick={() => onChange(timesOf(filters))}>
            Clear
          </Button>
        ) : null}
      </Group>
    </search>
  )
}

const timesOf = ({ from, to }: Filters): Filters => ({ ...(from ? { from } : {}), ...(to ? { to } : {}) })

function Field({
  field,
  value,
  onChange
}: {
  readonly field: FilterField
  readonly value: string | undefined
  readonly onChange: (value: string | null) => void
}) {
  const { label, values, offered } = field
  if (values) {
    return (
      <Select
        label={label}
        size="sm"
        className="filter"
        placeholder="any"
        data={
          values.some((known) => known.value === value) || value === undefined
            ? values
            : [...values, { value, label: value }]
        }
        value={value ?? null}
        onChange={onChange}
        clearable
        clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      />
    )
  }
  return <TextField label={label} offered={offered} value={value} onChange={onChange} />
}

/** A text field that takes effect when submitted, not with each key. */
function TextField({
  label,
  offered,
  value = '',
  onChange
}: {
  readonly label: string
  readonly offered: readonly string[] | undefined
  readonly value: string | undefined
  readonly onChange: (value: string | null) => void
}) {
  const [draft, setDraft] = useState(value)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onChange(draft.trim())
  }
  const leave = (): void => {
    if (draft.trim() !== value) onChange(draft.trim())
  }
  const clear =
    value === '' ? null : (
      <ActionIcon
        variant="transparent"
        color="gray"
        size="sm"
        aria-label={`Clear ${label}`}
        onClick={() => onChange(null)}
      >
        <Icon name="close" size={14} />
      </ActionIcon>
    )
  const shared = { label, size: 'sm', placeholder: 'any', value: draft, onBlur: leave, rightSection: clear } as const
  return (
    <form onSubmit={submit} className="filter">
      {offered ? (
        <Autocomplete {...shared} data={[...offered]} onChange={setDraft} onOptionSubmit={onChange} />
      ) : (
        <TextInput {...shared} spellCheck={false} onChange={(event) => setDraft(event.currentTarget.value)} />
      )}
    </form>
  )
}
