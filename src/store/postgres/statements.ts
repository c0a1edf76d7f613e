/**
 * Statements of the append transaction. Rows are sent as one array per column, so a statement has the same text, and
 * the server the same plan, for any number of rows.
 */
import { binaryArray, type ElementType } from './arrays.ts'
import type { Statement } from './connection.ts'
import { recordColumns } from '../tables/schema.ts'
import { idempotencyDays, otherValue } from '../store.ts'

type ColumnTypes<Name extends string> = Readonly<Record<Name, ElementType>>
/** Values of each column, in arrays of equal length. */
export type ColumnValues<Name extends string> = Readonly<Record<Name, readonly (string | number | null)[]>>

const arraysOf = (types: ColumnTypes<string>): string =>
  Object.values(types)
    .map((type, index) => `$${index + 1}::${type}[]`)
    .join(', ')

/** A statement for any values of these columns, which the server knows by its name. */
function prepared<Name extends string>(
  name: string,
  types: ColumnTypes<Name>,
  textOf: (columns: string, arrays: string) => string
) {
  const names = Object.keys(types) as Name[]
  const text = textOf(names.join(', '), arraysOf(types))
  return (values: ColumnValues<Name>): Statement => ({
    name: `sluice_${name}`,
    text,
    values: names.map((column) => binaryArray(types[column], values[column]))
  })
}

const insert = <Name extends string>(table: string, types: ColumnTypes<Name>, onConflict = '') =>
  prepared(
    table,
    types,
    (columns, arrays) => `insert into ${table} (${columns}) select * from unnest(${arrays}) ${onConflict}`
  )

/** The array types of columns declared like `text not null`. */
const arrayTypes = <Name extends string>(columns: Readonly<Record<Name, string>>): ColumnTypes<Name> =>
  Object.fromEntries(
    Object.entries<string>(columns).map(([name, type]) => [name, type.startsWith('bigint') ? 'bigint' : 'text'])
  ) as ColumnTypes<Name>

export const begin: Statement = { text: 'begin' }
export const commit: Statement = { text: 'commit' }
export const rollback: Statement = { text: 'rollback' }

/** Locks the counters of several workspaces, always in the same order. */
export const lockCounters = prepared(
  'lock_counters',
  { workspace_id: 'text' },
  (_columns, arrays) => `select from workspace_counters where workspace_id = any(${arrays})
    order by workspace_id for update`
)

/** Takes `count` sequences of each workspace. Returns the last one. */
export const takeSequences = prepared(
  'take_sequences',
  { workspace_id: 'text', count: 'bigint' },
  (columns, arrays) => `update workspace_counters set sequence = sequence + taken.count
    from unnest(${arrays}) as taken (${columns}) where workspace_counters.workspace_id = taken.workspace_id
    returning workspace_counters.workspace_id, sequence`
)

/**
 * Records ids of events, none of them twice. Returns the positions, from 1 on, of those already known. Uses grouping
 * and not a join, since the server assumes arrays to be short and would compare each with each; and runs only if some
 * were not added.
 */
export const insertKeys = prepared(
  'insert_keys',
  { workspace_id: 'text', lineage_id: 'text', event_id: 'text', day: 'bigint' },
  (columns, arrays) => `with given as (select * from unnest(${arrays}) with ordinality as given (${columns}, place)),
    added as (insert into event_keys (${columns}) select ${columns} from given
      on conflict (workspace_id, lineage_id, event_id) do update set day = excluded.day
      where event_keys.day < excluded.day - ${idempotencyDays}
      returning workspace_id, lineage_id, event_id)
    select max(place) as place from (select workspace_id, lineage_id, event_id, place from given
      union all select workspace_id, lineage_id, event_id, null from added) as keys
    where (select count(*) from added) < cardinality($1::text[])
    group by workspace_id, lineage_id, event_id having count(*) = 1`
)

/** The heads of one writer. */
export const readHeads = (writerId: string, workspaceIds: readonly string[]): Statement => ({
  name: 'sluice_read_heads',
  text: 'select workspace_id, rows, hash from audit_writers where writer_id = $1 and workspace_id = any($2::text[])',
  values: [writerId, workspaceIds]
})

/** Distinct values of an hour's rollups. Returns the position of the scope, from 1 on, and the value. */
export const readRollupValues = prepared(
  'read_rollup_values',
  { workspace_id: 'text', dimension: 'text', hour: 'bigint' },
  (
    columns,
    arrays
  ) => `select place, value from (select distinct place, case when scope.dimension = 'kind' then kind else value end as value
    from unnest(${arrays}) with ordinality as scope (${columns}, place) join rollup_hour
    on rollup_hour.workspace_id = scope.workspace_id and at = scope.hour
      and rollup_hour.dimension = case when scope.dimension = 'kind' then 'total' else scope.dimension end) as found
    where value != '${otherValue}'`
)

export const insertEvents = insert('events', arrayTypes(recordColumns.events))
export const insertAudit = insert('audit', arrayTypes(recordColumns.audit))

export const countHours = insert(
  'record_hours',
  {
    workspace_id: 'text',
    records: 'text',
    hour: 'bigint',
    rows: 'bigint',
    first_sequence: 'bigint',
    last_sequence: 'bigint'
  },
  `on conflict (workspace_id, records, hour) do update
    set rows = record_hours.rows + excluded.rows, last_sequence = excluded.last_sequence`
)

export const countWriterDays = insert(
  'audit_writer_days',
  { workspace_id: 'text', writer_id: 'text', day: 'bigint', first_sequence: 'bigint', last_sequence: 'bigint' },
  'on conflict (workspace_id, writer_id, day) do update set last_sequence = excluded.last_sequence'
)

export const moveHeads = insert(
  'audit_writers',
  {
    workspace_id: 'text',
    writer_id: 'text',
    rows: 'bigint',
    hash: 'text',
    started_at: 'bigint',
    last_at: 'bigint'
  },
  `on conflict (workspace_id, writer_id) do update
    set rows = excluded.rows, hash = excluded.hash, last_at = excluded.last_at, closed_at = null`
)

const rollupTypes = {
  workspace_id: 'text',
  dimension: 'text',
  at: 'bigint',
  value: 'text',
  kind: 'text',
  action: 'text',
  events: 'bigint',
  entities_masked: 'bigint'
} as const
const addRollups = (table: 'rollup_minute' | 'rollup_hour') =>
  insert(
    table,
    rollupTypes,
    `on conflict (workspace_id, dimension, at, value, kind, action) do update
      set events = ${table}.events + excluded.events, entities_masked = ${table}.entities_masked + excluded.entities_masked`
  )
export const addMinutes = addRollups('rollup_minute')
export const addHours = addRollups('rollup_hour')
