/**
 * Days of records that seem expired but are not: they arrived while the clock was behind, as on a machine that starts
 * without the correct time. Sequences reveal this, since they rise in the order of commits whatever the clock says; so
 * does a workspace that is younger than its records.
 */
import { sql } from 'kysely'
import { dayOfHour } from './day-spans.ts'
import type { Databases } from './registers.ts'
import { hoursPerDay, type RecordKind } from '../tables/schema.ts'
import { dayMs } from '../../timing/spans.ts'

interface Expiring {
  readonly records: RecordKind
  /** Days before `end`, which are expired by their dates. */
  readonly days: readonly number[]
  readonly end: number
  readonly today: number
}

/** @returns those of the days after which nothing arrived that is old enough to expire */
export async function misdatedDays({ reader }: Databases, expiring: Expiring): Promise<Set<number>> {
  const { records, days, end, today } = expiring
  // Commits overlap around midnight. The youngest day is the one that expires each day.
  const suspects = days.filter((day) => day < end - 1)
  if (suspects.length === 0) return new Set()
  const spans = reader
    .selectFrom('record_hours')
    .select((row) => [
      'workspace_id',
      dayOfHour.as('day'),
      row.fn.min('first_sequence').as('first'),
      row.fn.max('last_sequence').as('last')
    ])
    .groupBy(['workspace_id', 'day'])
  const suspected = spans.where('records', '=', records).where('hour', '<', (end - 1) * hoursPerDay)
  // Of both kinds of records, which share their sequences. Days of a clock that was ahead prove nothing.
  const behind = await reader
    .selectFrom(suspected.as('suspect'))
    .innerJoin(
      spans.where('hour', '<', (today + 2) * hoursPerDay).as('before'),
      'before.workspace_id',
      'suspect.workspace_id'
    )
    .select('suspect.day')
    .distinct()
    .where(sql<boolean>`before.day >= suspect.day + 2`)
    .whereRef('before.first', '<', 'suspect.last')
    .execute()
  const unmade = await reader
    .selectFrom(suspected.as('suspect'))
    .innerJoin('workspaces', 'workspaces.id', 'suspect.workspace_id')
    .select('suspect.day')
    .distinct()
    .where(sql<boolean>`workspaces.created_at >= (suspect.day + 2) * ${sql.lit(dayMs)}`)
    .execute()
  const misdated = [...new Set([...behind, ...unmade].map(({ day }) => day))]
  const dated = days.filter((day) => !misdated.includes(day))
  if (misdated.length === 0 || dated.length === 0) return new Set(misdated)
  const aged = await reader
    .selectFrom(suspected.as('suspect'))
    .innerJoin(
      spans
        .where('records', '=', records)
        .where('hour', '<', end * hoursPerDay)
        .as('after'),
      'after.workspace_id',
      'suspect.workspace_id'
    )
    .select('suspect.day')
    .distinct()
    .where('suspect.day', 'in', misdated)
    .where('after.day', 'in', dated)
    .whereRef('after.last', '>', 'suspect.first')
    .execute()
  return new Set(misdated).difference(new Set(aged.map(({ day }) => day)))
}
