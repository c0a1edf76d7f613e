/**
 * A thread that owns one SQLite connection and does what it is told, in order. The only file that imports
 * `node:sqlite`. One runs as the writer, one as a read-only reader, so that a heavy query never holds up a commit, and
 * one more for as long as a copy is made.
 */
import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { EncodedBatch } from '../tables/encode.ts'
import type { BatchAnswer } from '../group-commit.ts'
import type { QueryAnswer, SqlValue, ThreadFault, ThreadRequest, ThreadSetup } from './protocol.ts'
import { RecordWriter } from './records.ts'
import { StoreError } from '../store.ts'

/** Prepared statements kept by their text; the program has fewer, so this only guards against a mistake. */
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

/** `errstr` is SQLite's fixed sentence for the code; `message` could name what was written and is not used. */
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
  const db = new DatabaseSync(setup.path, { readOnly: setup.role !== 'writer', timeout: setup.busyTimeoutMs })
  if (setup.role === 'writer') {
    // Only an empty database takes this, so it comes first.
    db.exec('pragma auto_vacuum = incremental')
    enableWriteAheadLog(db)
    if (setup.pagesMax !== undefined) db.exec(`pragma max_page_count = ${setup.pagesMax}`)
    db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma journal_size_limit = 67108864')
    // Eight times the default: the longer the log, the more changes of one page a checkpoint writes as one. The log still
    // stays below its limit of size, and a checkpoint below what a commit may wait.
    db.exec('pragma wal_autocheckpoint = 8000')
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
const fileNumber = statSync(setup.path).ino

/**
 * A file that was deleted, or moved, takes commits as before, and nobody finds them after the next start. SQLite looks for
 * this itself (`SQLITE_READONLY_DBMOVED`), though not while it has a write-ahead log.
 * @throws StoreError where the open file no longer stands at its path
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

/** For queries that come as text. Without big integers one beyond 2^53 throws when it is read. */
function prepareQuery(sql: string, hasBigInts: boolean): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  statement.setReadBigInts(hasBigInts)
  return statement
}

const appendStatements = keepStatements((sql) => db.prepare(sql))
const queryStatements = keepStatements((sql) => prepareQuery(sql, setup.role === 'writer'))

/** Every integer in the database was a JavaScript number once, so it becomes the same number again. */
const toNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

type Values = readonly unknown[]

/** A reader takes numbers, which is several times faster, and where one is too large it reads again. */
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
  if (sql.startsWith('pragma ')) {
    // Run as a prepared statement the vacuum takes one step, which is one page.
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
  // Nobody else can be in one now, since writers take turns; this is what a failed rollback left behind.
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

/** Whether a statement does not fit the tables any more: one is gone, or was made otherwise. */
const isOutdated = (error: unknown): boolean =>
  isSqliteError(error) && [resultCodes.error, resultCodes.schema].includes(error.errcode & 0xff)

/**
 * All batches in one commit. Where a record of one is at fault they are written again one by one, so that only that
 * one is refused; where the disk is at fault, trying each would only take longer.
 */
function append(batches: readonly EncodedBatch[], isSecondTry = false): readonly BatchAnswer[] {
  try {
    return inTransaction(() => recordWriter.write(batches)).map((stored) => ({ stored }))
  } catch (error) {
    // Another process dropped a day that this one knew. What was known is forgotten by now, so a second try makes it anew.
    if (!isSecondTry && isOutdated(error)) return append(batches, true)
    const fault = faultOf(error)
    if (batches.length === 1 || fault.code === 'unavailable') return batches.map(() => ({ fault }))
    return batches.flatMap((batch) => append([batch], isSecondTry))
  }
}

function perform(request: ThreadRequest): unknown {
  if (request.op === 'query') {
    if (request.sql.startsWith('drop ')) recordWriter.forget()
    return query(request.sql, request.parameters)
  }
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
