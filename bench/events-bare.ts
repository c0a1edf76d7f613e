/**
 * The engines by themselves, a process of its own: rows like those of events, in durable transactions of one batch each,
 * into one table with its key and the one index that makes an id unique. What anybody would write who needs no more.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { serveParent } from './serve-parent.ts'

interface Extent {
  readonly batch: number
  readonly durationMs: number
}

type Row = readonly [string, string, string, string, number, string]

const metadata = JSON.stringify({
  kind: 'tool_call_enforcement',
  platform: 'mcp-proxy',
  entitiesMasked: 2,
  riskTier: 'medium',
  action: 'mask',
  clientSurface: 'claude-code',
  modelProvider: 'anthropic',
  modelId: 'bench-model',
  mcpToolName: 'read_file',
  downstreamServer: 'docker',
  requestId: randomUUID(),
  sensorId: 'sensor-1',
  sensorVersion: '1.2.3',
  decisionMs: 0.42
})

const row = (): Row => ['default', 'lineage1', randomUUID(), randomUUID(), Date.now(), metadata]

const table = (integer: string): string =>
  `create table bare_events (sequence ${integer}, workspace_id text, lineage_id text, event_id text, request_id text,
     received_at bigint, metadata text, unique (workspace_id, lineage_id, event_id))`

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
  using database = new DatabaseSync(join(extent.folder, `bare-${randomUUID()}.db`))
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(table('integer primary key'))
  const insert = database.prepare(
    `insert or ignore into bare_events (workspace_id, lineage_id, event_id, request_id, received_at, metadata)
     values (?, ?, ?, ?, ?, ?)`
  )
  return await repeat(extent, (rows) => {
    database.exec('begin immediate')
    for (const values of rows) insert.run(...values)
    database.exec('commit')
  })
}

/** @returns rows a second */
async function postgres(extent: Extent & { readonly url: string }): Promise<number> {
  const client = new pg.Client({ connectionString: extent.url })
  await client.connect()
  try {
    await client.query('drop table if exists bare_events')
    await client.query(table('bigint generated always as identity primary key'))
    const text = `insert into bare_events (workspace_id, lineage_id, event_id, request_id, received_at, metadata)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[]) on conflict do nothing`
    return await repeat(extent, async (rows) => {
      const columns = [0, 1, 2, 3, 4, 5].map((column) => rows.map((values) => values[column]))
      await client.query({ name: 'bare', text, values: columns })
    })
  } finally {
    await client.end()
  }
}

serveParent({}, { sqlite, postgres }, () => {})
