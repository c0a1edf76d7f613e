/** Leases and cursors of exports: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditOf, eventOf, noon } from './samples.contract.ts'
import type { Store } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const name = 'out'
const workspaceId = 'acme'

export function exportContract(store: () => Store): void {
  const pending = async (after?: string) => store().exportsPending({ name, limit: 10, after })
  const move = (sequence: number, ofWorkspace = workspaceId) =>
    store().moveExportCursors({ name, cursors: [{ workspaceId: ofWorkspace, sequence }] })
  const appendOn = (day: number, count = 1) =>
    store().append({
      events: Array.from({ length: count }, () => eventOf({ receivedAt: noon + day * dayMs })),
      audit: []
    })
  const maintain = (day: number) =>
    store().maintain({ now: noon + day * dayMs, eventDays: 30, auditDays: 400, minuteRollupDays: 2, bytesMax: 0 })

  it('a lease stays with its holder, and is free once released', async () => {
    assert.equal(await store().takeLease({ name, now: 100, expiresAt: 200 }), true)
    assert.equal(await store().takeLease({ name, now: 150, expiresAt: 250 }), true)
    await store().dropLease(name)
    assert.equal(await store().takeLease({ name, now: 160, expiresAt: 200 }), true)
    assert.equal(await store().takeLease({ name: 'other', now: 160, expiresAt: 200 }), true)
  })

  it('everything written after the cursor is pending, separately for each workspace', async () => {
    const beta = { id: 'beta', name: 'B', createdAt: 1 }
    await store().ensureWorkspace(beta, auditOf({ workspaceId: 'beta' }))
    await appendOn(0, 3)
    const [first, second] = await pending()
    assert.deepEqual([first?.workspaceId, first?.sequence, second?.workspaceId], ['acme', 0, 'beta'])
    assert.deepEqual(
      (await pending('acme')).map((row) => row.workspaceId),
      ['beta']
    )
    assert.equal(first?.end, await store().lastEventSequence(workspaceId))
    await move(first.end - 1)
    assert.deepEqual((await pending())[0], { workspaceId, sequence: first.end - 1, end: first.end })
    await move(first.end)
    assert.deepEqual(
      (await pending()).map((row) => row.workspaceId),
      ['beta']
    )
    assert.deepEqual(await store().exportsPending({ name: 'another', limit: 1 }), [{ ...first, sequence: 0 }])
  })

  it('a cursor never goes back, and many can move at once', async () => {
    await appendOn(0, 3)
    const end = await store().lastEventSequence(workspaceId)
    await move(end - 1)
    await store().moveExportCursors({ name, cursors: [] })
    await move(1)
    assert.equal((await pending())[0]?.sequence, end - 1)
    const many = Array.from({ length: 1001 }, () => ({ workspaceId, sequence: 1 }))
    await assert.rejects(store().moveExportCursors({ name, cursors: many }), RangeError)
  })

  it('what retention drops ahead of the cursor is counted, and reported once', async () => {
    await appendOn(0, 5)
    await appendOn(1, 2)
    await appendOn(40, 1)
    const { rows } = await store().findEvents({ workspaceId, limit: 10, order: 'oldest' })
    assert.deepEqual(await store().takeExportLosses(name), [])
    await move(rows[2]?.sequence ?? 0)
    await maintain(31)
    assert.deepEqual(await store().takeExportLosses(name), [{ workspaceId, rows: 2 }])
    assert.deepEqual(await store().takeExportLosses(name), [])
    await maintain(32)
    assert.deepEqual(await store().takeExportLosses(name), [{ workspaceId, rows: 2 }])
    const [left] = await store().eventsAfter({ workspaceId, sequence: rows[2]?.sequence ?? 0, limit: 10 })
    assert.equal(left?.sequence, rows.at(-1)?.sequence)
  })

  it('an export that was past a day, or that never started, loses nothing with it', async () => {
    await appendOn(0, 5)
    await maintain(31)
    assert.deepEqual(await store().takeExportLosses(name), [])
    await appendOn(1, 2)
    await move(await store().lastEventSequence(workspaceId))
    await maintain(40)
    assert.deepEqual(await store().takeExportLosses(name), [])
  })
}

/** Two openings of one database: one of them holds the lease, until it releases it or lets it expire. */
export async function checkLease(one: Store, other: Store): Promise<void> {
  const lease = { name, now: 100, expiresAt: 200 }
  const taken = await Promise.all([one, other].map((store) => store.takeLease(lease)))
  assert.equal(taken.filter(Boolean).length, 1)
  const [holder, waiting] = taken[0] ? [one, other] : [other, one]
  assert.equal(await waiting.takeLease({ ...lease, now: 199, expiresAt: 299 }), false)
  await waiting.dropLease(name)
  assert.equal(await holder.takeLease({ ...lease, now: 150, expiresAt: 250 }), true)
  assert.equal(await waiting.takeLease({ ...lease, now: 249, expiresAt: 349 }), false)
  assert.equal(await waiting.takeLease({ ...lease, now: 250, expiresAt: 350 }), true)
  assert.equal(await holder.takeLease({ ...lease, now: 251, expiresAt: 351 }), false)
  await waiting.dropLease(name)
  assert.equal(await holder.takeLease({ ...lease, now: 252, expiresAt: 352 }), true)
}
