/** Opens the store for an administrative command, which may run while the service uses the same data directory. */
import { resolve } from 'node:path'
import type { KeyObject } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import { assertMasterKeyFits, loadMasterKey } from '../config/master-key.ts'
import type { OwnCredentials } from '../service/own-credentials.ts'
import { isWorkspaceId } from '../protocol/workspace-id.ts'
import { openStore } from '../store/open.ts'
import { databaseFile } from '../store/sqlite/database-file.ts'
import type { Store } from '../store/store.ts'
import { readConfiguration } from './configuration.ts'
import { UsageError } from './usage-error.ts'

export interface Opened {
  readonly store: Store
  readonly masterKey: KeyObject
  /** The credentials of a service with the same configuration. All kinds are loaded for them, which few commands need. */
  readonly own: () => Promise<OwnCredentials>
}

/** Opens the store, and creates what is missing, like the first start of the service. */
export async function withStore<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
  return await openWith(readConfiguration(), work)
}

/**
 * Opens a store that must exist: someone who looks for records in a wrong directory should learn that it is wrong.
 * @throws UsageError if there is no database
 */
export async function withExistingStore<T>(
  work: (opened: Opened) => Promise<T>,
  config = readConfiguration()
): Promise<T> {
  if (!config.database && !(await exists(databaseFile(config.dataDir)))) {
    throw new UsageError(
      `there is no database in ${resolve(config.dataDir)} (SERVICE_DATA_DIR); run the command with the variables of the service`
    )
  }
  return await openWith(config, work)
}

/**
 * Opens a store for a command about one workspace.
 * @throws UsageError if there is no database, or no such workspace: a misspelt one would look empty
 */
export async function withWorkspace<T>(workspaceId: string, work: (opened: Opened) => Promise<T>): Promise<T> {
  return await withExistingStore(async (opened) => {
    await assertWorkspace(opened.store, workspaceId)
    return await work(opened)
  })
}

/** @throws UsageError if there is no such workspace */
export async function assertWorkspace(store: Store, workspaceId: string): Promise<void> {
  if (await store.findWorkspace(workspaceId)) return
  const remedy = `"sluice token create --workspace ${workspaceId}" makes one`
  throw new UsageError(`there is no workspace "${workspaceId}"${isWorkspaceId(workspaceId) ? `; ${remedy}` : ''}`)
}

async function openWith<T>(config: Config, work: (opened: Opened) => Promise<T>): Promise<T> {
  await using store = await openStore(config)
  const masterKey = await loadMasterKey({ configured: config.masterKey?.reveal(), dataDir: config.dataDir })
  await assertMasterKeyFits(store, masterKey)
  const own = async (): Promise<OwnCredentials> => {
    const { OwnCredentials } = await import('../service/own-credentials.ts')
    return new OwnCredentials(config, masterKey)
  }
  return await work({ store, masterKey, own })
}

/** Whether anything exists at a path. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )
