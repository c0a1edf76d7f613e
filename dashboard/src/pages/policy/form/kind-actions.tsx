import { ActionIcon, Button, Group, NativeSelect, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { groups } from '../../../../../src/detection/findings.ts'
import { findingActions } from '../../../../../src/policy/redaction/profile.ts'
import { TierBadge } from '../../../components/badges.tsx'
import { formatWords } from '../../../components/format.ts'
import { Icon } from '../../../components/icons.tsx'
import { isObject, textOr, valueAt, withValue } from '../documents.ts'
import { kindsOf } from '../kinds.ts'
import type { FormProps } from './form-view.tsx'

const actionNames = { block: 'Block', mask: 'Mask', allow: 'Allow' } as const
const actions = findingActions.map((value) => ({ value, label: actionNames[value] }))
const asPreset = { value: '', label: 'Preset default' }
const path = (...rest: string[]): string[] => ['redactionProfile', 'actions', ...rest]

/** Chooses mask, block or allow for a group or a kind. */
export function KindActions({ documents, onChange }: FormProps) {
  const set = (where: readonly string[], action: string | null) =>
    onChange(withValue(documents, where, action === null || action === '' ? undefined : action))
  return (
    <Stack gap="lg">
      <div>
        <Title order={3} size={14} mb={6}>
          By group
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          {groups.map((group) => (
            <Select
              key={group}
              label={groupNames[group]}
              data={[asPreset, ...actions]}
              value={textOr(valueAt(documents, path('groups', group)), '')}
              allowDeselect={false}
              onChange={(value) => set(path('groups', group), value)}
            />
          ))}
        </SimpleGrid>
      </div>
      <SingleKinds documents={documents} set={set} />
    </Stack>
  )
}

const groupNames: Readonly<Record<(typeof groups)[number], string>> = {
  secret: 'Secrets',
  national_id: 'National IDs',
  financial: 'Financial data',
  pii: 'Personal data',
  contact: 'Contact data',
  network: 'Network addresses'
}

type SetAction = (where: readonly string[], action: string | null) => void

function SingleKinds({ documents, set }: Pick<FormProps, 'documents'> & { readonly set: SetAction }) {
  const kinds = useMemo(() => kindsOf(documents), [documents])
  const chosen = valueAt(documents, path('kinds'))
  const rows = Object.entries(isObject(chosen) ? chosen : {})
  const known = new Map(kinds.map((one) => [one.id, one]))
  return (
    <div>
      <Title order={3} size={14} mb={6}>
        By kind
      </Title>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed" mb="sm">
          No kind has its own action. An action for a kind overrides the one for its group.
        </Text>
      ) : (
        <ul className="rule-list">
          {rows.map(([id, value]) => (
            <KindRow key={id} id={id} kind={known.get(id)} action={textOr(value, '')} set={set} />
          ))}
        </ul>
      )}
      <AddKind kinds={kinds.filter(({ id }) => !rows.some(([name]) => name === id))} set={set} />
    </div>
  )
}

type PolicyKind = ReturnType<typeof kindsOf>[number]

/** A kind that has an action of its own. */
function KindRow({
  id,
  kind,
  action,
  set
}: {
  readonly id: string
  /** Undefined if there is no such kind. */
  readonly kind: PolicyKind | undefined
  readonly action: string
  readonly set: SetAction
}) {
  return (
    <li className="rule-row">
      <Group gap={8}>
        <span className="mono">{id}</span>
        <Text size="sm" c="dimmed">
          {kind?.title ?? 'not a known kind'}
        </Text>
        <TierBadge tier={kind?.tier} />
      </Group>
      <NativeSelect
        aria-label={`Action for ${id}`}
        data={actions}
        value={action}
        onChange={({ currentTarget }) => set(path('kinds', id), currentTarget.value)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove the action for ${id}`}
        onClick={() => set(path('kinds', id), null)}
      >
        <Icon name="close" size={16} />
      </ActionIcon>
    </li>
  )
}

/** Gives one of the other kinds an action of its own. */
function AddKind({ kinds, set }: { readonly kinds: readonly PolicyKind[]; readonly set: SetAction }) {
  const [kind, setKind] = useState<string | null>(null)
  const [action, setAction] = useState<string>('mask')
  return (
    <Group align="flex-end" gap="sm" mt="sm">
      <Select
        label="Kind"
        placeholder="Find a kind"
        searchable
        limit={60}
        w={340}
        maw="100%"
        data={kinds.map(({ id, title, group }) => ({
          value: id,
          label: `${id}: ${title} (${formatWords(group)})`
        }))}
        value={kind}
        onChange={setKind}
      />
      <Select
        label="Action"
        w={120}
        data={actions}
        value={action}
        allowDeselect={false}
        onChange={(value) => setAction(value ?? 'mask')}
      />
      <Button
        variant="default"
        disabled={kind === null}
        onClick={() => {
          if (kind !== null) set(path('kinds', kind), action)
          setKind(null)
        }}
      >
        Set
      </Button>
    </Group>
  )
}
