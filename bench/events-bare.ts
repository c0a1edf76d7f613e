/**
 * The storage engines alone, in a process of their own: inserts the columns of events in durable transactions of one
 * batch each, into one table with its primary key and the one index that makes an id unique. It is what anyone would
 * write who needs no more: no audit rows, no counts, no further indexes, no network input. Like the service's database,
 * this one grows from round to round.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { recordColumns, type EventColumns } from '../src/store/tables/schema.ts'
import { eventText } from './events-load.ts'
import { serveParent } from './serve-parent.ts'

interface Extent {
  readonly batch: number
  readonly durationMs: number
}

/** All columns but the sequence, which the engine assigns. */
type Row = Omit<EventColumns, 'sequence'>
type Name = keyof Row

const { sequence: _, ...columns } = recordColumns.events
const names = Object.keys(columns) as Name[]

/** The metadata of an event, as text and in columns. All rows share it; only ids and times differ. */
const metadata = eventText(1)
const facets = JSON.parse(metadata) as Readonly<Record<string, string>>

function row(): Row {
  const now = Date.now()
  return {
    workspace_id: 'default',
    day: Math.floor(now / 86_400_000),
    event_id: randomUUID(),
    lineage_id: 'lineage1',
    kind: 'tool_call_enforcement',
    origin: 'sensor',
    request_id: randomUUID(),
    token_id: 'token001',
    occurred_at: now,
    received_at: now,
    policy_revision: null,
    action: facets['action'] ?? null,
    risk_tier: facets['riskTier'] ?? null,
    client_surface: facets['clientSurface'] ?? null,
    model_provider: facets['modelProvider'] ?? null,
    model_id: facets['modelId'] ?? null,
    mcp_tool_name: facets['mcpToolName'] ?? null,
    downstream_server: facets['downstreamServer'] ?? null,
    sensor_id: facets['sensorId'] ?? null,
    sensor_metadata: metadata
  }
}

const table = (sequence: string): string =>
  `create table if not exists bare_events (sequence ${sequence},
     ${names.map((name) => `${name} ${columns[name]}`).join(', ')}, unique (workspace_id, lineage_id, event_id))`

const insertInto = `insert into bare_events (${names.join(', ')})`

async function repeat({ batch, durationMs }: Extent, write: (rows: Row[]) => Promise<void> | void): Promise<number> {
  const startedAt = performance.now()
  let rows = 0
  while (performance.now() - startedAt < durationMs) {
    await write(Array.from({ length: batch }, row))
    rows += batch
  }
  return (rows / (performance.now() - startedAt)) * 1000
}

/** @returns rows a second */
async function sqlite(extent: Extent & { readonly folder: string }): Promise<number> {
  using database = new DatabaseSync(join(extent.folder, 'bare.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(table('integer primary key'))
  const insert = database.prepare(`${insertInto} values (${names.map(() => '?').join(', ')}) on conflict do nothing`)
  return await repeat(extent, (rows) => {
    database.exec('begin immediate')
    for (const values of rows) insert.run(...names.map((name) => values[name]))
    database.exec('commit')
  })
}

/** @returns rows a second */
async function postgres(extent: Extent & { readonly url: string }): Promise<number> {
  const client = new pg.Client({ connectionString: extent.url })
  await client.connect()
  try {
    await client.query(table('bigint generated always as identity primary key'))
    const arrays = names.map((name, index) => `$${index + 1}::${columns[name].replace(' not null', '')}[]`)
    const text = `${insertInto} select * from unnest(${arrays.join(', ')}) on conflict do nothing`
    return await repeat(extent, async (rows) => {
      await client.query({ name: 'bare', text, values: names.map((name) => rows.map((values) => values[name])) })
    })
  } finally {
    await client.end()
  }
}

if (import.meta.main) serveParent({}, { sqlite, postgres }, () => {})
