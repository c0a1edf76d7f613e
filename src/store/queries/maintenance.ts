/**
 * Retention: drops whole days, in steps that each block the writer for a few milliseconds, so that commits get in
 * between. Each step is final; an interrupted run is completed by the next one.
 */
import { sql, type Kysely } from 'kysely'
import { appendAudit, lockWorkspace } from './audit-append.ts'
import { dayOfHour } from './day-spans.ts'
import { countUnexported, noteUnexported } from './exports.ts'
import { misdatedDays } from './misdated-days.ts'
import type { Databases } from './registers.ts'
import { forgetSensors } from './sensor-registers.ts'
import { hoursPerDay, recordKinds, type RecordKind, type Tables } from '../tables/schema.ts'
import { auditActions, idempotencyDays, sensorDays, type MaintenancePlan, type MaintenanceReport } from '../store.ts'
import { minuteMs, hourMs, dayMs } from '../../timing/spans.ts'

interface MaintenanceEngine extends Databases {
  /** Bytes of the database in use; space that is free for reuse does not count. */
  bytes(): Promise<number>
  /** Returns free space that is not soon reused, in small steps. */
  reclaim(): Promise<void>
  /** Runs the work unless another instance is running it. @returns undefined if one is */
  exclusively<T>(work: () => Promise<T>): Promise<T | undefined>
}

type Dropped = MaintenanceReport['dropped'][number]

/** Ids deleted per step. */
const keysPerStep = 1000

/** As the contract's `maintain`. */
export async function maintain(engine: MaintenanceEngine, plan: MaintenancePlan): Promise<MaintenanceReport> {
  const dropped = await engine.exclusively(() => expire(engine, plan))
  const [oldest] = await engine.tables.days(engine.reader, 'events')
  return { dropped: dropped ?? [], bytes: await engine.bytes(), oldestEventDay: oldest ?? null }
}

async function expire(engine: MaintenanceEngine, plan: MaintenancePlan): Promise<Dropped[]> {
  const today = Math.floor(plan.now / dayMs)
  const keepDays = { events: plan.eventDays, audit: plan.auditDays }
  const dropped: Dropped[] = []
  for (const records of recordKinds) {
    const end = today - keepDays[records]
    const days = await daysBefore(engine, records, end)
    const misdated = await misdatedDays(engine, { records, days, end, today })
    for (const day of days.filter((one) => !misdated.has(one))) {
      dropped.push(await dropDay(engine, records, day, plan.now))
    }
  }
  await forgetKeys(engine.writer, today)
  await forgetRollups(engine, plan)
  await forgetSensors(engine.writer, plan.now - sensorDays * dayMs)
  dropped.push(...(await dropOverCap(engine, plan, today)))
  await engine.reclaim()
  return dropped
}

/** Days that have a partition, and those that are only counted: a row arrived while its day was being dropped. */
async function daysBefore({ reader, tables }: Databases, records: RecordKind, end: number): Promise<number[]> {
  const counted = await reader
    .selectFrom('record_hours')
    .select(dayOfHour.as('day'))
    .distinct()
    .where('records', '=', records)
    .where('hour', '<', end * hoursPerDay)
    .execute()
  const days = new Set([...(await tables.days(reader, records)), ...counted.map((row) => row.day)])
  return [...days].filter((day) => day < end).sort((a, b) => a - b)
}

/** Drops the oldest days of events until the rest fits. Today's stay: refusing new events is up to the caller. */
async function dropOverCap(engine: MaintenanceEngine, plan: MaintenancePlan, today: number): Promise<Dropped[]> {
  if (plan.bytesMax === 0) return []
  const dropped: Dropped[] = []
  for (const day of await engine.tables.days(engine.reader, 'events')) {
    if (day >= today || (await engine.bytes()) <= plan.bytesMax) break
    dropped.push(await dropDay(engine, 'events', day, plan.now))
  }
  return dropped
}

async function dropDay(engine: MaintenanceEngine, records: RecordKind, day: number, now: number): Promise<Dropped> {
  await engine.tables.dropIndexes(engine.writer, records, day)
  const hours = hoursOf(engine.reader, records, day)
  let rows = 0
  for (const { workspace_id } of await hours.select('workspace_id').distinct().orderBy('workspace_id').execute()) {
    rows += await hideDay(engine, { workspaceId: workspace_id, records, day, now })
  }
  await engine.tables.dropDay(engine.writer, records, day)
  return { records, day, rows }
}

const hoursOf = (db: Kysely<Tables>, records: RecordKind, day: number) =>
  db
    .selectFrom('record_hours')
    .where('records', '=', records)
    .where('hour', '>=', day * hoursPerDay)
    .where('hour', '<', (day + 1) * hoursPerDay)

/** Hides the rows of a workspace, with an audit row that records it. @returns how many rows */
async function hideDay(
  engine: MaintenanceEngine,
  what: { readonly workspaceId: string; readonly records: RecordKind; readonly day: number; readonly now: number }
): Promise<number> {
  const { workspaceId, records, day, now } = what
  const counted = records === 'events' ? await countUnexported(engine, workspaceId, day) : []
  return await engine.writer.transaction().execute(async (transaction) => {
    await lockWorkspace(transaction, workspaceId)
    const hidden = await transaction
      .deleteFrom('record_hours')
      .where('workspace_id', '=', workspaceId)
      .where('records', '=', records)
      .where('hour', '>=', day * hoursPerDay)
      .where('hour', '<', (day + 1) * hoursPerDay)
      .returning('rows')
      .execute()
    const rows = hidden.reduce((sum, hour) => sum + hour.rows, 0)
    if (rows === 0) return 0
    await noteUnexported(transaction, engine, { workspaceId, day, counted })
    if (records === 'audit') {
      const ofDay = transaction.deleteFrom('audit_writer_days').where('workspace_id', '=', workspaceId)
      await ofDay.where('day', '=', day).execute()
    }
    const who = { requestId: null, tokenId: null, actor: 'service' }
    const entry = { workspaceId, at: now, ...who, action: auditActions.recordsExpired, detail: { records, day, rows } }
    await appendAudit(transaction, engine, entry)
    return rows
  })
}

async function forgetKeys(writer: Kysely<Tables>, today: number): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from event_keys where (workspace_id, lineage_id, event_id) in (
        select workspace_id, lineage_id, event_id from event_keys
        where day < ${today - idempotencyDays} limit ${sql.lit(keysPerStep)})`.execute(writer)
    if ((numAffectedRows ?? 0n) < keysPerStep) return
  }
}

/** Hourly rollups outlive the records that they count, for as long as audit rows of the time may exist. */
async function forgetRollups(engine: MaintenanceEngine, plan: MaintenancePlan): Promise<void> {
  const hourDays = Math.max(plan.auditDays, plan.eventDays)
  await forgetBefore(engine, 'rollup_minute', plan.now - plan.minuteRollupDays * dayMs, 10 * minuteMs)
  await forgetBefore(engine, 'rollup_hour', plan.now - hourDays * dayMs, hourMs)
}

/** Deletes what is before `end`, at most `stepMs` of it at a time. */
async function forgetBefore(
  { reader, writer }: Databases,
  table: 'rollup_minute' | 'rollup_hour',
  end: number,
  stepMs: number
): Promise<void> {
  for (;;) {
    const oldest = reader.selectFrom(table).select((row) => row.fn.min('at').as('at'))
    const at = (await oldest.executeTakeFirst())?.at ?? null
    if (at === null || at >= end) return
    await writer
      .deleteFrom(table)
      .where('at', '<', Math.min(at + stepMs, end))
      .execute()
  }
}
