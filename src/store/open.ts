/** Chooses the engine: the PostgreSQL database in the configuration, otherwise a file in the data directory. */
import { stat } from 'node:fs/promises'
import { databaseFile } from './sqlite/database-file.ts'
import { StoreError, type Store } from './store.ts'

interface StoreLocation {
  readonly dataDir: string
  readonly database?: { readonly url: { reveal(): string }; readonly connectionsMax: number } | undefined
}

/**
 * Opens the store, creating what is missing and migrating the database.
 * @throws StoreError with a sentence for the operator
 */
export async function openStore({ dataDir, database }: StoreLocation): Promise<Store> {
  // Each engine is loaded when used: a start need not wait for the libraries of the other.
  if (!database) return await (await import('./sqlite/sqlite.ts')).openStore({ dataDir })
  const { openPostgresStore } = await import('./postgres/postgres.ts')
  return await openPostgresStore({ url: database.url.reveal(), connectionsMax: database.connectionsMax })
}

/** A database as a start would find it. */
export interface ExistingDatabase extends Pick<Store, 'getMeta'>, AsyncDisposable {
  /**
   * How many steps a start would take to bring it up to date; undefined if it holds none of the tables.
   * @throws StoreError if a newer version of the program has used it
   */
  stepsDue(): Promise<number | undefined>
}

/**
 * Opens what a start would open, but changes nothing.
 * @returns undefined if there is no database file yet
 * @throws StoreError with a sentence for the operator
 */
export async function openExisting({ dataDir, database }: StoreLocation): Promise<ExistingDatabase | undefined> {
  if (database) {
    const { openExistingPostgres } = await import('./postgres/postgres.ts')
    return await openExistingPostgres({ url: database.url.reveal(), connectionsMax: database.connectionsMax })
  }
  const path = databaseFile(dataDir)
  const file = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (!(file instanceof Error)) {
    if (file.size === 0) return undefined
    return await (await import('./sqlite/check.ts')).openDatabaseCopy(path)
  }
  if (file.code === 'ENOENT') return undefined
  throw new StoreError('unavailable', `The database ${path} cannot be read (${file.code ?? 'unknown error'}).`)
}
