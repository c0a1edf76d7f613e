import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { auditOf } from '../contract/samples.contract.ts'
import type { ChainedAuditRow } from '../store.ts'
import { auditPayload, chainHash, genesisHash } from './chain.ts'
import { IssueList } from './issues.ts'
import { ChainWalk } from './walk.ts'

/** A chain of one writer, as long as given. */
function chainOf(length: number): ChainedAuditRow[] {
  const rows: ChainedAuditRow[] = []
  for (let writerSequence = 1; writerSequence <= length; writerSequence++) {
    const { eventIndex: _, ...row } = { ...auditOf({ at: 1000 }), sequence: writerSequence }
    const payload = auditPayload(row)
    const previousHash = rows.at(-1)?.hash ?? genesisHash('acme', 'writer')
    const link = { previousHash, writerSequence, sequence: writerSequence, day: 0, payload }
    rows.push({ writerId: 'writer', row, hash: chainHash(link), ...link })
  }
  return rows
}

describe('a walk along a chain', () => {
  it('finds rows that were written since it stood at the end, beside one that is missing', async () => {
    const [first, second, , fourth] = chainOf(4)
    const stored = [first, second].filter((row) => row !== undefined)
    const auditChain = async ({ after }: { readonly after: number }): Promise<ChainedAuditRow[]> =>
      stored.filter(({ writerSequence }) => writerSequence > after)
    const issues = new IssueList()
    const context = { store: { auditChain }, workspaceId: 'acme', pageRows: 10, issues, seen: () => true }
    const walk = new ChainWalk(context, 'writer')
    await walk.goTo(3, 0)
    assert.deepEqual([walk.read, walk.missingRows], [3, 1])
    if (fourth) stored.push(fourth)
    await walk.goTo(4, 0)
    assert.deepEqual([walk.read, walk.rows, walk.missingRows, walk.hash], [4, 3, 1, fourth?.hash])
    assert.deepEqual(issues.all, [])
  })
})
