import type { EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { useMay } from '../../api/session.ts'
import type { Column } from '../../components/data-table.tsx'
import { eventColumns } from '../../components/event-cells.tsx'
import { FalseAlarm } from './false-alarm-button.tsx'

const withFalseAlarm: readonly Column<EventBody>[] = [
  ...eventColumns,
  { title: 'Wrong?', cell: (event) => <FalseAlarm event={event} isCompact /> }
]

/** The columns of events; with a button to report a false alarm for people who may change the policy. */
export const useEventColumns = (): readonly Column<EventBody>[] =>
  useMay('policy:write') ? withFalseAlarm : eventColumns
