import { Button, Menu } from '@mantine/core'
import { withQuery } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { Icon } from './icons.tsx'

/**
 * Exports what is shown to a file: everything that matches the filters, not only the rows on the page. Hidden without
 * the permission.
 */
export function ExportMenu({
  path,
  filters,
  row
}: {
  readonly path: '/api/events/export' | '/api/audit/export'
  readonly filters: Readonly<Record<string, string | undefined>>
  /** What a line of the file contains. */
  readonly row: 'event' | 'row'
}) {
  if (!useMay('audit:export')) return null
  const address = (format: string): string => withQuery(path, { ...filters, format })
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={16} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={address('csv')} download>
          Table (CSV)
        </Menu.Item>
        <Menu.Item component="a" href={address('jsonl')} download>
          One {row} a line (JSON)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
