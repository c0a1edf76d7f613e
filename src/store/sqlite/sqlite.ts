/**
 * The embedded engine: one SQLite file in write-ahead mode with a full sync on every commit, owned by two threads, one
 * for all writing and one for reading. Service and command line may have the same file open at once.
 */
import { randomUUID } from 'node:crypto'
import { chmod, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileHint } from '../../config/file-hint.ts'
import { giveToOwnerOf } from '../../config/folder-owner.ts'
import { makeFolder } from '../../config/make-folder.ts'
import { Kysely } from 'kysely'
import { createAccountRegisters } from '../queries/account-registers.ts'
import { closeWriter, createAuditRegisters } from '../queries/audit-registers.ts'
import { ChangeWatch, withHints } from '../change-watch.ts'
import { createExports } from '../queries/exports.ts'
import { Gate } from '../gate.ts'
import { GroupCommit, type BatchAnswer } from '../group-commit.ts'
import { createJournal } from '../queries/journal.ts'
import { maintain } from '../queries/maintenance.ts'
import { migrate } from '../tables/migrations.ts'
import { createRegisters, type Databases } from '../queries/registers.ts'
import type { Tables } from '../tables/schema.ts'
import { createSensorRegisters } from '../queries/sensor-registers.ts'
import { createSeries } from '../queries/series.ts'
import { databaseFile } from './database-file.ts'
import { copyDatabase } from './copy.ts'
import { threadDialect } from './dialect.ts'
import { ThreadKeeper } from './keeper.ts'
import { WriterLock } from './lock.ts'
import type { ThreadSetup } from './protocol.ts'
import { reclaimPages, usedBytes } from './space.ts'
import { openFault } from './open-hints.ts'
import { sqliteTables } from './tables.ts'
import { StoreError, type AppendBatch, type MaintenancePlan, type MaintenanceReport, type Store } from '../store.ts'

const busyTimeoutMs = 5_000
const closeTimeoutMs = 10_000

/** Creates directory and file for their owner only. SQLite gives its additional files the mode of the database. */
async function prepareFile(dataDir: string): Promise<string> {
  const path = databaseFile(dataDir)
  try {
    await makeFolder(resolve(dataDir))
    await makeFile(path)
    await chmod(path, 0o600)
    return path
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StoreError(
      'unavailable',
      `The database file ${path} cannot be made or opened (${code ?? 'unknown error'}).${fileHint(code)}`
    )
  }
}

/** Creates an empty file unless there is one, which must be writable. */
async function makeFile(path: string): Promise<void> {
  const made = await open(path, 'ax', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const file = made ?? (await open(path, 'a'))
  try {
    if (made) await giveToOwnerOf(dirname(path), made)
  } finally {
    await file.close()
  }
}

interface Threads {
  readonly writer: ThreadKeeper
  readonly reader: ThreadKeeper
  readonly lock: WriterLock
}

interface SqliteOptions {
  readonly dataDir: string
  /** Most pages of 4 KiB that the database may have. Beyond that it behaves as on a full disk. */
  readonly pagesMax?: number
}

async function openThreads(setup: Omit<ThreadSetup, 'role'>): Promise<Threads> {
  const lock = new WriterLock()
  const writer = await ThreadKeeper.start({ ...setup, role: 'writer' })
  // A thread takes longer to start than a migration usually does.
  const starting = ThreadKeeper.start({ ...setup, role: 'reader' })
  const migrating = migrate(new Kysely<Tables>({ dialect: threadDialect(writer, lock) }), sqliteTables)
  try {
    const [reader] = await Promise.all([starting, migrating])
    return { writer, reader, lock }
  } catch (error) {
    await Promise.allSettled([migrating, starting.then((reader) => reader.close(closeTimeoutMs))])
    await writer.close(closeTimeoutMs)
    throw error
  }
}

/** Appends take the lock that all writing needs, and leave the queue only once they have it. */
const createAppends = ({ writer, lock }: Threads): GroupCommit =>
  new GroupCommit(async (batches) => {
    if (!lock.take()) await lock.acquire()
    try {
      return (await writer.current().request({ op: 'append', batches: batches() })) as BatchAnswer[]
    } finally {
      lock.release()
    }
  })

/** One run at a time; a concurrent call shares its result. */
function createMaintenance(databases: Databases): (plan: MaintenancePlan) => Promise<MaintenanceReport> {
  let running: Promise<MaintenanceReport> | undefined
  const engine = {
    ...databases,
    bytes: () => usedBytes(databases.reader),
    reclaim: () => reclaimPages(databases.writer),
    // Its steps are transactions that check again, so another process on the same file does no harm.
    exclusively: <T>(work: () => Promise<T>) => work()
  }
  return (plan) => (running ??= maintain(engine, plan).finally(() => (running = undefined)))
}

/**
 * Opens the store of a data directory, creating what is missing and migrating the database.
 * @throws StoreError `unavailable` with the path and the reason
 */
export async function openStore({ dataDir, pagesMax }: SqliteOptions): Promise<Store> {
  const path = await prepareFile(dataDir)
  const writerId = randomUUID()
  const threads = await openThreads({ path, writerId, busyTimeoutMs, pagesMax }).catch((error: unknown) => {
    throw openFault(path, error)
  })
  const databases = {
    reader: new Kysely<Tables>({ dialect: threadDialect(threads.reader) }),
    writer: new Kysely<Tables>({ dialect: threadDialect(threads.writer, threads.lock) }),
    tables: sqliteTables,
    writerId
  }
  const registers = createRegisters(databases)
  const appends = createAppends(threads)
  const watch = new ChangeWatch(registers.changeCounter)
  const gate = new Gate()
  const methods = gate.guard({
    ...withHints(registers, () => watch.hint()),
    ...createAccountRegisters(databases),
    ...createAuditRegisters(databases),
    ...createJournal(databases),
    ...createExports(databases),
    ...createSensorRegisters(databases),
    ...createSeries(databases.reader),
    append: (batch: AppendBatch) => appends.append(batch),
    maintain: createMaintenance(databases),
    backup: async (file: string, onProgress?: (done: number) => void) =>
      copyDatabase({ path, busyTimeoutMs, bytes: await usedBytes(databases.reader) }, file, onProgress)
  })

  async function shutDown(): Promise<void> {
    watch.close()
    await gate.shut(closeTimeoutMs)
    // A full or missing disk must not keep the store from closing; another writer then finds this one lost.
    await closeWriter(databases, Date.now()).catch(() => {})
    // The last connection to close merges the write-ahead log into the database, which a reader may not do.
    await threads.reader.close(closeTimeoutMs)
    await threads.writer.close(closeTimeoutMs)
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= shutDown())
  const onChange = (listener: () => void) => watch.onChange(listener)
  return { ...methods, writerId, onChange, close, [Symbol.asyncDispose]: close }
}
