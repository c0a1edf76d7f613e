/** Chooses the engine: the PostgreSQL database in the configuration, otherwise a file in the data directory. */
import type { Store } from './store.ts'

export interface StoreLocation {
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
