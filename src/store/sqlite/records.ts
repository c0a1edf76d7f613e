/**
 * Writes batches of events and audit rows inside a transaction that the caller has opened: counters, ids, rows, chains,
 * rollups and hours, by prepared statements. Runs in the writer thread.
 */
import { genesisHash } from '../audit/chain.ts'
import { chainedRow, type ChainEnd } from '../tables/chained-row.ts'
import type { EncodedBatch } from '../tables/encode.ts'
import { HourCounts, WriterDays } from '../tables/hour-counts.ts'
import { RollupTally, type KnownValues, type RollupScope } from '../tables/rollups.ts'
import { recordColumns, type AuditColumns, type RecordKind, type RollupColumns } from '../tables/schema.ts'
import type { SqlValue } from './protocol.ts'
import { dayTable, dayTableStatements } from './day-table.ts'
import { idempotencyDays, otherValue, StoreError } from '../store.ts'

/** The part of a connection that writing needs. Integers are returned as numbers. */
export interface Connection {
  /** @returns how many rows were changed */
  run(sql: string, ...values: SqlValue[]): number
  all(sql: string, ...values: SqlValue[]): Record<string, unknown>[]
  /** Runs a statement once, without caching it. */
  exec(sql: string): void
}

/** Scopes of rollups whose values are cached; a few per workspace, dimension and hour. */
const knownScopesMax = 2000

const takeSequences = `update workspace_counters set sequence = sequence + ? where workspace_id = ? returning sequence`
const addKey = `insert into event_keys (workspace_id, lineage_id, event_id, day) values (?, ?, ?, ?)
  on conflict (workspace_id, lineage_id, event_id) do update set day = excluded.day
  where day < excluded.day - ${idempotencyDays}`
const readHead = `select rows, hash from audit_writers where workspace_id = ? and writer_id = ?`
const moveHead = `insert into audit_writers (workspace_id, writer_id, rows, hash, started_at, last_at)
  values (?, ?, ?, ?, ?, ?) on conflict (workspace_id, writer_id) do update
  set rows = excluded.rows, hash = excluded.hash, last_at = excluded.last_at, closed_at = null`
const addHour = `insert into record_hours (workspace_id, records, hour, rows, first_sequence, last_sequence)
  values (?, ?, ?, ?, ?, ?) on conflict (workspace_id, records, hour) do update
  set rows = rows + excluded.rows, last_sequence = excluded.last_sequence`
const addWriterDay = `insert into audit_writer_days (workspace_id, writer_id, day, first_sequence, last_sequence)
  values (?, ?, ?, ?, ?) on conflict (workspace_id, writer_id, day) do update
  set last_sequence = excluded.last_sequence`
const addRollup = (table: 'rollup_minute' | 'rollup_hour') =>
  `insert into ${table} (workspace_id, dimension, at, value, kind, action, events, entities_masked)
  values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (workspace_id, dimension, at, value, kind, action) do update
  set events = events + excluded.events, entities_masked = entities_masked + excluded.entities_masked`
const addMinute = addRollup('rollup_minute')
const addHourly = addRollup('rollup_hour')
const valuesOfScope = `select distinct value as value from rollup_hour
  where workspace_id = ? and dimension = ? and at = ? and value != '${otherValue}'`
const kindsOfScope = `select distinct kind as value from rollup_hour
  where workspace_id = ? and dimension = 'total' and at = ? and kind != '${otherValue}'`

const columnNames = {
  events: Object.keys(recordColumns.events) as (keyof typeof recordColumns.events)[],
  audit: Object.keys(recordColumns.audit) as (keyof AuditColumns)[]
}

/** What one transaction has collected so far, to be written at its end. */
interface Pending {
  readonly next: Map<string, number>
  readonly heads: Map<string, ChainEnd & { readonly startedAt: number; readonly lastAt: number }>
  readonly rollups: RollupTally
  readonly hours: HourCounts
  readonly writerDays: WriterDays
}

interface EventRows {
  readonly events: EncodedBatch['events']
  /** The same in the order of the table's columns, undefined in place of the sequence. */
  readonly columns: readonly (readonly SqlValue[] | undefined)[]
}

export class RecordWriter {
  readonly #db: Connection
  readonly #writerId: string
  readonly #inserts = new Map<string, string>()
  readonly #known: KnownValues = new Map()

  constructor(db: Connection, writerId: string) {
    this.#db = db
    this.#writerId = writerId
  }

  /** Forgets what it cached: a transaction has failed, perhaps since a day of it was dropped. */
  forget(): void {
    this.#inserts.clear()
    this.#known.clear()
  }

  /**
   * Writes the batches. If it throws, the transaction must be rolled back and {@link forget} called.
   * @returns for each event of each batch whether it was stored
   * @throws StoreError `unknown_workspace`, and the engine's errors
   */
  write(batches: readonly EncodedBatch[]): boolean[][] {
    if (this.#known.size > knownScopesMax) this.#known.clear()
    const pending: Pending = {
      next: this.#takeSequences(batches),
      heads: new Map(),
      rollups: new RollupTally(),
      hours: new HourCounts(),
      writerDays: new WriterDays()
    }
    const stored = batches.map((batch) => this.#writeBatch(batch, pending))
    this.#writeHeads(pending)
    this.#writeRollups(pending.rollups)
    return stored
  }

  /** Reserves sequences in every workspace of the batches. @returns the last one already used, by workspace */
  #takeSequences(batches: readonly EncodedBatch[]): Map<string, number> {
    const wanted = new Map<string, number>()
    for (const { events, audit } of batches) {
      for (const id of events.workspace_id) wanted.set(id, (wanted.get(id) ?? 0) + 1)
      for (const id of audit.workspace_id) wanted.set(id, (wanted.get(id) ?? 0) + 1)
    }
    for (const [workspaceId, count] of wanted) {
      const [counter] = this.#db.all(takeSequences, count, workspaceId)
      if (!counter) {
        throw new StoreError('unknown_workspace', 'The record belongs to a workspace that does not exist.')
      }
      wanted.set(workspaceId, Number(counter['sequence']) - count)
    }
    return wanted
  }

  #writeBatch({ events, audit }: EncodedBatch, pending: Pending): boolean[] {
    const columns = columnNames.events.map((name) => (name === 'sequence' ? undefined : events[name]))
    const stored = events.event_id.map((_, index) => this.#writeEvent({ events, columns }, index, pending))
    for (const [index, eventIndex] of audit.eventIndex.entries()) {
      if (eventIndex < 0 || stored[eventIndex]) this.#writeAudit(audit, index, pending)
    }
    return stored
  }

  #writeEvent({ events, columns }: EventRows, index: number, pending: Pending): boolean {
    const workspaceId = events.workspace_id[index] ?? ''
    const day = events.day[index] ?? 0
    const key: SqlValue[] = [workspaceId, events.lineage_id[index] ?? '', events.event_id[index] ?? '', day]
    if (this.#db.run(addKey, ...key) === 0) return false
    const sequence = take(pending.next, workspaceId)
    const values = columns.map((column) => (column === undefined ? sequence : (column[index] ?? null)))
    this.#db.run(this.#insertOf('events', day), ...values)
    pending.rollups.add(events, index)
    pending.hours.add(workspaceId, 'events', events.received_at[index] ?? 0, sequence)
    return true
  }

  #writeAudit(audit: EncodedBatch['audit'], index: number, pending: Pending): void {
    const workspaceId = audit.workspace_id[index] ?? ''
    const at = audit.at[index] ?? 0
    const end = pending.heads.get(workspaceId) ?? { ...this.#headOf(workspaceId), startedAt: at }
    const sequence = take(pending.next, workspaceId)
    const row = chainedRow(audit, index, { end, writerId: this.#writerId, sequence })
    this.#db.run(this.#insertOf('audit', row.day), ...columnNames.audit.map((name) => row[name]))
    const { writer_sequence: rows, hash } = row
    pending.heads.set(workspaceId, { rows, hash, startedAt: end.startedAt, lastAt: at })
    pending.hours.add(workspaceId, 'audit', at, sequence)
    pending.writerDays.add(row, rows)
  }

  /** Read in each transaction, since administrative actions write rows of the same chain with other statements. */
  #headOf(workspaceId: string): ChainEnd {
    const [head] = this.#db.all(readHead, workspaceId, this.#writerId)
    if (!head) return { rows: 0, hash: genesisHash(workspaceId, this.#writerId) }
    return { rows: Number(head['rows']), hash: String(head['hash']) }
  }

  /** The statement that inserts into a day; the day's table is created if this connection has not written to it yet. */
  #insertOf(records: RecordKind, day: number): string {
    const table = dayTable(records, day)
    const known = this.#inserts.get(table)
    if (known) return known
    for (const statement of dayTableStatements(records, day)) this.#db.exec(statement)
    const names = columnNames[records]
    const insert = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
    this.#inserts.set(table, insert)
    return insert
  }

  #writeHeads({ heads, hours, writerDays }: Pending): void {
    for (const [workspaceId, { rows, hash, startedAt, lastAt }] of heads) {
      this.#db.run(moveHead, workspaceId, this.#writerId, rows, hash, startedAt, lastAt)
    }
    for (const { workspace_id, records, hour, rows, first_sequence, last_sequence } of hours.rows()) {
      this.#db.run(addHour, workspace_id, records, hour, rows, first_sequence, last_sequence)
    }
    for (const { workspace_id, writer_id, day, first_sequence, last_sequence } of writerDays.rows()) {
      this.#db.run(addWriterDay, workspace_id, writer_id, day, first_sequence, last_sequence)
    }
  }

  #writeRollups(rollups: RollupTally): void {
    for (const scope of rollups.unknownScopes(this.#known)) this.#known.set(scope.key, this.#valuesOf(scope))
    const { minute, hour } = rollups.rows(this.#known)
    for (const row of minute) this.#db.run(addMinute, ...rollupValues(row))
    for (const row of hour) this.#db.run(addHourly, ...rollupValues(row))
  }

  #valuesOf({ workspaceId, dimension, hour }: RollupScope): Set<string> {
    const rows =
      dimension === 'kind'
        ? this.#db.all(kindsOfScope, workspaceId, hour)
        : this.#db.all(valuesOfScope, workspaceId, dimension, hour)
    return new Set(rows.map(({ value }) => String(value)))
  }
}

function take(next: Map<string, number>, workspaceId: string): number {
  const sequence = (next.get(workspaceId) ?? 0) + 1
  next.set(workspaceId, sequence)
  return sequence
}

const rollupValues = (row: RollupColumns): SqlValue[] => [
  row.workspace_id,
  row.dimension,
  row.at,
  row.value,
  row.kind,
  row.action,
  row.events,
  row.entities_masked
]
