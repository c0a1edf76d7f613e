import { Button, Group, Loader, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorBox } from './error-box.tsx'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers are aligned to the right. */
  readonly align?: 'left' | 'right'
  readonly width?: number | string
  /** Needed for text that may break anywhere: a narrow screen would otherwise show one letter per line. */
  readonly minWidth?: number
}

interface Props<Row> {
  /** The contents of the table, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  /** Shown if there are no rows. */
  readonly empty: ReactNode
  readonly isLoading?: boolean
  readonly error?: unknown
  readonly onRetry?: () => void
  /** The next page of a keyset, as `useInfiniteQuery` provides it. */
  readonly more?: { readonly has: boolean; readonly isLoading: boolean; load(): unknown } | undefined
}

/** Rows with keyset paging: "more" continues where the rows end, and never shows one twice. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, empty, isLoading = false, error, onRetry, more } = props
  if (error && rows.length === 0) {
    return (
      <div className="section-body">
        <ErrorBox error={error} onRetry={onRetry} />
      </div>
    )
  }
  if (isLoading && rows.length === 0) {
    return (
      <Group justify="center" p="xl" role="status" aria-label="Loading">
        <Loader size="sm" />
      </Group>
    )
  }
  if (rows.length === 0 && !more?.has) return empty
  return (
    <>
      {error ? <ErrorBox error={error} onRetry={onRetry} /> : null}
      {/* A wide table scrolls inside its frame, and what scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="table-frame" tabIndex={0} role="region" aria-label={label}>
        <Table aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ title, align, width, minWidth }) => (
                <Table.Th key={title} ta={align} w={width} miw={minWidth}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={rowKey(row)}>
                {columns.map(({ title, cell, align }) => (
                  <Table.Td key={title} ta={align}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <MoreRows shown={rows.length} more={more} />
    </>
  )
}

function MoreRows({ shown, more }: { readonly shown: number; readonly more: Props<never>['more'] }) {
  if (!more) return null
  return (
    <Group justify="center" p="sm" gap="md">
      <Text size="sm" c="dimmed" role="status">
        {more.has ? `${shown} shown` : `All ${shown} shown`}
      </Text>
      {more.has ? (
        <Button variant="default" size="xs" loading={more.isLoading} onClick={() => void more.load()}>
          Show more
        </Button>
      ) : null}
    </Group>
  )
}
