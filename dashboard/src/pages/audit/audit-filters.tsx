import { Autocomplete, Button, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { eventKindOf, eventWord } from '../../components/event-words.ts'
import { formatName } from '../../components/format.ts'
import { useTokenLabels } from '../tokens/token-label.tsx'
import { auditActionNames } from './audit-words.ts'

const filterNames = ['action', 'actor', 'requestId', 'from', 'to'] as const
export type Filters = Partial<Record<(typeof filterNames)[number], string>>

export function filtersOf(parameters: URLSearchParams): Filters {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = parameters.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    })
  )
}

/** The filters of the audit; they take effect together, when they are submitted. */
export function AuditFilters({
  filters,
  onChange
}: {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}) {
  const [fields, setFields] = useState<Filters>({
    ...filters,
    ...(filters.action === undefined ? {} : { action: eventWord(filters.action) })
  })
  const set = (name: keyof Filters, value: string) => setFields({ ...fields, [name]: value })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const given = Object.entries(fields).filter(([, value]) => value.trim() !== '')
    const known = given.map(([name, value]) => [name, name === 'action' ? actionOf(value, filters) : value.trim()])
    onChange(Object.fromEntries(known))
  }
  return (
    <form onSubmit={submit} role="search" aria-label="Filters of the audit">
      <div className="filters">
        <ActionField value={fields.action ?? ''} onChange={(value) => set('action', value)} />
        <ActorField value={fields.actor ?? ''} onChange={(value) => set('actor', value)} />
        <TextInput
          className="filter"
          label="Request ID"
          placeholder="any"
          value={fields.requestId ?? ''}
          onChange={(event) => set('requestId', event.currentTarget.value)}
        />
        <Autocomplete
          className="filter"
          label="From"
          placeholder="24h, 7d or a time"
          data={['1h', '24h', '7d', '30d']}
          value={fields.from ?? ''}
          onChange={(value) => set('from', value)}
        />
        <TextInput
          className="filter"
          label="To"
          placeholder="now, 1h or a time"
          value={fields.to ?? ''}
          onChange={(event) => set('to', event.currentTarget.value)}
        />
        <Button type="submit">Search</Button>
        {Object.keys(filters).length > 0 ? (
          <Button variant="default" onClick={() => onChange({})}>
            Clear
          </Button>
        ) : null}
      </div>
    </form>
  )
}

/** The words of an action that is in no list came from the address, and mean what stood there. */
function actionOf(text: string, { action }: Filters): string {
  return eventKindOf(text, action === undefined ? auditActionNames : [...auditActionNames, action])
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A choice: the words that people read, and a note beside them. Both can be searched. */
interface Words {
  readonly text: string
  readonly note?: string | undefined
}

const includes = (text: string, search: string): boolean => text.toLowerCase().includes(search.trim().toLowerCase())

/** Chooses an action by its words or its code word; others, such as kinds of a sensor's events, can be typed. */
function ActionField(props: FieldProps) {
  const choices = new Map(auditActionNames.map((kind) => [eventWord(kind), { text: eventWord(kind), note: kind }]))
  return <ChoiceField {...props} label="Action" placeholder="any" choices={choices} />
}

/** Tokens are suggested by their labels; what is searched is the actor's own name. */
function ActorField(props: FieldProps) {
  const labels = useTokenLabels()
  const choices = new Map(
    [...labels].map(([id, label]) => [`token:${id}`, { text: formatName(label), note: `token:${id}` }])
  )
  return <ChoiceField {...props} label="Actor" placeholder="token or user:kim" choices={choices} limit={actorsMax} />
}

/** Most actors that are suggested at once: a workspace may have thousands of tokens. */
const actorsMax = 50

/** A text field that suggests values, each by its words. Any other text can be typed. */
function ChoiceField({
  choices,
  ...props
}: FieldProps & {
  readonly label: string
  readonly placeholder: string
  /** The words of each value. */
  readonly choices: ReadonlyMap<string, Words>
  readonly limit?: number
}) {
  const isFound = (value: string, search: string): boolean => {
    const { text, note } = choices.get(value) ?? { text: value, note: '' }
    return includes(`${text} ${note}`, search)
  }
  return (
    <Autocomplete
      {...props}
      className="filter"
      data={[...choices.keys()]}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
      filter={({ options, search, limit }) =>
        options.filter((one) => 'value' in one && isFound(one.value, search)).slice(0, limit)
      }
      renderOption={({ option }) => <Choice {...(choices.get(option.value) ?? { text: option.value })} />}
    />
  )
}

function Choice({ text, note }: Words) {
  return (
    <div className="choice">
      <Text size="sm">{text}</Text>
      <Text size="xs" c="dimmed" className="mono">
        {note}
      </Text>
    </div>
  )
}
