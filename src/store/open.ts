/** Chooses the engine: the PostgreSQL database that the configuration names, else a file in the data directory. */
import { openPostgresStore } from './postgres.ts'
import { openStore as openSqliteStore } from './sqlite.ts'
import type { Store } from './store.ts'

export interface StoreLocation {
  readonly dataDir: string
  readonly database?: { readonly url: { reveal(): string }; readonly connectionsMax: number } | undefined
}

/**
 * Opens the store, making what is missing and bringing the database up to date.
 * @throws StoreError with a sentence for the operator
 */
export function openStore({ dataDir, database }: StoreLocation): Promise<Store> {
  if (!database) return openSqliteStore({ dataDir })
  return openPostgresStore({ url: database.url.reveal(), connectionsMax: database.connectionsMax })
}
