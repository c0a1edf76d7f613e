/**
 * Works out what a commit writes, between its two halves: the first returns which events are new and where chains end.
 */
import { setImmediate } from 'node:timers/promises'
import { genesisHash } from '../audit/chain.ts'
import { chainedRow, type ChainEnd } from '../tables/chained-row.ts'
import type { Columns, EncodedBatch } from '../tables/encode.ts'
import { HourCounts, WriterDays, type HourRow, type WriterDayRow } from '../tables/hour-counts.ts'
import type { ColumnValues } from './statements.ts'
import { recordColumns, type AuditColumns, type EventColumns, type Tables } from '../tables/schema.ts'

/** An event with the first occurrence of its id in the group. */
interface Candidate {
  readonly batch: number
  readonly index: number
}

export interface Candidates {
  readonly places: readonly Candidate[]
  readonly keys: ColumnValues<'workspace_id' | 'lineage_id' | 'event_id' | 'day'>
}

/** The first event of each id, in the order of the group: any other is a duplicate whatever happens to the first. */
export function candidatesOf(batches: readonly EncodedBatch[]): Candidates {
  const seen = new SeenIds()
  const places: Candidate[] = []
  const keys = {
    workspace_id: [] as string[],
    lineage_id: [] as string[],
    event_id: [] as string[],
    day: [] as number[]
  }
  for (const [batch, { events }] of batches.entries()) {
    for (let index = 0; index < events.event_id.length; index++) {
      const workspaceId = events.workspace_id[index] as string
      const lineageId = events.lineage_id[index] as string
      const eventId = events.event_id[index] as string
      if (!seen.add(workspaceId, lineageId, eventId)) continue
      places.push({ batch, index })
      keys.workspace_id.push(workspaceId)
      keys.lineage_id.push(lineageId)
      keys.event_id.push(eventId)
      keys.day.push(events.day[index] as number)
    }
  }
  return { places, keys }
}

/** Ids of events, each within its lineage. Those of a request share a lineage, so it is looked up once per run. */
class SeenIds {
  readonly #lineages = new Map<string, Set<string>>()
  #latest = { workspaceId: '', lineageId: '', ids: new Set<string>() }

  /** @returns false if the id was already known */
  add(workspaceId: string, lineageId: string, eventId: string): boolean {
    const latest = this.#latest
    if (latest.workspaceId !== workspaceId || latest.lineageId !== lineageId) {
      const key = `${workspaceId}\0${lineageId}`
      const ids = this.#lineages.get(key) ?? new Set()
      this.#lineages.set(key, ids)
      this.#latest = { workspaceId, lineageId, ids }
    }
    const { ids } = this.#latest
    if (ids.has(eventId)) return false
    ids.add(eventId)
    return true
  }
}

/** How many sequences the group may need, by workspace, in the order of workspace ids. */
export function demandOf(batches: readonly EncodedBatch[]): Map<string, number> {
  const demand = new Map<string, number>()
  for (const { events, audit } of batches) {
    for (const ids of [events.workspace_id, audit.workspace_id]) {
      for (const id of ids) demand.set(id, (demand.get(id) ?? 0) + 1)
    }
  }
  return new Map([...demand].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const emptyColumns = <Row>(names: object): Columns<Row> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, []])) as unknown as Columns<Row>

function pushRow<Row extends object>(columns: Columns<Row>, row: Row): void {
  for (const name of Object.keys(columns) as (keyof Row)[]) columns[name].push(row[name])
}

/** Converts rows from objects to one array per column. */
export function columnsOf<Row extends object>(rows: readonly Row[]): Columns<Row> {
  const columns = emptyColumns<Row>(rows[0] ?? {})
  for (const row of rows) pushRow(columns, row)
  return columns
}

/** The answers of the first half. */
export interface Standing {
  readonly writerId: string
  /** For each batch and event whether it is new. */
  readonly stored: readonly (readonly boolean[])[]
  /** The last sequence already used, by workspace. */
  readonly sequences: Map<string, number>
  /** The ends of the writer's chains by workspace; absent if there are no rows. */
  readonly heads: Map<string, ChainEnd>
}

type Head = Omit<Tables['audit_writers'], 'closed_at' | 'lost_at'>

/** What the second half writes about audit rows and their locations, besides events and rollups. */
export interface AuditPlan {
  readonly audit: Columns<AuditColumns>
  readonly hours: HourRow[]
  readonly writerDays: WriterDayRow[]
  readonly heads: Head[]
}

/** Rows between two pauses: one or two milliseconds of work. */
const rowsPerStep = 256

const eventColumnNames = Object.keys(recordColumns.events) as (keyof EventColumns)[]
const auditColumnNames = Object.keys(recordColumns.audit) as (keyof AuditColumns)[]

/** An audit row that is to be written, with its number. */
interface NumberedAudit {
  readonly audit: EncodedBatch['audit']
  readonly index: number
  readonly sequence: number
}

/**
 * Works out what a commit writes, with pauses in which the process serves others: first the events, so that the server
 * can write them while the audit rows are linked here.
 */
export class CommitPlanner {
  readonly #batches: readonly EncodedBatch[]
  readonly #standing: Standing
  readonly #events = emptyColumns<EventColumns>(recordColumns.events)
  readonly #audit = emptyColumns<AuditColumns>(recordColumns.audit)
  readonly #numbered: NumberedAudit[] = []
  readonly #hours = new HourCounts()
  readonly #writerDays = new WriterDays()
  readonly #heads = new Map<string, Head>()

  constructor(batches: readonly EncodedBatch[], standing: Standing) {
    this.#batches = batches
    this.#standing = standing
  }

  /**
   * Numbers all rows in the order of the group, each batch's events before its audit rows. Call it before {@link
   * audit}.
   */
  async events(): Promise<Columns<EventColumns>> {
    let rows = 0
    for (const [place, batch] of this.#batches.entries()) {
      const stored = this.#standing.stored[place] ?? []
      for (const [index, isNew] of stored.entries()) {
        if (isNew) this.#addEvent(batch.events, index)
        if (++rows % rowsPerStep === 0) await setImmediate()
      }
      for (const [index, eventIndex] of batch.audit.eventIndex.entries()) {
        if (eventIndex >= 0 && !stored[eventIndex]) continue
        const sequence = this.#next(batch.audit.workspace_id[index] as string)
        this.#numbered.push({ audit: batch.audit, index, sequence })
      }
    }
    return this.#events
  }

  /** Links the audit rows, in the order of their numbers. */
  async audit(): Promise<AuditPlan> {
    let rows = 0
    for (const row of this.#numbered) {
      this.#addAudit(row)
      if (++rows % rowsPerStep === 0) await setImmediate()
    }
    return {
      audit: this.#audit,
      hours: this.#hours.rows(),
      writerDays: this.#writerDays.rows(),
      heads: [...this.#heads.values()]
    }
  }

  #addEvent(events: EncodedBatch['events'], index: number): void {
    const workspaceId = events.workspace_id[index] as string
    const sequence = this.#next(workspaceId)
    for (const name of eventColumnNames) {
      const column = this.#events[name] as unknown[]
      column.push(name === 'sequence' ? sequence : events[name][index])
    }
    this.#hours.add(workspaceId, 'events', events.received_at[index] as number, sequence)
  }

  #addAudit({ audit, index, sequence }: NumberedAudit): void {
    const workspaceId = audit.workspace_id[index] as string
    const { writerId, heads } = this.#standing
    const end = heads.get(workspaceId) ?? { rows: 0, hash: genesisHash(workspaceId, writerId) }
    const row = chainedRow(audit, index, { end, writerId, sequence })
    for (const name of auditColumnNames) (this.#audit[name] as unknown[]).push(row[name])
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

  #next(workspaceId: string): number {
    const sequence = (this.#standing.sequences.get(workspaceId) ?? 0) + 1
    this.#standing.sequences.set(workspaceId, sequence)
    return sequence
  }
}
