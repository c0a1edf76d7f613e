/** Follows the audit chains of the samples' workspace row by row. */
import assert from 'node:assert/strict'
import { chainHash, genesisHash } from '../audit/chain.ts'
import type { ChainedAuditRow, Store } from '../store.ts'

const workspaceId = 'acme'
/** Few, so that pages end in the middle of a chain. */
const pageRows = 7

/** All rows of a writer, after checking that each follows the previous one. */
export async function checkedChain(store: Store, writerId = store.writerId): Promise<ChainedAuditRow[]> {
  const rows: ChainedAuditRow[] = []
  let previousHash = genesisHash(workspaceId, writerId)
  for (;;) {
    const page = await store.auditChain({ workspaceId, writerId, after: rows.length, limit: pageRows })
    if (page.length === 0) return rows
    for (const row of page) {
      const { writerSequence, day, payload } = row
      assert.equal(writerSequence, rows.length + 1)
      assert.equal(row.previousHash, previousHash)
      const link = { previousHash, writerSequence, sequence: row.row.sequence, day, payload }
      assert.equal(row.hash, chainHash(link))
      rows.push(row)
      previousHash = row.hash
    }
  }
}

/** Checks every writer's chain against its head. @returns how many rows they have together */
export async function checkChains(store: Store): Promise<number> {
  let total = 0
  for (const { writerId, rows, hash } of await store.auditHeads(workspaceId)) {
    const chain = await checkedChain(store, writerId)
    assert.deepEqual([chain.length, chain.at(-1)?.hash], [rows, hash])
    total += rows
  }
  return total
}
