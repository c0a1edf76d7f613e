/**
 * `node bench/store-scale.ts`: how long a dashboard waits when the store is large. Fills 30 days with ten million
 * events, checks their counts against the rows, runs the dashboard's queries, and shows by the engine's plan that a
 * plot reads no raw events.
 *
 * The engine's own append writes the first of the days and the last batch; the days between are copies made inside the
 * engine (see store-scale-copies.ts), since an hour of appending measures nothing.
 *
 * `--events 1e6` fills in fewer; `--engine sqlite|postgres` runs one engine only; `--appended-days 3` copies less;
 * `--database URL` uses an empty database of your own server, or queries one that an earlier run has filled.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openPostgresStore } from '../src/store/postgres/postgres.ts'
import { databaseFile } from '../src/store/sqlite/database-file.ts'
import { openStore } from '../src/store/sqlite/sqlite.ts'
import type { Store } from '../src/store/store.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { createRandom } from '../test/support/random.ts'
import { copyDays, postgresEngine, sqliteEngine, type CopyEngine } from './store-scale-copies.ts'
import { checkCounts, type Ask, type Row } from './store-scale-counts.ts'
import { appendDays, appendLast, dayMs, prepare, type Span } from './store-scale-load.ts'
import { askAll, plotQuery, showPlan, type Subject } from './store-scale-questions.ts'

const days = 30
const samples = 200

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1e7' },
    engine: { type: 'string', default: 'both' },
    'appended-days': { type: 'string', default: '1' },
    database: { type: 'string' }
  }
})

function wholeNumber(name: 'events' | 'appended-days', max: number): number {
  const value = Number(given[name])
  if (!Number.isInteger(value) || value < 1 || value > max) throw new RangeError(`--${name} must be from 1 to ${max}`)
  return value
}
const total = wholeNumber('events', 1e9)
const appendedDays = wholeNumber('appended-days', days)
if (!['sqlite', 'postgres', 'both'].includes(given.engine)) throw new RangeError('--engine must be sqlite or postgres')

const eventsOfDay = Math.ceil(total / days)
const span: Span = { start: Math.floor(Date.now() / dayMs) * dayMs - days * dayMs, days, eventsOfDay }
const random = createRandom(7)

async function fill(store: Store, engine: CopyEngine): Promise<void> {
  await prepare(store, span.start)
  await appendDays(store, random, { ...span, days: appendedDays })
  await copyDays(engine, span, { appended: appendedDays })
  await appendLast(store, random, span)
}

/** Checks the counts, runs the queries and prints the results. */
async function judge(store: Store, subject: Subject, plan: () => Promise<readonly string[]>): Promise<void> {
  if (!(await askAll(store, subject, random))) process.exitCode = 1
  if (!showPlan(await plan())) process.exitCode = 1
}

const countsOfDay = `count(*) as events, count(distinct request_id) as ids,
  min(sequence) as first_sequence, max(sequence) as last_sequence`

async function benchSqlite(): Promise<void> {
  console.log(`SQLite, ${days} days of ${eventsOfDay.toLocaleString('en')} events, ${appendedDays} of them appended`)
  const root = mkdtempSync(join(tmpdir(), 'sluice-scale-'))
  try {
    await using store = await openStore({ dataDir: root })
    {
      await using engine = sqliteEngine(databaseFile(root))
      await fill(store, engine)
    }
    using db = new DatabaseSync(databaseFile(root), { readOnly: true })
    const ask: Ask = async (text) => db.prepare(text).all()
    const tables = db.prepare(`select name from sqlite_schema where type = 'table' and name glob 'events_[0-9]*'`).all()
    const ofDays = tables.map(({ name }) => `select day, ${countsOfDay} from ${String(name)} group by day`)
    const there = await checkCounts(ask, () => ask(ofDays.join(' union all ')))
    console.log(`  ${there.toLocaleString('en')} events, which hours and rollups count the same`)
    const some = tables.flatMap(({ name }) => idsOf(db.prepare(`select request_id from ${String(name)} limit 7`).all()))
    await judge(store, { start: span.start, until: span.start + days * dayMs, requestIds: some }, async () => {
      const { sql, parameters } = plotQuery('sqlite', span.start + days * dayMs)
      const plan = db.prepare(`explain query plan ${sql}`).all(...(parameters as string[]))
      return plan.map(({ detail }) => String(detail))
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const idsOf = (rows: readonly Row[]): string[] => rows.map((row) => String(row['request_id']))

async function benchPostgres(): Promise<void> {
  await using own = given.database === undefined ? await startPostgres({ isDurable: false }) : undefined
  const url = given.database ?? (await own?.newDatabase()) ?? ''
  await using store = await openPostgresStore({ url, connectionsMax: 8 })
  await using client = Object.assign(new pg.Client({ connectionString: url }), {
    [Symbol.asyncDispose]: (): Promise<void> => client.end()
  })
  await client.connect()
  const ask = async (text: string, values: readonly unknown[] = []) => (await client.query<Row>(text, [...values])).rows
  console.log(
    `PostgreSQL, ${days} days of ${eventsOfDay.toLocaleString('en')} events, ${appendedDays} of them appended`
  )
  if ((await ask('select from record_hours limit 1')).length === 0) {
    await using engine = postgresEngine(url)
    await fill(store, engine)
  }
  const there = await checkCounts(ask, () => ask(`select day, ${countsOfDay} from events group by day`))
  console.log(`  ${there.toLocaleString('en')} events, which hours and rollups count the same`)
  // In normal operation autovacuum does this, because events do not all arrive at once.
  await client.query('vacuum analyze')
  const [hours] = await ask(`select min(hour) / 24 as first, max(hour) / 24 as last from record_hours`)
  const requestIds = idsOf(
    await ask(`select request_id from events tablesample system (0.1) order by random() limit ${samples}`)
  )
  const until = (Number(hours?.['last']) + 1) * dayMs
  await judge(store, { start: Number(hours?.['first']) * dayMs, until, requestIds }, async () => {
    const { sql, parameters } = plotQuery('postgres', until)
    return (await ask(`explain (analyze, timing off) ${sql}`, parameters)).map((row) => String(row['QUERY PLAN']))
  })
}

if (given.engine !== 'postgres') await benchSqlite()
if (given.engine !== 'sqlite') await benchPostgres()
