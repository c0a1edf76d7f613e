/** The queries that the dashboard makes to a store, and how long they take. */
import { loadavg } from 'node:os'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery
} from 'kysely'
import type { Tables } from '../src/store/tables/schema.ts'
import { seriesRows } from '../src/store/queries/series.ts'
import type { RollupDimension, SeriesQuery, Store } from '../src/store/store.ts'
import { median } from './measure.ts'
import type { SeededRandom } from '../test/support/random.ts'
import { dayMs, workspaceId } from './store-scale-load.ts'

const rounds = 25
const aimMs = 150

const weekByHour = (dimension: RollupDimension, until: number): SeriesQuery => ({
  workspaceId,
  dimension,
  step: 'hour',
  from: until - 7 * dayMs,
  to: until
})

/** What the queries are about. */
export interface Subject {
  readonly start: number
  /** The end of the newest day. */
  readonly until: number
  /** Existing ids, from all days. */
  readonly requestIds: readonly string[]
}

function questionsOf(store: Store, { start, until, requestIds }: Subject, random: SeededRandom) {
  const series = (query: SeriesQuery) => () => store.eventSeries(query)
  const blocks = (facets: Readonly<Record<string, string>>) => async () =>
    (await store.findEvents({ workspaceId, limit: 100, facets: { action: 'block', ...facets } })).rows
  const request = async () =>
    (await store.findEvents({ workspaceId, limit: 100, requestId: random.pick(requestIds) })).rows
  return {
    '7 days by hour, all': series(weekByHour('total', until)),
    '7 days by hour, by tier': series(weekByHour('riskTier', until)),
    '7 days by hour, by model': series(weekByHour('modelId', until)),
    '30 days by day, by model': series({ ...weekByHour('modelId', until), step: 'day', from: start }),
    'last 100 blocks': blocks({}),
    'last 100 blocks of a model': blocks({ modelId: 'model-7' }),
    'one request ID': request
  } satisfies Record<string, () => Promise<readonly object[]>>
}

/**
 * Runs each query many times, in alternation, so that a busy moment of the machine affects all of them.
 * @returns whether all complete within the aim
 */
export async function askAll(store: Store, subject: Subject, random: SeededRandom): Promise<boolean> {
  const questions = Object.entries(questionsOf(store, subject, random))
  const asked = questions.map(([name, ask]) => ({
    name,
    ask,
    rows: 0,
    samplesMs: [] as number[],
    cpuMs: [] as number[]
  }))
  for (let round = 0; round < rounds; round++) {
    for (const question of asked) {
      const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
      question.rows = (await question.ask()).length
      question.samplesMs.push(performance.now() - startedAt)
      const { user, system } = process.cpuUsage(cpu)
      question.cpuMs.push((user + system) / 1000)
    }
  }
  console.log(`  load average ${loadavg()[0]?.toFixed(1)} while the questions were asked ${rounds} times each`)
  let isMet = true
  for (const { name, rows, samplesMs, cpuMs } of asked) {
    const ms = median(samplesMs)
    const isGood = ms < aimMs && rows > 0
    isMet &&= isGood
    const [least, most] = [Math.min(...samplesMs), Math.max(...samplesMs)].map((value) => value.toFixed(1))
    console.log(
      `  ${name.padEnd(28)} ${ms.toFixed(1).padStart(7)} ms median (${least} to ${most}), ` +
        `${median(cpuMs).toFixed(1)} ms of this process, ${rows} rows, aim ${aimMs} ms: ${isGood ? 'met' : 'MISSED'}`
    )
  }
  return isMet
}

/** The statement of a plot as the store compiles it for an engine. */
export function plotQuery(engine: 'sqlite' | 'postgres', until: number): CompiledQuery {
  const parts =
    engine === 'sqlite'
      ? { adapter: SqliteAdapter, compiler: SqliteQueryCompiler, introspector: SqliteIntrospector }
      : { adapter: PostgresAdapter, compiler: PostgresQueryCompiler, introspector: PostgresIntrospector }
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new parts.adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new parts.introspector(kysely),
      createQueryCompiler: () => new parts.compiler()
    }
  })
  return seriesRows(db, weekByHour('modelId', until)).compile()
}

/** Prints the plan of the plot. @returns whether it reads rollups alone */
export function showPlan(lines: readonly string[]): boolean {
  console.log('  plan of "7 days by hour, by model":')
  for (const line of lines) console.log(`    ${line}`)
  const readsRaw = lines.some((line) => /\b(?:events|audit)(?:_\d+)?\b/.test(line))
  console.log(`  ${readsRaw ? 'READS RAW DAYS' : 'reads rollups alone, no raw day'}`)
  return !readsRaw
}
