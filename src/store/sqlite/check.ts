/** Reads a database file without changing it: a backup is examined as it is. */
import { stat } from 'node:fs/promises'
import { Kysely } from 'kysely'
import { createAuditRegisters } from '../queries/audit-registers.ts'
import type { AuditReader } from '../audit/verify.ts'
import { createJournal } from '../queries/journal.ts'
import { createRegisters } from '../queries/registers.ts'
import type { ExistingDatabase } from '../open.ts'
import { openFault } from './open-hints.ts'
import { stepsDue } from '../tables/migrations.ts'
import type { Tables } from '../tables/schema.ts'
import { threadDialect } from './dialect.ts'
import { ThreadKeeper } from './keeper.ts'
import type { QueryAnswer } from './protocol.ts'
import { sqliteTables } from './tables.ts'
import { StoreError, type Store } from '../store.ts'

const busyTimeoutMs = 5_000
const closeTimeoutMs = 10_000
/** Most faults that the engine lists. */
const faultsMax = 20

export interface DatabaseCopy extends ExistingDatabase, Required<AuditReader>, Pick<Store, 'listWorkspaces'> {
  /** Structural faults that the engine finds in the file; empty if it is intact. Reads all of it. */
  structuralFaults(): Promise<string[]>
}

/**
 * Opens a database file read-only.
 * @throws StoreError `unavailable` if there is none, or it is not one of ours
 */
export async function openDatabaseCopy(path: string): Promise<DatabaseCopy> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0
  )
  if (size === 0) throw new StoreError('unavailable', `There is no database at ${path}.`)
  const thread = await ThreadKeeper.start({ path, role: 'reader', busyTimeoutMs, writerId: '' }).catch(
    (error: unknown) => {
      throw openFault(path, error)
    }
  )
  const reader = new Kysely<Tables>({ dialect: threadDialect(thread) })
  const source = { reader, writer: reader, tables: sqliteTables, writerId: '' }
  const { listWorkspaces, getMeta } = createRegisters(source)
  const { auditHeads, auditChain, auditRoots, auditRootsStored } = createAuditRegisters(source)
  const { findAudit } = createJournal(source)
  return {
    listWorkspaces,
    getMeta,
    stepsDue: () => stepsDue(reader, sqliteTables),
    auditHeads,
    auditChain,
    auditRoots,
    auditRootsStored,
    findAudit,
    structuralFaults: async () => {
      // Without a timeout: it reads the whole file.
      const check = { op: 'query', sql: `pragma integrity_check(${faultsMax})`, parameters: [] } as const
      const { rows } = (await thread.current().request(check)) as QueryAnswer
      const said = rows.map(([fault]) => String(fault))
      return said.length === 1 && said[0] === 'ok' ? [] : said
    },
    [Symbol.asyncDispose]: () => thread.close(closeTimeoutMs)
  }
}
