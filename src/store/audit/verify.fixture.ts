/**
 * A small audit trail on disk for tests of verification: three writers, four days, three roots, and rows not sealed
 * yet.
 */
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sealRoot } from './root.ts'
import { verifyAudit, type AuditReport, type VerifyOptions } from './verify.ts'
import { auditOf } from '../contract/samples.contract.ts'
import { openDatabaseCopy } from '../sqlite/check.ts'
import { databaseFile } from '../sqlite/database-file.ts'
import { openStore } from '../sqlite/sqlite.ts'
import type { AuditRoot, Store } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

export const firstDay = 20_400
export const { privateKey } = generateKeyPairSync('ed25519')
const publicKey = createPublicKey(privateKey)

/** Writes `count` rows of a day, some of them about a request. */
async function writeRows(store: Store, day: number, count: number): Promise<void> {
  const at = (firstDay + day) * dayMs + 1000
  const rows = Array.from({ length: count }, (_, n) =>
    auditOf({ at: at + n, requestId: n % 2 ? `request-${day}-${n}` : null, tokenId: 'tok00001', detail: { n, day } })
  )
  await store.append({ events: [], audit: rows })
}

/** Seals all heads at a time on the given day. */
async function seal(store: Store, day: number, expired: { day: number; rows: number }[] = []): Promise<AuditRoot> {
  const last = await store.lastAuditRoot('acme')
  const heads = await store.auditHeads('acme')
  const root = sealRoot(
    {
      workspaceId: 'acme',
      sequence: (last?.sequence ?? 0) + 1,
      sealedAt: (firstDay + day) * dayMs + dayMs / 2,
      previous: last?.hash ?? null,
      writers: heads.map(({ writerId, rows, hash, closedAt }) => ({ writerId, rows, hash, closedAt })),
      expired,
      expiredThrough: 0
    },
    privateKey
  )
  await store.insertAuditRoot(root)
  return root
}

interface AuditFixture extends AsyncDisposable {
  readonly file: string
  /** Ids of the writers in the order in which they wrote. */
  readonly writers: readonly string[]
  readonly roots: readonly AuditRoot[]
  /** Verifies a copy of the database after changing it without the store. */
  verifyAfter(change: (db: DatabaseSync) => void, options?: Partial<VerifyOptions>): Promise<AuditReport>
}

export async function createAuditFixture(): Promise<AuditFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-audit-'))
  const roots: AuditRoot[] = []
  const writers: string[] = []
  for (let day = 0; day < 3; day++) {
    await using store = await openStore({ dataDir: folder })
    writers.push(store.writerId)
    const audit = auditOf({ at: firstDay * dayMs, action: 'workspace_created' })
    await store.ensureWorkspace({ id: 'acme', name: 'acme', createdAt: 1 }, audit)
    await writeRows(store, day, 12)
    roots.push(await seal(store, day))
    if (day === 2) await writeRows(store, 3, 5)
  }
  const file = databaseFile(folder)
  let copies = 0
  return {
    file,
    writers,
    roots,
    async verifyAfter(change, options) {
      const path = join(folder, `copy-${copies++}.db`)
      await copyFile(file, path)
      const db = new DatabaseSync(path)
      try {
        change(db)
      } finally {
        db.close()
      }
      await using store = await openDatabaseCopy(path)
      return await verifyAudit({ store, workspaceId: 'acme', publicKey, ...options })
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true })
  }
}
