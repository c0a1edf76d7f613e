/**
 * A thread that owns one SQLite connection and does what it is told, in order. The only file that imports
 * `node:sqlite`. One runs as the writer, one as a read-only reader, so that a heavy query never holds up a commit.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type {
  BatchAnswer,
  EncodedBatch,
  QueryAnswer,
  SqlValue,
  ThreadFault,
  ThreadRequest,
  ThreadSetup
} from './sqlite-protocol.ts'

/** Prepared statements kept by their text; the program has fewer, so this only guards against a mistake. */
const statementsMax = 300

/** Result codes of SQLite, primary and extended, https://www.sqlite.org/rescode.html. */
const resultCodes = { busy: 5, tooBig: 18, constraint: 19, foreignKey: 787, primaryKey: 1555, unique: 2067 }

const setup = workerData as ThreadSetup
const port = parentPort as NonNullable<typeof parentPort>

interface SqliteError {
  readonly errcode: number
  readonly errstr: string
}

const isSqliteError = (error: unknown): error is SqliteError =>
  typeof (error as SqliteError | null)?.errcode === 'number' && typeof (error as SqliteError).errstr === 'string'

/** `errstr` is SQLite's fixed sentence for the code; `message` could name what was written and is not used. */
function faultOf(error: unknown): ThreadFault {
  if (!isSqliteError(error)) {
    const range = error instanceof TypeError || error instanceof RangeError
    return range
      ? { code: 'invalid', message: 'The store cannot hold a value of this record.' }
      : { code: 'unavailable', message: 'The store failed.' }
  }
  const primary = error.errcode & 0xff
  if (error.errcode === resultCodes.foreignKey) {
    return { code: 'unknown_workspace', message: 'The record belongs to a workspace that does not exist.' }
  }
  if (error.errcode === resultCodes.primaryKey || error.errcode === resultCodes.unique) {
    return { code: 'conflict', message: 'A record with this key exists.' }
  }
  if (primary === resultCodes.constraint) return { code: 'invalid', message: 'The record lacks a field.' }
  if (primary === resultCodes.tooBig) return { code: 'invalid', message: 'The record is too large for the store.' }
  return { code: 'unavailable', message: `The store failed: SQLite error ${error.errcode}, ${error.errstr}.` }
}

/**
 * Switching to write-ahead logging needs the file alone, and SQLite answers a second process that tries at the same
 * moment without waiting; so the waiting is done here.
 */
function enableWriteAheadLog(db: DatabaseSync): void {
  for (const deadline = performance.now() + setup.busyTimeoutMs; ;) {
    try {
      db.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      const busy = isSqliteError(error) && (error.errcode & 0xff) === resultCodes.busy
      if (!busy || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

function openDatabase(): DatabaseSync {
  const db = new DatabaseSync(setup.path, { readOnly: setup.role === 'reader', timeout: setup.busyTimeoutMs })
  if (setup.role === 'writer') {
    enableWriteAheadLog(db)
    db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma journal_size_limit = 67108864')
    // Four times the default: at 1000 pages the checkpoints took a fifth of the time of steady appending.
    db.exec('pragma wal_autocheckpoint = 4000')
  }
  db.exec('pragma trusted_schema = off; pragma cache_size = -32000')
  return db
}

/** A thread that cannot open the file says so as its first answer and ends. */
function openOrEnd(): DatabaseSync {
  try {
    return openDatabase()
  } catch (error) {
    port.postMessage({ id: 0, ok: false, fault: faultOf(error) })
    process.exit(0)
  }
}

const db = openOrEnd()
const statements = new Map<string, StatementSync>()

function prepared(sql: string): StatementSync {
  const known = statements.get(sql)
  if (known) return known
  if (statements.size >= statementsMax) statements.clear()
  const statement = db.prepare(sql)
  // Without this an integer beyond 2^53 throws when it is read.
  statement.setReadBigInts(true)
  statements.set(sql, statement)
  return statement
}

/** Every integer in the database was a JavaScript number once, so it becomes the same number again. */
function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) out[column] = typeof value === 'bigint' ? Number(value) : value
  return out
}

function query(sql: string, parameters: readonly SqlValue[]): QueryAnswer {
  const statement = prepared(sql)
  if (statement.columns().length > 0) return { rows: statement.all(...parameters).map(withNumbers), changes: 0 }
  return { rows: [], changes: Number(statement.run(...parameters).changes) }
}

const insertEvent = `insert into events (workspace_id, event_id, kind, origin, request_id, token_id, occurred_at, received_at,
  policy_revision, sensor_metadata) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (workspace_id, event_id) do nothing`
const insertAudit = `insert into audit (workspace_id, at, request_id, token_id, actor, action, detail)
  values (?, ?, ?, ?, ?, ?, ?)`

function write(batch: EncodedBatch): boolean[] {
  const eventStatement = prepared(insertEvent)
  const auditStatement = prepared(insertAudit)
  const stored = batch.events.map((values) => Number(eventStatement.run(...values).changes) === 1)
  for (const { values, eventIndex } of batch.audit) {
    if (eventIndex < 0 || stored[eventIndex]) auditStatement.run(...values)
  }
  return stored
}

function inTransaction<T>(work: () => T): T {
  // Nobody else can be in one now, since writers take turns; this is what a failed rollback left behind.
  if (db.isTransaction) db.exec('rollback')
  db.exec('begin immediate')
  try {
    const value = work()
    db.exec('commit')
    return value
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

/**
 * All batches in one commit. Where a record of one is at fault they are written again one by one, so that only that
 * one is refused; where the disk is at fault, trying each would only take longer.
 */
function append(batches: readonly EncodedBatch[]): BatchAnswer[] {
  try {
    return inTransaction(() => batches.map((batch) => ({ stored: write(batch) })))
  } catch (error) {
    const fault = faultOf(error)
    if (batches.length === 1 || fault.code === 'unavailable') return batches.map(() => ({ fault }))
    return batches.flatMap((batch) => append([batch]))
  }
}

function perform(request: ThreadRequest): unknown {
  if (request.op === 'query') return query(request.sql, request.parameters)
  if (request.op === 'append') return append(request.batches)
  statements.clear()
  db.close()
  return null
}

port.on('message', ({ id, request }: { readonly id: number; readonly request: ThreadRequest }) => {
  try {
    const value = perform(request)
    port.postMessage({ id, ok: true, value })
    if (request.op === 'close') port.close()
  } catch (error) {
    port.postMessage({ id, ok: false, fault: faultOf(error) })
  }
})
port.postMessage({ id: 0, ok: true, value: null })
