/**
 * Makes many days out of a few, inside a PostgreSQL server: each later day is a copy of an appended one, with its
 * sequences, times and ids moved on, its counts beside it, and what retention would have left of ids and minutes.
 */
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { minuteRollupDays } from '../src/service/maintenance.ts'
import { openPool } from '../src/store/postgres-connection.ts'
import { postgresTables } from '../src/store/postgres-tables.ts'
import { hoursPerDay, recordColumns, type Tables } from '../src/store/schema.ts'
import { idempotencyDays } from '../src/store/store.ts'
import { dayMs, Progress, workspaceId, type Span } from './store-scale-load.ts'

interface Copy {
  /** The day that is copied, counted from 1970. */
  readonly from: number
  /** How many days later the copy is. */
  readonly days: number
  /** How much later its sequences are. */
  readonly sequences: number
  readonly hasIds: boolean
  readonly hasMinutes: boolean
}

/** Another id for each id and copy, as random as the first. */
const idOf = (column: string, { days }: Copy): string => `md5(${column} || '+${days}')::uuid::text`

/** `insert into ... select` of all columns, some of them changed. */
function insert(table: string, columns: readonly string[], changed: Readonly<Record<string, string>>, where: string) {
  const values = columns.map((column) => changed[column] ?? column)
  return `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${table}
    where workspace_id = '${workspaceId}' and ${where}`
}

function copyEvents(copy: Copy): string {
  const ms = copy.days * dayMs
  const changed = {
    sequence: `sequence + ${copy.sequences}`,
    day: `day + ${copy.days}`,
    event_id: idOf('event_id', copy),
    request_id: idOf('request_id', copy),
    occurred_at: `occurred_at + ${ms}`,
    received_at: `received_at + ${ms}`
  }
  return insert('events', Object.keys(recordColumns.events), changed, `day = ${copy.from}`)
}

function copyIds(copy: Copy): string {
  const changed = { event_id: idOf('event_id', copy), day: `day + ${copy.days}` }
  return insert('event_keys', ['workspace_id', 'lineage_id', 'event_id', 'day'], changed, `day = ${copy.from}`)
}

const rollupColumns = ['workspace_id', 'dimension', 'at', 'value', 'kind', 'action', 'events', 'entities_masked']

function copyRollup(table: 'rollup_minute' | 'rollup_hour', { from, days }: Copy): string {
  const ofDay = `at >= ${from * dayMs} and at < ${(from + 1) * dayMs}`
  return insert(table, rollupColumns, { at: `at + ${days * dayMs}` }, ofDay)
}

function copyHours({ from, days, sequences }: Copy): string {
  const ofDay = `records = 'events' and hour >= ${from * hoursPerDay} and hour < ${(from + 1) * hoursPerDay}`
  const changed = {
    hour: `hour + ${days * hoursPerDay}`,
    first_sequence: `first_sequence + ${sequences}`,
    last_sequence: `last_sequence + ${sequences}`
  }
  const columns = ['workspace_id', 'records', 'hour', 'rows', 'first_sequence', 'last_sequence']
  return insert('record_hours', columns, changed, ofDay)
}

/** One day, its counts, and the counter of the workspace: a commit like those of an instance. */
async function copyDay(transaction: Transaction<Tables>, copy: Copy): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(transaction)
  await postgresTables.ensureDay(transaction, 'events', copy.from + copy.days)
  await run(`select from workspace_counters where workspace_id = '${workspaceId}' for update`)
  await run(copyEvents(copy))
  await run(copyRollup('rollup_hour', copy))
  await run(copyHours(copy))
  if (copy.hasIds) await run(copyIds(copy))
  if (copy.hasMinutes) await run(copyRollup('rollup_minute', copy))
  await run(`update workspace_counters set sequence = (select max(last_sequence) from record_hours
    where workspace_id = '${workspaceId}') where workspace_id = '${workspaceId}'`)
}

/**
 * Copies the days that were appended until there are as many as asked for.
 * @param to.appended days that stand already, at the beginning of the span
 */
export async function copyDays(url: string, span: Span, { appended }: { readonly appended: number }): Promise<void> {
  // Without time limits: a day is one statement here.
  const pool = openPool({ url, connectionsMax: 1 }, { max: 1, hasNoTimeouts: true })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const counter = await db.selectFrom('workspace_counters').select('sequence').executeTakeFirstOrThrow()
    const progress = new Progress('copied', (span.days - appended) * span.eventsOfDay)
    for (let day = appended; day < span.days; day++) {
      const round = Math.floor(day / appended)
      const copy = {
        from: span.start / dayMs + (day % appended),
        days: round * appended,
        sequences: round * counter.sequence,
        hasIds: day >= span.days - idempotencyDays,
        hasMinutes: day >= span.days - minuteRollupDays
      }
      await db.transaction().execute((transaction) => copyDay(transaction, copy))
      progress.add(span.eventsOfDay)
    }
  } finally {
    await db.destroy()
  }
}
