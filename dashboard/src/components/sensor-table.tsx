import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataTable, type Column } from './data-table.tsx'
import { compareNames, formatName } from './format.ts'
import { useShownRows } from './shown-rows.ts'

/** What identifies a sensor wherever one is listed. */
interface NamedSensor {
  readonly sensorId: string | null
  readonly tokenId: string | null
  readonly platform: string | null
  readonly sensorVersion: string | null
}

/** Sensors with a page's own columns between name and kind; only the first of hundreds, and more on demand. */
export function SensorTable<Sensor extends NamedSensor>({
  label,
  sensors,
  columns,
  query: { isPending, error, refetch },
  empty
}: {
  readonly label: string
  /** In display order. */
  readonly sensors: readonly Sensor[]
  readonly columns: readonly Column<Sensor>[]
  /** The query that loaded them. */
  readonly query: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>
  readonly empty: ReactNode
}) {
  const { rows, more } = useShownRows(sensors)
  return (
    <DataTable
      label={label}
      columns={[nameColumn, ...columns, ...kindColumns]}
      rows={rows}
      more={more}
      rowKey={({ sensorId, tokenId, platform }) => `${tokenId} ${sensorId} ${platform}`}
      isLoading={isPending}
      error={error}
      onRetry={() => void refetch()}
      empty={empty}
    />
  )
}

const nameColumn: Column<NamedSensor> = {
  title: 'Sensor',
  minWidth: 150,
  cell: ({ sensorId }) => (
    <span className="mono wrap">{sensorId === null ? '(gives no ID)' : formatName(sensorId)}</span>
  )
}

const kindColumns: readonly Column<NamedSensor>[] = [
  { title: 'Kind', cell: ({ platform }) => <span className="nowrap">{platform ?? ''}</span> },
  { title: 'Version', cell: ({ sensorVersion }) => sensorVersion ?? '' }
]

/** Sorts by weight, greatest first, and then by name in natural order: `runner-9` before `runner-10`. */
export function byWeight<Sensor extends NamedSensor>(weightOf: (sensor: Sensor) => number) {
  return (a: Sensor, b: Sensor): number => weightOf(b) - weightOf(a) || compareNames(a.sensorId ?? '', b.sensorId ?? '')
}
