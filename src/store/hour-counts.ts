/** What one commit adds to the tables that tell readers where rows stand. */
import { hourMs, type RecordKind, type Tables } from './schema.ts'

export type HourRow = Tables['record_hours']
export type WriterDayRow = Tables['audit_writer_days']

/** Rows of a commit by workspace, kind of record and hour. */
export class HourCounts {
  readonly #hours = new Map<string, HourRow>()

  /** Counts a row; rows of a workspace must come in the order of their sequences. */
  add(workspaceId: string, records: RecordKind, at: number, sequence: number): void {
    const hour = Math.floor(at / hourMs)
    const key = `${workspaceId}\0${records}\0${hour}`
    const known = this.#hours.get(key)
    if (known) {
      known.rows++
      known.last_sequence = sequence
      return
    }
    const row = { workspace_id: workspaceId, records, hour, rows: 1 }
    this.#hours.set(key, { ...row, first_sequence: sequence, last_sequence: sequence })
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
