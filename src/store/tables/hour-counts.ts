/** What one commit adds to the tables that tell readers where rows are. */
import { type RecordKind, type Tables } from './schema.ts'
import { hourMs } from '../../timing/spans.ts'

export type HourRow = Tables['record_hours']
export type WriterDayRow = Tables['audit_writer_days']

/** Rows of a commit by workspace, kind of record and hour. */
export class HourCounts {
  readonly #hours = new Map<string, HourRow>()
  /** Rows come in runs of one hour. */
  #latest: HourRow | undefined

  /** Counts a row; rows of a workspace must come in the order of their sequences. */
  add(workspaceId: string, records: RecordKind, at: number, sequence: number): void {
    const hour = Math.floor(at / hourMs)
    const latest = this.#latest
    const isSame = latest?.hour === hour && latest.records === records && latest.workspace_id === workspaceId
    const row = isSame ? latest : this.#rowOf(workspaceId, records, hour, sequence)
    row.rows++
    row.last_sequence = sequence
    this.#latest = row
  }

  #rowOf(workspaceId: string, records: RecordKind, hour: number, sequence: number): HourRow {
    const key = `${workspaceId}\0${records}\0${hour}`
    const known = this.#hours.get(key)
    if (known) return known
    const row = { workspace_id: workspaceId, records, hour, rows: 0, first_sequence: sequence, last_sequence: sequence }
    this.#hours.set(key, row)
    return row
  }

  rows(): HourRow[] {
    return [...this.#hours.values()]
  }
}

/** Audit rows of a commit by workspace and day, counted by the sequence of their writer. */
export class WriterDays {
  readonly #days = new Map<string, WriterDayRow>()

  add(
    row: { readonly workspace_id: string; readonly writer_id: string; readonly day: number },
    sequence: number
  ): void {
    const key = `${row.workspace_id}\0${row.day}`
    const known = this.#days.get(key)
    if (known) known.last_sequence = sequence
    else {
      const { workspace_id, writer_id, day } = row
      this.#days.set(key, { workspace_id, writer_id, day, first_sequence: sequence, last_sequence: sequence })
    }
  }

  rows(): WriterDayRow[] {
    return [...this.#days.values()]
  }
}
