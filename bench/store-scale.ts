/**
 * `node bench/store-scale.ts`: what a dashboard waits for when the store is large. Loads events of 30 days through the
 * engine's own append, asks the dashboard's questions, and shows by the engine's plan that a plot reads no raw event.
 * `--events 1e6` loads fewer than ten million, `--minutes 5` stops loading then and asks about what is there; `--engine sqlite|postgres` leaves the other one out.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
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
import pg from 'pg'
import { openPostgresStore } from '../src/store/postgres.ts'
import type { Tables } from '../src/store/schema.ts'
import { seriesRows } from '../src/store/series.ts'
import { databaseFile, openStore } from '../src/store/sqlite.ts'
import type { RollupDimension, SeriesQuery, Store } from '../src/store/store.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { fleetEvent } from './fleet-events.ts'
import { median } from './measure.ts'
import { createRandom } from './random.ts'

const workspaceId = 'bench'
const days = 30
const dayMs = 86_400_000
const batchRows = 5000
const batchesUnderWay = 4
const rounds = 15
const aimMs = 150

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1e7' },
    engine: { type: 'string', default: 'both' },
    minutes: { type: 'string' }
  }
})
const total = Number(given.events)
if (!Number.isInteger(total) || total < 1) throw new RangeError('--events must be a whole number of events')
if (!['sqlite', 'postgres', 'both'].includes(given.engine)) throw new RangeError('--engine must be sqlite or postgres')

const loadMsMax = given.minutes === undefined ? Infinity : Number(given.minutes) * 60_000
if (!(loadMsMax > 0)) throw new RangeError('--minutes must be a number above 0')

const end = Math.floor(Date.now() / dayMs) * dayMs
const start = end - days * dayMs

interface Loaded {
  /** Some of those that were loaded. */
  readonly requestIds: readonly string[]
  /** The end of the newest day with events. */
  readonly until: number
}

async function load(store: Store, name: string): Promise<Loaded> {
  const random = createRandom(7)
  const requestIds: string[] = []
  const startedAt = performance.now()
  let next = 0
  let done = 0
  let shown = 0
  const sender = async () => {
    while (next < total && performance.now() - startedAt < loadMsMax) {
      const first = next
      next = Math.min(next + batchRows, total)
      const events = Array.from({ length: next - first }, (_, index) =>
        fleetEvent(random, { workspaceId, receivedAt: start + Math.floor(((first + index) / total) * days * dayMs) })
      )
      requestIds.push(events[0]?.requestId ?? '')
      await store.append({ events, audit: [] })
      done += events.length
      const share = Math.floor((done / total) * 20)
      if (share > shown) {
        shown = share
        const perSecond = Math.round(done / ((performance.now() - startedAt) / 1000))
        const leftS = Math.round((total - done) / perSecond)
        console.log(
          `  ${name}: ${done.toLocaleString('en')} events, ${perSecond.toLocaleString('en')}/s, about ${leftS} s left`
        )
      }
    }
  }
  await Promise.all(Array.from({ length: batchesUnderWay }, sender))
  if (done < total) console.log(`  ${name}: stopped at ${done.toLocaleString('en')} events`)
  return { requestIds, until: start + Math.ceil((done / total) * days) * dayMs }
}

const weekByHour = (dimension: RollupDimension, until: number): SeriesQuery => ({
  workspaceId,
  dimension,
  step: 'hour',
  from: until - 7 * dayMs,
  to: until
})

async function measure(store: Store, { requestIds, until }: Loaded): Promise<void> {
  const random = createRandom(11)
  console.log(`  load average ${loadavg()[0]?.toFixed(1)} when the questions are asked`)
  const questions: Record<string, () => Promise<{ readonly length: number }>> = {
    '7 days by hour, all': () => store.eventSeries(weekByHour('total', until)),
    '7 days by hour, by tier': () => store.eventSeries(weekByHour('riskTier', until)),
    '7 days by hour, by model': () => store.eventSeries(weekByHour('modelId', until)),
    '30 days by day, by model': () => store.eventSeries({ ...weekByHour('modelId', until), step: 'day', from: start }),
    'last 100 blocks': async () =>
      (await store.findEvents({ workspaceId, limit: 100, facets: { action: 'block' } })).rows,
    'last 100 blocks of a model': async () =>
      (await store.findEvents({ workspaceId, limit: 100, facets: { action: 'block', modelId: 'model-7' } })).rows,
    'one request id': async () =>
      (await store.findEvents({ workspaceId, limit: 100, requestId: random.pick(requestIds) })).rows
  }
  for (const [name, ask] of Object.entries(questions)) {
    const samplesMs: number[] = []
    let rows = 0
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now()
      rows = (await ask()).length
      samplesMs.push(performance.now() - startedAt)
    }
    const ms = median(samplesMs)
    const verdict = ms < aimMs && rows > 0 ? 'met' : 'MISSED'
    if (verdict !== 'met') process.exitCode = 1
    console.log(
      `  ${name.padEnd(28)} ${ms.toFixed(1).padStart(7)} ms median, ${Math.max(...samplesMs).toFixed(1)} ms at most, ` +
        `${rows} rows, aim ${aimMs} ms: ${verdict}`
    )
  }
}

/** The statement of a plot as the store compiles it for an engine. */
function plotQuery(engine: 'sqlite' | 'postgres'): CompiledQuery {
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
  return seriesRows(db, weekByHour('modelId', end)).compile()
}

function showPlan(lines: readonly string[]): void {
  console.log('  plan of "7 days by hour, by model":')
  for (const line of lines) console.log(`    ${line}`)
  const readsRaw = lines.some((line) => /\b(?:events|audit)(?:_\d+)?\b/.test(line))
  console.log(`  ${readsRaw ? 'READS RAW DAYS' : 'reads rollups alone, no raw day'}`)
  if (readsRaw) process.exitCode = 1
}

async function benchSqlite(): Promise<void> {
  console.log(`SQLite, ${total.toLocaleString('en')} events of ${days} days`)
  const root = mkdtempSync(join(tmpdir(), 'sluice-scale-'))
  try {
    const store = await openStore({ dataDir: root })
    await prepare(store)
    await measure(store, await load(store, 'sqlite'))
    await store.close()
    const db = new DatabaseSync(databaseFile(root), { readOnly: true })
    const { sql, parameters } = plotQuery('sqlite')
    const plan = db.prepare(`explain query plan ${sql}`).all(...(parameters as string[]))
    showPlan(plan.map(({ detail }) => String(detail)))
    db.close()
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function benchPostgres(): Promise<void> {
  console.log(`PostgreSQL, ${total.toLocaleString('en')} events of ${days} days`)
  await using server = await startPostgres()
  const url = await server.newDatabase()
  const store = await openPostgresStore({ url, connectionsMax: 8 })
  await prepare(store)
  const loaded = await load(store, 'postgres')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Autovacuum does it in time where events do not all come at once.
  await client.query('vacuum analyze')
  await measure(store, loaded)
  const { sql, parameters } = plotQuery('postgres')
  const plan = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${sql}`, [...parameters])
  showPlan(plan.rows.map((row) => row['QUERY PLAN']))
  await client.end()
  await store.close()
}

const prepare = (store: Store) =>
  store.ensureWorkspace(
    { id: workspaceId, name: 'Bench', createdAt: start },
    { workspaceId, at: start, requestId: null, tokenId: null, actor: 'bench', action: 'workspace_created', detail: {} }
  )

if (given.engine !== 'postgres') await benchSqlite()
if (given.engine !== 'sqlite') await benchPostgres()
