import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataTable, type Column } from './data-table.tsx'
import { compareNames, formatName } from './format.ts'
import { useShownRows } from './shown-rows.ts'

/** What says of a sensor which one it is, wherever one is listed. */
export interface NamedSensor {
  readonly sensorId: string | null
  readonly tokenId: string | null
  readonly platform: string | null
  readonly sensorVersion: string | null
}

/** Sensors with what a page says of each between its name and its kind; of hundreds the first, and more on demand. */
export function SensorTable<Sensor extends NamedSensor>({
  label,
  sensors,
  columns,
  query: { isPending, error, refetch },
  empty
}: {
  readonly label: string
  /** In the order in which they are shown. */
  readonly sensors: readonly Sensor[]
  readonly columns: readonly Column<Sensor>[]
  /** What they were asked with. */
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
    <span className="mono wrap">{sensorId === null ? '(gives no id)' : formatName(sensorId)}</span>
  )
}

const kindColumns: readonly Column<NamedSensor>[] = [
  { title: 'Kind', cell: ({ platform }) => <span className="nowrap">{platform ?? ''}</span> },
  { title: 'Version', cell: ({ sensorVersion }) => sensorVersion ?? '' }
]

/** Those that weigh more first, and of one weight by name, as people count: `runner-9` before `runner-10`. */
export function byWeight<Sensor extends NamedSensor>(weightOf: (sensor: Sensor) => number) {
  return (a: Sensor, b: Sensor): number => weightOf(b) - weightOf(a) || compareNames(a.sensorId ?? '', b.sensorId ?? '')
}
