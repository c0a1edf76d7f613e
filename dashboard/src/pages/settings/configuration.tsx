import { Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SettingsBody } from '../../../../src/protocol/api/system-schema.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { Loading } from '../../components/loading.tsx'
import { Section } from '../../components/page.tsx'
import { useSettings } from './retention.tsx'

type Variable = SettingsBody['variables'][number]

/** Every variable with which the server was started. Secrets are only shown to be set. */
export function ConfigurationView() {
  const { data, error, refetch } = useSettings()
  const [wanted, setWanted] = useState('')
  if (!data) return error ? <ErrorBox error={error} onRetry={() => void refetch()} /> : <Loading />
  const fits = ({ name, description }: Variable): boolean =>
    `${name} ${description}`.toLowerCase().includes(wanted.trim().toLowerCase())
  const shown = data.variables.filter(fits)
  const sections = [...new Set(shown.map(({ section }) => section))]
  return (
    <Stack gap="md">
      <TextInput
        label="Find a variable"
        maw={340}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          No variable has this in its name or description.
        </Text>
      ) : null}
      {sections.map((section) => {
        const rows = shown.filter((variable) => variable.section === section)
        return (
          <Section key={section} title={section} flush>
            <DataTable label={section} columns={columns} rows={rows} rowKey={({ name }) => name} empty={null} />
          </Section>
        )
      })}
    </Stack>
  )
}

/** A text with names and values in backticks, as in the documentation that is generated from the same table. */
function Words({ text }: { readonly text: string }) {
  // Neither order nor number of the parts ever changes.
  // oxlint-disable-next-line react/no-array-index-key
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}

const columns: readonly Column<Variable>[] = [
  {
    title: 'Variable',
    width: '55%',
    minWidth: 260,
    cell: ({ name, description }) => (
      <>
        <span className="mono">{name}</span>
        <Text size="xs" c="dimmed" className="wrap">
          <Words text={description} />
        </Text>
      </>
    )
  },
  {
    title: 'Holds',
    minWidth: 140,
    cell: ({ value, isSet, isSecret }) =>
      isSecret ? (
        <span className="dimmed">{isSet ? 'a secret, set' : 'not set'}</span>
      ) : value === null || value === '' ? (
        <span className="dimmed">not set</span>
      ) : (
        <span className="mono wrap">{value}</span>
      )
  },
  { title: 'From', cell: ({ isSet }) => (isSet ? 'this server' : 'the default') }
]
