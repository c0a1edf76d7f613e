/** Retention: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditOf, eventOf, noon } from './samples.contract.ts'
import { auditActions, idempotencyDays, type MaintenancePlan, type Store } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const workspaceId = 'acme'
const firstDay = Math.floor(noon / dayMs)

const planOf = (days: number, fields: Partial<MaintenancePlan> = {}): MaintenancePlan => ({
  now: noon + days * dayMs,
  eventDays: 30,
  auditDays: 400,
  minuteRollupDays: 2,
  bytesMax: 0,
  ...fields
})

/** The row about the creation of the workspace is older than everything else, and expires too. */
const isOfDays = ({ day }: { readonly day?: unknown }): boolean => Number(day) >= firstDay

export function maintenanceContract(store: () => Store): void {
  /** One event and one audit row on each of the days. */
  async function appendDays(days: readonly number[], ofWorkspace = workspaceId): Promise<void> {
    for (const day of days) {
      const receivedAt = noon + day * dayMs
      const event = eventOf({ eventId: `${ofWorkspace} ${day}`, workspaceId: ofWorkspace, receivedAt })
      const audit = [auditOf({ workspaceId: ofWorkspace, at: receivedAt, eventIndex: 0 })]
      await store().append({ events: [event], audit })
    }
  }
  const eventDays = async () =>
    (await store().findEvents({ workspaceId, limit: 100 })).rows.map(
      ({ receivedAt }) => Math.floor(receivedAt / dayMs) - firstDay
    )
  const expired = async (ofWorkspace = workspaceId) => {
    const query = { workspaceId: ofWorkspace, limit: 100, action: auditActions.recordsExpired }
    const { rows } = await store().findAudit({ ...query, order: 'oldest' })
    return rows.map(({ detail }) => detail).filter(isOfDays)
  }

  it('drops whole days beyond their retention, once, and records it in the audit trail', async () => {
    await appendDays([0, 1, 2, 40])
    const report = await store().maintain(planOf(31, { auditDays: 30 }))
    const first = { day: firstDay, rows: 1 }
    assert.deepEqual(report.dropped.filter(isOfDays), [
      { records: 'events', ...first },
      { records: 'audit', ...first }
    ])
    assert.equal(report.oldestEventDay, firstDay + 1)
    assert.ok(report.bytes > 0)
    assert.deepEqual(await eventDays(), [40, 2, 1])
    const { dropped } = await store().maintain(planOf(31, { auditDays: 30 }))
    assert.deepEqual(dropped, [])
    assert.deepEqual(await expired(), [
      { records: 'events', ...first },
      { records: 'audit', ...first }
    ])
  })

  it('tells each workspace what it lost, and the others nothing', async () => {
    await store().ensureWorkspace(
      { id: 'beta', name: 'B', createdAt: noon },
      auditOf({ workspaceId: 'beta', at: noon })
    )
    await store().ensureWorkspace(
      { id: 'gamma', name: 'C', createdAt: noon },
      auditOf({ workspaceId: 'gamma', at: noon })
    )
    await appendDays([0])
    await appendDays([0], 'beta')
    await store().maintain(planOf(31))
    for (const id of ['acme', 'beta'])
      assert.deepEqual(await expired(id), [{ records: 'events', day: firstDay, rows: 1 }])
    assert.deepEqual(await expired('gamma'), [])
  })

  it('keeps the chain readable from its new beginning', async () => {
    await appendDays([0, 1])
    await store().maintain(planOf(31, { auditDays: 30 }))
    const rows = await store().auditChain({ workspaceId, writerId: store().writerId, after: 0, limit: 100 })
    const [head] = await store().auditHeads(workspaceId)
    assert.equal(rows.at(-1)?.hash, head?.hash)
    assert.ok((rows[0]?.writerSequence ?? 0) > 1)
  })

  it('accepts records of a dropped day again', async () => {
    await appendDays([0])
    await store().maintain(planOf(31))
    await store().append({ events: [eventOf({ receivedAt: noon })], audit: [auditOf({ at: noon })] })
    assert.deepEqual(await eventDays(), [0])
    const { dropped } = await store().maintain(planOf(31))
    assert.deepEqual(dropped, [{ records: 'events', day: firstDay, rows: 1 }])
  })

  it('keeps what arrived while the clock was years behind, until what arrived after it expires', async () => {
    const behind = -20_000
    await appendDays([0, behind, behind + 1, 20, 21])
    await store().maintain(planOf(20))
    assert.deepEqual(await eventDays(), [21, 20, 0, behind + 1, behind])
    for (const days of [31, 32, 50]) {
      await store().maintain(planOf(days))
      assert.deepEqual(await eventDays(), [21, 20, behind + 1, behind], `after ${days} days`)
    }
    await store().maintain(planOf(51))
    assert.deepEqual(await eventDays(), [21])
  })

  it('keeps what is older than its workspace, if nothing else shows how old it is', async () => {
    const at = noon + 60 * dayMs
    await store().ensureWorkspace({ id: 'beta', name: 'B', createdAt: at }, auditOf({ workspaceId: 'beta', at }))
    await appendDays([0, 60], 'beta')
    const plan = planOf(80, { auditDays: 2 })
    await store().maintain(plan)
    const { rows } = await store().findEvents({ workspaceId: 'beta', limit: 100 })
    assert.deepEqual(rows.map(({ eventId }) => eventId), ['beta 60', 'beta 0']) // prettier-ignore
  })

  it('is not misled by commits that overlap around midnight', async () => {
    await appendDays([1, 0, 20])
    await store().maintain(planOf(33))
    assert.deepEqual(await eventDays(), [20])
  })

  it('is not misled by days of a clock that was ahead', async () => {
    await appendDays([20_000, 0, 20])
    await store().maintain(planOf(33))
    assert.deepEqual(await eventDays(), [20_000, 20])
  })

  it('deletes expired ids and rollups and keeps the others', async () => {
    await appendDays([0, 1])
    const at = (day: number) =>
      ({ workspaceId, dimension: 'total', from: noon + day * dayMs, to: noon + day * dayMs + 1 }) as const
    const isCounted = async (day: number, step: 'minute' | 'hour') =>
      (await store().eventSeries({ ...at(day), step })).length === 1
    await store().maintain(planOf(3))
    assert.deepEqual([await isCounted(0, 'minute'), await isCounted(1, 'minute')], [false, true])
    assert.deepEqual([await isCounted(0, 'hour'), await isCounted(1, 'hour')], [true, true])
    await store().maintain(planOf(idempotencyDays + 1))
    // Received at their old time, so that only the deletion of ids can make a difference.
    const again = [0, 1].map((day) => eventOf({ eventId: `acme ${day}`, receivedAt: noon + day * dayMs }))
    assert.deepEqual(await store().append({ events: again, audit: [] }), ['stored', 'duplicate'])
  })

  it('keeps hourly counts for as long as audit rows of their time, though the events are gone', async () => {
    await appendDays([0])
    const span = { from: noon - dayMs, to: noon + dayMs }
    const counted = async () =>
      (await store().eventSeries({ workspaceId, dimension: 'total', step: 'day', ...span })).length
    await store().maintain(planOf(100))
    assert.deepEqual([await eventDays(), await counted()], [[], 1])
    await store().maintain(planOf(402))
    assert.equal(await counted(), 0)
  })

  it('drops the oldest days of events if the database is too large, but never the current one', async () => {
    await appendDays([0, 1, 2])
    const { dropped, oldestEventDay } = await store().maintain(planOf(2, { bytesMax: 1 }))
    assert.deepEqual(dropped.filter(isOfDays).map(({ day }) => day - firstDay), [0, 1]) // prettier-ignore
    assert.equal(oldestEventDay, firstDay + 2)
    assert.deepEqual(await eventDays(), [2])
    assert.equal((await store().findAudit({ workspaceId, limit: 100, from: noon, to: noon + 1 })).rows.length, 1)
  })

  it('runs beside writers and readers without affecting them', async () => {
    await appendDays(Array.from({ length: 10 }, (_, day) => day))
    const read = Array.from({ length: 20 }, () => store().findEvents({ workspaceId, limit: 100 }))
    const write = Array.from({ length: 20 }, () =>
      store().append({
        events: [eventOf({ receivedAt: noon + 40 * dayMs })],
        audit: [auditOf({ at: noon + 40 * dayMs })]
      })
    )
    const runs = [store().maintain(planOf(40)), store().maintain(planOf(40))]
    await Promise.all([...read, ...write, ...runs])
    assert.equal((await eventDays()).length, 20)
    assert.equal((await expired()).filter(({ records }) => records === 'events').length, 10)
  })
}
