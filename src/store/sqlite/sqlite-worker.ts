/**
 * A thread that owns one SQLite connection and executes requests in order. The only file that imports `node:sqlite`.
 * One runs as the writer, one as a read-only reader, so that a heavy query never delays a commit, and another one for
 * as long as a copy is made.
 */
import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { EncodedBatch } from '../tables/encode.ts'
import type { BatchAnswer } from '../group-commit.ts'
import type { QueryAnswer, SqlValue, ThreadFault, ThreadRequest, ThreadSetup } from './protocol.ts'
import { RecordWriter } from './records.ts'
import { StoreError } from '../store.ts'

/** Prepared statements cached by their text; the program has fewer, so this only guards against a bug. */
const statementsMax = 300

/** Result codes of SQLite, primary and extended, https://www.sqlite.org/rescode.html. */
const resultCodes = {
  error: 1,
  schema: 17,
  busy: 5,
  tooBig: 18,
  constraint: 19,
  foreignKey: 787,
  primaryKey: 1555,
  unique: 2067
}

const setup = workerData as ThreadSetup
const port = parentPort as NonNullable<typeof parentPort>

interface SqliteError {
  readonly errcode: number
  readonly errstr: string
}

const isSqliteError = (error: unknown): error is SqliteError =>
  typeof (error as SqliteError | null)?.errcode === 'number' && typeof (error as SqliteError).errstr === 'string'

/** `errstr` is SQLite's fixed sentence for the code; `message` could quote values and is not used. */
function faultOf(error: unknown): ThreadFault {
  if (error instanceof StoreError) return { code: error.code, message: error.message }
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
 * Switching to write-ahead logging needs exclusive access, and SQLite rejects a second process that tries at the same
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
  const db = new DatabaseSync(setup.path, { readOnly: setup.role !== 'writer', timeout: setup.busyTimeoutMs })
  if (setup.role === 'writer') {
    // Only an empty database accepts this, so it comes first.
    db.exec('pragma auto_vacuum = incremental')
    enableWriteAheadLog(db)
    if (setup.pagesMax !== undefined) db.exec(`pragma max_page_count = ${setup.pagesMax}`)
    db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma journal_size_limit = 67108864')
    // Eight times the default: the longer the log, the more changes of one page a checkpoint writes as one. The log
    // still stays below its size limit, and a checkpoint below the time for which a commit may wait.
    db.exec('pragma wal_autocheckpoint = 8000')
  }
  db.exec('pragma trusted_schema = off; pragma cache_size = -32000')
  return db
}

/** If it cannot open the file, the thread reports that as its first answer and ends. */
function openOrEnd(): DatabaseSync {
  try {
    return openDatabase()
  } catch (error) {
    port.postMessage({ id: 0, ok: false, fault: faultOf(error) })
    process.exit(0)
  }
}

const db = openOrEnd()
const fileNumber = statSync(setup.path).ino

/**
 * A file that was deleted or moved accepts commits as before, but nobody finds them after the next start. SQLite checks
 * for this itself (`SQLITE_READONLY_DBMOVED`), but not with a write-ahead log.
 * @throws StoreError if the open file is no longer at its path
 */
function assertInPlace(): void {
  if (statSync(setup.path, { throwIfNoEntry: false })?.ino === fileNumber) return
  throw new StoreError(
    'unavailable',
    `The database file ${setup.path} was deleted or moved while it was open. Put it back, or restart the service.`
  )
}

/** Statements prepared once, by their text. */
function keepStatements(prepare: (sql: string) => StatementSync) {
  const kept = new Map<string, StatementSync>()
  const get = (sql: string): StatementSync => {
    const known = kept.get(sql)
    if (known) return known
    if (kept.size >= statementsMax) kept.clear()
    const statement = prepare(sql)
    kept.set(sql, statement)
    return statement
  }
  return { get, clear: () => kept.clear() }
}

/** For queries that arrive as text. Without big integers, reading one beyond 2^53 throws. */
function prepareQuery(sql: string, hasBigInts: boolean): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  statement.setReadBigInts(hasBigInts)
  return statement
}

const appendStatements = keepStatements((sql) => db.prepare(sql))
const queryStatements = keepStatements((sql) => prepareQuery(sql, setup.role === 'writer'))

/** Every integer in the database was a JavaScript number once, so it can be converted back. */
const toNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

type Values = readonly unknown[]

/**
 * Reads numbers, which is several times faster than big integers; if one is too large, the query is repeated with
 * those.
 */
function readRows(sql: string, parameters: readonly SqlValue[]): readonly Values[] {
  const read = (statement: StatementSync) => statement.all(...parameters) as unknown as Values[]
  try {
    const rows = read(queryStatements.get(sql))
    return setup.role === 'writer' ? rows.map((row) => row.map(toNumber)) : rows
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error
    return read(prepareQuery(sql, true)).map((row) => row.map(toNumber))
  }
}

function query(sql: string, parameters: readonly SqlValue[]): QueryAnswer {
  if (sql.startsWith('begin')) assertInPlace()
  if (sql.startsWith('pragma incremental_vacuum')) {
    // As a prepared statement, it would only do one step, which is one page.
    db.exec(sql)
    return { columns: [], rows: [], changes: 0 }
  }
  const statement = queryStatements.get(sql)
  const columns = statement.columns().map(({ name }) => name)
  if (columns.length > 0) return { columns, rows: readRows(sql, parameters), changes: 0 }
  return { columns, rows: [], changes: Number(statement.run(...parameters).changes) }
}

const recordWriter = new RecordWriter(
  {
    run: (sql, ...values) => Number(appendStatements.get(sql).run(...values).changes),
    all: (sql, ...values) => appendStatements.get(sql).all(...values),
    exec: (sql) => db.exec(sql)
  },
  setup.writerId
)

function inTransaction<T>(work: () => T): T {
  // No one else can be in a transaction, since writers take turns; this is what a failed rollback left.
  if (db.isTransaction) db.exec('rollback')
  assertInPlace()
  db.exec('begin immediate')
  try {
    const value = work()
    db.exec('commit')
    return value
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    recordWriter.forget()
    throw error
  }
}

/** Whether a statement no longer matches the tables: one is gone, or was created differently. */
const isOutdated = (error: unknown): boolean =>
  isSqliteError(error) && [resultCodes.error, resultCodes.schema].includes(error.errcode & 0xff)

/**
 * Writes all batches in one commit. If a record of one is faulty, they are written again one by one, so that only that
 * one is refused; if the disk fails, trying each would only take longer.
 */
function append(batches: readonly EncodedBatch[], isSecondTry = false): readonly BatchAnswer[] {
  try {
    return inTransaction(() => recordWriter.write(batches)).map((stored) => ({ stored }))
  } catch (error) {
    // A day that was cached has been dropped, here or by another process. The cache is cleared by now, so a second
    // attempt creates the day again.
    if (!isSecondTry && isOutdated(error)) return append(batches, true)
    const fault = faultOf(error)
    if (batches.length === 1 || fault.code === 'unavailable') return batches.map(() => ({ fault }))
    return batches.flatMap((batch) => append([batch], isSecondTry))
  }
}

function perform(request: ThreadRequest): unknown {
  if (request.op === 'query') return query(request.sql, request.parameters)
  if (request.op === 'append') return append(request.batches)
  appendStatements.clear()
  queryStatements.clear()
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
