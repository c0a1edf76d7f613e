/** Checks a loaded store against its rows: counts and sequences must be what the service would have written. */
import assert from 'node:assert/strict'
import { dayMs, workspaceId } from './store-scale-load.ts'

export type Row = Readonly<Record<string, unknown>>
/** Queries the engine directly, in SQL that both engines understand. */
export type Ask = (sql: string) => Promise<readonly Row[]>

type ByDay = ReadonlyMap<number, number>

function byDay(rows: readonly Row[]): ByDay {
  return new Map(rows.map(({ day, events }) => [Number(day), Number(events)]))
}

const rollupOf = (table: string, dimension: string): string =>
  `select at / ${dayMs} as day, sum(events) as events from ${table}
    where workspace_id = '${workspaceId}' and dimension = '${dimension}' group by at / ${dayMs}`

/**
 * @param ask queries the engine
 * @param rowsOfDays computes rows, distinct request IDs, first and last sequence of each day from the raw rows
 * @returns the number of events
 * @throws AssertionError where counts, sequences or ids do not match the rows
 */
export async function checkCounts(ask: Ask, rowsOfDays: () => Promise<readonly Row[]>): Promise<number> {
  const raw = (await rowsOfDays()).toSorted((a, b) => Number(a['day']) - Number(b['day']))
  const rows = byDay(raw)
  let last = 0
  for (const { day, events, ids, first_sequence, last_sequence } of raw) {
    assert.equal(Number(ids), Number(events), `request IDs of day ${String(day)} are not all different`)
    assert.ok(Number(first_sequence) > last, `sequences of day ${String(day)} do not follow those of the day before`)
    last = Number(last_sequence)
  }
  const hours = await ask(`select hour / 24 as day, sum(rows) as events, min(first_sequence) as first_sequence,
    max(last_sequence) as last_sequence from record_hours
    where workspace_id = '${workspaceId}' and records = 'events' group by hour / 24`)
  assert.deepEqual(sorted(byDay(hours)), sorted(rows), 'the hours do not count the rows')
  for (const dimension of ['total', 'riskTier', 'modelId', 'addedMs']) {
    const hourly = byDay(await ask(rollupOf('rollup_hour', dimension)))
    assert.deepEqual(sorted(hourly), sorted(rows), `the rollups by hour of ${dimension} do not count the rows`)
    const minutes = byDay(await ask(rollupOf('rollup_minute', dimension)))
    assert.ok(minutes.size > 0, 'there are no rollups by minute')
    const counted = [...minutes.keys()].map((day): [number, number] => [day, rows.get(day) ?? 0])
    assert.deepEqual(sorted(minutes), sorted(new Map(counted)), `the minutes of ${dimension} do not count the rows`)
  }
  const [counter] = await ask(`select sequence from workspace_counters where workspace_id = '${workspaceId}'`)
  assert.ok(Number(counter?.['sequence']) >= last, 'the counter of the workspace is behind its rows')
  return [...rows.values()].reduce((sum, events) => sum + events, 0)
}

const sorted = (counts: ByDay): [number, number][] => [...counts].sort(([a], [b]) => a - b)
