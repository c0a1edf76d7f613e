/** What one commit writes, worked out between its two halves: the first tells which events are new and where chains end. */
import { setImmediate } from 'node:timers/promises'
import { genesisHash } from './audit-chain.ts'
import { chainedRow, type ChainEnd } from './chained-row.ts'
import type { EncodedBatch } from './encode.ts'
import { HourCounts, WriterDays, type HourRow, type WriterDayRow } from './hour-counts.ts'
import type { ColumnValues } from './postgres-statements.ts'
import { recordColumns, type AuditColumns, type EventColumns, type Tables } from './schema.ts'

type Columns<Row> = { readonly [Name in keyof Row]: Row[Name][] }

/** An event with the first mention of its id in the group. */
export interface Candidate {
  readonly batch: number
  readonly index: number
}

export interface Candidates {
  readonly places: readonly Candidate[]
  readonly keys: ColumnValues<'workspace_id' | 'lineage_id' | 'event_id' | 'day'>
}

/** The first event of each id, in the order of the group: any other is a duplicate whatever becomes of the first. */
export function candidatesOf(batches: readonly EncodedBatch[]): Candidates {
  const seen = new Set<string>()
  const places: Candidate[] = []
  const keys = {
    workspace_id: [] as string[],
    lineage_id: [] as string[],
    event_id: [] as string[],
    day: [] as number[]
  }
  for (const [batch, { events }] of batches.entries()) {
    for (const [index, eventId] of events.event_id.entries()) {
      const workspaceId = events.workspace_id[index] as string
      const lineageId = events.lineage_id[index] as string
      const key = `${workspaceId}\0${lineageId}\0${eventId}`
      if (seen.has(key)) continue
      seen.add(key)
      places.push({ batch, index })
      keys.workspace_id.push(workspaceId)
      keys.lineage_id.push(lineageId)
      keys.event_id.push(eventId)
      keys.day.push(events.day[index] as number)
    }
  }
  return { places, keys }
}

/** How many sequences the group may need, by workspace, in the order of workspace ids. */
export function demandOf(batches: readonly EncodedBatch[]): Map<string, number> {
  const demand = new Map<string, number>()
  for (const { events, audit } of batches) {
    for (const id of [...events.workspace_id, ...audit.workspace_id]) demand.set(id, (demand.get(id) ?? 0) + 1)
  }
  return new Map([...demand].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const emptyColumns = <Row>(names: object): Columns<Row> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, []])) as unknown as Columns<Row>

function pushRow<Row extends object>(columns: Columns<Row>, row: Row): void {
  for (const name of Object.keys(columns) as (keyof Row)[]) columns[name].push(row[name])
}

/** Rows of objects as one array for each column. */
export function columnsOf<Row extends object>(rows: readonly Row[]): Columns<Row> {
  const columns = emptyColumns<Row>(rows[0] ?? {})
  for (const row of rows) pushRow(columns, row)
  return columns
}

/** The first half's answers. */
export interface Standing {
  readonly writerId: string
  /** For each batch and event whether it is new. */
  readonly stored: readonly (readonly boolean[])[]
  /** The sequence before the first that was taken, by workspace. */
  readonly sequences: Map<string, number>
  /** Where the chains of the writer end, by workspace; those without rows are missing. */
  readonly heads: Map<string, ChainEnd>
}

type Head = Omit<Tables['audit_writers'], 'closed_at'>

/** Everything that the second half writes, beside the rollups. */
export interface CommitPlan {
  readonly events: Columns<EventColumns>
  readonly audit: Columns<AuditColumns>
  readonly hours: HourRow[]
  readonly writerDays: WriterDayRow[]
  readonly heads: Head[]
}

/** Rows between two pauses: one or two milliseconds of work. */
const rowsPerStep = 128

/**
 * Numbers the rows in the order of the group, each batch's events before its audit rows, and links the audit rows; with
 * pauses, in which the process serves others.
 */
export async function planCommit(batches: readonly EncodedBatch[], standing: Standing): Promise<CommitPlan> {
  const planner = new Planner(standing)
  let rows = 0
  for (const [place, batch] of batches.entries()) {
    const stored = standing.stored[place] ?? []
    for (const [index, isNew] of stored.entries()) {
      if (isNew) planner.addEvent(batch.events, index)
      if (++rows % rowsPerStep === 0) await setImmediate()
    }
    for (const [index, eventIndex] of batch.audit.eventIndex.entries()) {
      if (eventIndex < 0 || stored[eventIndex]) planner.addAudit(batch.audit, index)
      if (++rows % rowsPerStep === 0) await setImmediate()
    }
  }
  return planner.plan()
}

const eventColumnNames = Object.keys(recordColumns.events) as (keyof EventColumns)[]

class Planner {
  readonly #standing: Standing
  readonly #events = emptyColumns<EventColumns>(recordColumns.events)
  readonly #audit = emptyColumns<AuditColumns>(recordColumns.audit)
  readonly #hours = new HourCounts()
  readonly #writerDays = new WriterDays()
  readonly #heads = new Map<string, Head>()

  constructor(standing: Standing) {
    this.#standing = standing
  }

  addEvent(events: EncodedBatch['events'], index: number): void {
    const workspaceId = events.workspace_id[index] as string
    const sequence = this.#next(workspaceId)
    for (const name of eventColumnNames) {
      const column = this.#events[name] as unknown[]
      column.push(name === 'sequence' ? sequence : events[name][index])
    }
    this.#hours.add(workspaceId, 'events', events.received_at[index] as number, sequence)
  }

  addAudit(audit: EncodedBatch['audit'], index: number): void {
    const workspaceId = audit.workspace_id[index] as string
    const { writerId, heads } = this.#standing
    const end = heads.get(workspaceId) ?? { rows: 0, hash: genesisHash(workspaceId, writerId) }
    const row = chainedRow(audit, index, { end, writerId, sequence: this.#next(workspaceId) })
    pushRow(this.#audit, row)
    heads.set(workspaceId, { rows: row.writer_sequence, hash: row.hash })
    const known = this.#heads.get(workspaceId)
    this.#heads.set(workspaceId, {
      workspace_id: workspaceId,
      writer_id: writerId,
      rows: row.writer_sequence,
      hash: row.hash,
      started_at: known?.started_at ?? row.at,
      last_at: row.at
    })
    this.#hours.add(workspaceId, 'audit', row.at, row.sequence)
    this.#writerDays.add(row, row.writer_sequence)
  }

  plan(): CommitPlan {
    return {
      events: this.#events,
      audit: this.#audit,
      hours: this.#hours.rows(),
      writerDays: this.#writerDays.rows(),
      heads: [...this.#heads.values()]
    }
  }

  #next(workspaceId: string): number {
    const sequence = (this.#standing.sequences.get(workspaceId) ?? 0) + 1
    this.#standing.sequences.set(workspaceId, sequence)
    return sequence
  }
}
