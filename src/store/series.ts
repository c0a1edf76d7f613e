/** Counts over time, from rollups alone. */
import { sql, type Kysely } from 'kysely'
import { dayMs, hourMs, minuteMs, type Tables } from './schema.ts'
import { seriesPointsMax, type SeriesPoint, type SeriesQuery, type Store } from './store.ts'

const stepMs = { minute: minuteMs, hour: hourMs, day: dayMs } as const

const tooManyPoints = `a series has at most ${seriesPointsMax} points; ask for a longer step or a shorter time`

/** The query of a series, for those who want to see its plan. */
export function seriesRows(reader: Kysely<Tables>, query: SeriesQuery) {
  const ms = stepMs[query.step]
  const table = query.step === 'minute' ? 'rollup_minute' : 'rollup_hour'
  const at = query.step === 'day' ? sql<number>`at - at % ${sql.lit(dayMs)}` : sql<number>`at`
  const count = (column: 'events' | 'entities_masked') => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`
  const rows = reader
    .selectFrom(table)
    .where('workspace_id', '=', query.workspaceId)
    .where('dimension', '=', query.dimension)
    .where('at', '>=', Math.floor(query.from / ms) * ms)
    .where('at', '<', query.to)
    .select(['value', 'kind', 'action'])
    .select([at.as('step'), count('events').as('events'), count('entities_masked').as('entitiesMasked')])
    .groupBy([at, 'value', 'kind', 'action'])
    .orderBy(at)
    .orderBy('value')
    .orderBy('kind')
    .orderBy('action')
    // One more than allowed tells that there are too many.
    .limit(seriesPointsMax + 1)
  return query.kind === undefined ? rows : rows.where('kind', '=', query.kind)
}

export const createSeries = (reader: Kysely<Tables>): Pick<Store, 'eventSeries'> => ({
  eventSeries: async (query): Promise<SeriesPoint[]> => {
    const rows = await seriesRows(reader, query).execute()
    if (rows.length > seriesPointsMax) throw new RangeError(tooManyPoints)
    return rows.map(({ step, value, kind, action, events, entitiesMasked }) => ({
      at: step,
      value,
      kind,
      action,
      events,
      entitiesMasked
    }))
  }
})
