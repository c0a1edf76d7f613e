/** A Kysely dialect whose connections are a thread: it gets compiled queries and returns rows. */
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult
} from 'kysely'
import type { WriterLock } from './lock.ts'
import type { QueryAnswer, SqlValue } from './protocol.ts'
import type { ThreadKeeper } from './keeper.ts'
import type { SqliteThread } from './thread.ts'

/** Timeout of a query, after which its caller gets an error. */
const queryTimeoutMs = 15_000

function objectsOf({ columns, rows }: QueryAnswer): Record<string, unknown>[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (const [place, column] of columns.entries()) row[column] = values[place]
    return row
  })
}

/** Bound to one thread: if that dies in a transaction, the rest must not run on its successor. */
class ThreadConnection implements DatabaseConnection {
  readonly #thread: SqliteThread

  constructor(thread: SqliteThread) {
    this.#thread = thread
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const request = { op: 'query', sql, parameters: parameters as SqlValue[] } as const
    const answer = (await this.#thread.request(request, queryTimeoutMs)) as QueryAnswer
    return { rows: objectsOf(answer) as R[], numAffectedRows: BigInt(answer.changes) }
  }

  streamQuery(): never {
    throw new Error('This store does not stream rows; every query of it has a limit.')
  }
}

/** SQLite's DDL is transactional; and several callers may hold a connection, since the lock decides who writes. */
class ThreadAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * @param lock for the writer: held from a transaction's begin to its end, and around each single statement. Readers
 *   need none.
 */
export function threadDialect(keeper: ThreadKeeper, lock?: WriterLock): Dialect {
  const run = async (connection: DatabaseConnection, sql: string): Promise<void> =>
    void (await connection.executeQuery(CompiledQuery.raw(sql)))
  // Fails if the engine has already rolled back, which must not hide the original error.
  const rollback = (connection: DatabaseConnection): Promise<void> => run(connection, 'rollback').catch(() => {})
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => {
      await lock?.acquire()
      try {
        return new ThreadConnection(keeper.current())
      } catch (error) {
        lock?.release()
        throw error
      }
    },
    releaseConnection: async () => lock?.release(),
    // Takes the write lock first: a transaction that reads before it writes could otherwise fail to get it later.
    beginTransaction: (connection) =>
      run(connection, 'begin immediate').catch((error: unknown) => {
        // After a timeout the thread may still begin it: what others write next must not be in it.
        void rollback(connection)
        throw error
      }),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: rollback,
    destroy: async () => {}
  }
  return {
    createDriver: () => driver,
    createAdapter: () => new ThreadAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db)
  }
}
