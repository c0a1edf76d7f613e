/** The audit trail's chains, roots and writers: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkedChain } from './chain-check.contract.ts'
import { auditOf, eventOf, noon, rejectsWith, tokenOf } from './samples.contract.ts'
import { auditActions, type AuditRoot, type Store } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const workspaceId = 'acme'

export function chainContract(store: () => Store): void {
  it('links the rows of appends and of administrative actions in one chain, across days', async () => {
    const work = Array.from({ length: 20 }, (_, index) => [
      store().append({
        events: [eventOf()],
        audit: [auditOf({ eventIndex: 0 }), auditOf({ at: noon + index * dayMs })]
      }),
      store().insertToken(tokenOf(`t${index}`), auditOf({ at: noon }))
    ])
    await Promise.all(work.flat())
    const rows = await checkedChain(store())
    assert.equal(rows.length, 61)
    const [head] = await store().auditHeads(workspaceId)
    assert.deepEqual([head?.writerId, head?.rows, head?.hash], [store().writerId, 61, rows.at(-1)?.hash])
    const sequences = rows.map(({ row }) => row.sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b)
    )
  })

  it('returns the columns of a row as its payload has them', async () => {
    const entry = auditOf({ at: noon, requestId: 'r', tokenId: 't', detail: { z: 1, a: ['ü', null] } })
    await store().append({ events: [], audit: [entry] })
    const row = (await checkedChain(store())).at(-1)
    const { sequence, ...said } = row?.row ?? assert.fail()
    assert.ok(sequence > 0)
    assert.deepEqual(JSON.parse(row?.payload ?? ''), said)
    assert.equal(row?.day, Math.floor(noon / dayMs))
  })

  it('keeps the chains of workspaces separate', async () => {
    await store().ensureWorkspace({ id: 'beta', name: 'Beta', createdAt: 2 }, auditOf({ workspaceId: 'beta' }))
    await store().append({ events: [], audit: [auditOf({ workspaceId: 'beta' }), auditOf({}), auditOf({})] })
    assert.equal((await checkedChain(store())).length, 3)
    assert.equal((await store().auditHeads('beta'))[0]?.rows, 2)
    assert.deepEqual(await store().auditHeads('nobody'), [])
  })

  it('gives a failed batch no place in the chain', async () => {
    const stray = { events: [eventOf({ workspaceId: 'nobody' })], audit: [auditOf({}), auditOf({})] }
    const results = await Promise.allSettled([
      store().append({ events: [], audit: [auditOf({})] }),
      store().append(stray),
      store().append({ events: [], audit: [auditOf({})] })
    ])
    assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'rejected', 'fulfilled']) // prettier-ignore
    assert.equal((await checkedChain(store())).length, 3)
  })

  it('keeps roots in order, each sequence once', async () => {
    const rootOf = (sequence: number): AuditRoot => ({
      workspaceId,
      sequence,
      sealedAt: noon + sequence,
      payload: '{"a":1}',
      hash: 'h',
      signature: 's'
    })
    assert.equal(await store().lastAuditRoot(workspaceId), undefined)
    for (const sequence of [1, 2, 3]) await store().insertAuditRoot(rootOf(sequence))
    await rejectsWith(store().insertAuditRoot(rootOf(3)), 'conflict')
    assert.deepEqual(await store().lastAuditRoot(workspaceId), rootOf(3))
    assert.deepEqual([await store().auditRootsStored(workspaceId), await store().auditRootsStored('beta')], [3, 0])
    assert.deepEqual(await store().auditRoots({ workspaceId, after: 1, limit: 1 }), [rootOf(2)])
    assert.deepEqual(await store().auditRoots({ workspaceId: 'beta', after: 0, limit: 9 }), [])
  })

  it('records heartbeats, and does not close a writer that sends them', async () => {
    await store().append({ events: [], audit: [auditOf({ at: noon })] })
    assert.deepEqual(await store().heartbeat({ now: noon + 100, lostBefore: noon + 50 }), [])
    const [head] = await store().auditHeads(workspaceId)
    assert.deepEqual([head?.lastAt, head?.closedAt], [noon + 100, null])
    const lost = await store().findAudit({ workspaceId, limit: 9, action: auditActions.writerLost })
    assert.deepEqual(lost.rows, [])
    assert.equal(head?.isLost, false)
  })
}
