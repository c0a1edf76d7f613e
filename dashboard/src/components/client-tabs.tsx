import { Alert, Tabs, Text } from '@mantine/core'
import { clients, tokenPlaceholder } from './client-lines.ts'
import { CopyBlock } from './copy-button.tsx'
import { Icon } from './icons.tsx'

/** The lines for each client, with this service's URL. */
export function ClientTabs({ token }: { readonly token: string }) {
  const base = location.origin
  return (
    <Tabs defaultValue={slug(clients[0]?.name ?? '')} keepMounted={false}>
      <Tabs.List className="client-tabs">
        {clients.map(({ name }) => (
          <Tabs.Tab key={name} value={slug(name)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {clients.map(({ name, place, lines }) => (
        <Tabs.Panel key={name} value={slug(name)} pt="xs">
          <Text size="xs" c="dimmed" mb={6}>
            {place}
          </Text>
          <CopyBlock text={lines(base, token)} label={`Lines for ${name}`} />
        </Tabs.Panel>
      ))}
      {token === tokenPlaceholder ? (
        <Alert variant="light" color="gray" mt="xs" icon={<Icon name="info" />}>
          <Text size="sm">
            <span className="mono">{tokenPlaceholder}</span> stands for your token.
          </Text>
        </Alert>
      ) : null}
    </Tabs>
  )
}

/** The values of tabs become ids, which contain no spaces. */
const slug = (name: string): string => name.toLowerCase().replaceAll(' ', '-')
