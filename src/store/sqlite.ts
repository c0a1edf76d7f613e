/**
 * The embedded engine: one SQLite file in write-ahead mode with a full sync on every commit, held by two threads, one
 * for all writing and one for reading. Service and command line may have the same file open at once.
 */
import { chmod, mkdir, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Kysely } from 'kysely'
import { createJournal } from './journal.ts'
import { migrate } from './migrations.ts'
import { createRegisters } from './registers.ts'
import type { Tables } from './schema.ts'
import { AppendQueue } from './sqlite-append.ts'
import { threadDialect } from './sqlite-dialect.ts'
import { WriterLock } from './sqlite-lock.ts'
import { SqliteThread } from './sqlite-thread.ts'
import { StoreError, type Store } from './store.ts'

const busyTimeoutMs = 5_000
const closeTimeoutMs = 10_000

/** The database of a data directory. SQLite keeps two more files beside it, with the same name and an ending. */
export const databaseFile = (dataDir: string): string => join(resolve(dataDir), 'sluice.db')

/** Makes directory and file for their owner alone. SQLite gives the files that it adds the mode of the database. */
async function prepareFile(dataDir: string): Promise<string> {
  const path = databaseFile(dataDir)
  try {
    await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 })
    const file = await open(path, 'a', 0o600)
    await file.close()
    await chmod(path, 0o600)
    return path
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StoreError(
      'unavailable',
      `The database file ${path} cannot be made or opened (${code ?? 'unknown error'}).`
    )
  }
}

/** Refuses calls from the moment of closing on, and knows how many are under way. */
function gate() {
  let closed = false
  const under = new Set<Promise<unknown>>()
  return {
    enter<Parameters extends unknown[], Result>(method: (...parameters: Parameters) => Promise<Result>) {
      return async (...parameters: Parameters): Promise<Result> => {
        if (closed) throw new StoreError('closed', 'The store is closed.')
        const call = method(...parameters)
        under.add(call)
        try {
          return await call
        } finally {
          under.delete(call)
        }
      }
    },
    async shut(): Promise<void> {
      closed = true
      await Promise.allSettled(under)
    }
  }
}

interface Threads {
  readonly writer: SqliteThread
  readonly reader: SqliteThread
  readonly lock: WriterLock
}

/** Faults of opening name the file, since that is what the operator has to look at. */
async function startThreads(path: string): Promise<Threads> {
  try {
    return await openThreads(path)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new StoreError(error.code, `The database ${path} cannot be opened. ${error.message}`)
  }
}

async function openThreads(path: string): Promise<Threads> {
  const lock = new WriterLock()
  const writer = await SqliteThread.start({ path, role: 'writer', busyTimeoutMs })
  try {
    await migrate(new Kysely<Tables>({ dialect: threadDialect(writer, lock) }))
    return { writer, reader: await SqliteThread.start({ path, role: 'reader', busyTimeoutMs }), lock }
  } catch (error) {
    await writer.close(closeTimeoutMs)
    throw error
  }
}

/**
 * Opens the store of a data directory, making what is missing and bringing the database up to date.
 * @throws StoreError `unavailable` with the path and the reason
 */
export async function openStore({ dataDir }: { readonly dataDir: string }): Promise<Store> {
  const path = await prepareFile(dataDir)
  const { writer, reader, lock } = await startThreads(path)
  const databases = {
    reader: new Kysely<Tables>({ dialect: threadDialect(reader) }),
    writer: new Kysely<Tables>({ dialect: threadDialect(writer, lock) })
  }
  const appends = new AppendQueue(writer, lock)
  const { enter, shut } = gate()
  const methods = {
    ...createRegisters(databases),
    ...createJournal(databases.reader),
    append: appends.append.bind(appends)
  }
  const guarded = Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      enter(method as (...parameters: unknown[]) => Promise<unknown>)
    ])
  ) as typeof methods

  async function shutDown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolveLate) => (timer = setTimeout(resolveLate, closeTimeoutMs)))
    await Promise.race([shut(), late])
    clearTimeout(timer)
    // The last connection to close empties the write-ahead log into the database, which a reader may not do.
    await reader.close(closeTimeoutMs)
    await writer.close(closeTimeoutMs)
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= shutDown())
  return { ...guarded, close, [Symbol.asyncDispose]: close }
}
