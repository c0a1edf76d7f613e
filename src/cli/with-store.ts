/** Opens what an administrative command works on. It may run while the service runs on the same data directory. */
import type { KeyObject } from 'node:crypto'
import { assertMasterKeyFits, loadMasterKey } from '../config/master-key.ts'
import { openStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { readConfiguration } from './configuration.ts'

export async function withStore<T>(work: (opened: { store: Store; masterKey: KeyObject }) => Promise<T>): Promise<T> {
  const config = readConfiguration()
  await using store = await openStore({ dataDir: config.dataDir })
  const masterKey = await loadMasterKey({ configured: config.masterKey?.reveal(), dataDir: config.dataDir })
  await assertMasterKeyFits(store, masterKey)
  return await work({ store, masterKey })
}
