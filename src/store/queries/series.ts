/** Counts over time, from rollups only. */
import { sql, type Kysely } from 'kysely'
import { type Tables } from '../tables/schema.ts'
import { seriesPointsMax, type SeriesPoint, type SeriesQuery, type Store } from '../store.ts'
import { minuteMs, hourMs, dayMs } from '../../timing/spans.ts'

/**
 * The grouping expressions. A range that is one step groups by a constant, in a form that no engine takes for a column
 * number.
 */
const groups = {
  minute: sql<number>`at`,
  hour: sql<number>`at`,
  day: sql<number>`at - at % ${sql.lit(dayMs)}`,
  all: sql<number>`at - at`
} as const
/** Ranges up to this long are summed by minutes, since a start rounded to the hour would be visible in them. */
const minutesMaxMs = 6 * hourMs

const tooManyPoints = `a series has at most ${seriesPointsMax} points; ask for a longer step or a shorter time`

/** The start of the range, and the rollup to read. */
function reading({ step, from, to }: SeriesQuery): { from: number; table: 'rollup_minute' | 'rollup_hour' } {
  const isByMinute = step === 'minute' || (step === 'all' && to - from <= minutesMaxMs)
  const ms = isByMinute ? minuteMs : step === 'day' ? dayMs : hourMs
  return { from: Math.floor(from / ms) * ms, table: isByMinute ? 'rollup_minute' : 'rollup_hour' }
}

/** The query of a series, exported to examine its plan. */
export function seriesRows(reader: Kysely<Tables>, query: SeriesQuery) {
  const { from, table } = reading(query)
  // Longer steps are summed; with hours and minutes each row is a point as it is.
  const isSummed = query.step === 'day' || query.step === 'all'
  const at = groups[query.step]
  const count = (column: 'events' | 'entities_masked') =>
    isSummed ? sql<number>`cast(sum(${sql.ref(column)}) as bigint)` : sql<number>`${sql.ref(column)}`
  const rows = reader
    .selectFrom(table)
    .where('workspace_id', '=', query.workspaceId)
    .where('dimension', '=', query.dimension)
    .where('at', '>=', from)
    .where('at', '<', query.to)
    .select(['value', 'kind', 'action'])
    .select([at.as('step'), count('events').as('events'), count('entities_masked').as('entitiesMasked')])
    .$if(isSummed, (points) => points.groupBy([at, 'value', 'kind', 'action']))
    .orderBy(at)
    .orderBy('value')
    .orderBy('kind')
    .orderBy('action')
    // One more than allowed shows that there are too many.
    .limit(seriesPointsMax + 1)
  return query.kind === undefined ? rows : rows.where('kind', '=', query.kind)
}

interface StepRow {
  readonly step: number
  readonly value: string
  readonly kind: string
  readonly action: string
  readonly events: number
  readonly entitiesMasked: number
}

/** Returns the rows of {@link seriesRows}, in order. */
export type ReadSteps = (reader: Kysely<Tables>, query: SeriesQuery) => Promise<readonly StepRow[]>

const readRows: ReadSteps = (reader, query) => seriesRows(reader, query).execute()

/** @param readSteps how the engine reads rows, if not one by one */
export const createSeries = (reader: Kysely<Tables>, readSteps: ReadSteps = readRows): Pick<Store, 'eventSeries'> => ({
  eventSeries: async (query): Promise<SeriesPoint[]> => {
    const rows = await readSteps(reader, query)
    if (rows.length > seriesPointsMax) throw new RangeError(tooManyPoints)
    return rows.map(({ step, value, kind, action, events, entitiesMasked }) => ({
      at: query.step === 'all' ? reading(query).from : step,
      value,
      kind,
      action,
      events,
      entitiesMasked
    }))
  }
})
