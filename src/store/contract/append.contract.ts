/** Writing events and audit rows: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditOf, eventOf, noon, rejectsWith, tokenOf } from './samples.contract.ts'
import {
  appendRowsMax,
  idempotencyDays,
  rowsMax,
  StoreError,
  type AuditEntry,
  type EventOutcome,
  type Store,
  type WorkspaceEvent
} from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const workspaceId = 'acme'

export function appendContract(store: () => Store): void {
  const eventIds = async (limit = 100) =>
    (await store().findEvents({ workspaceId, limit })).rows.map(({ eventId }) => eventId)
  const auditOfRequest = async (requestId: string) =>
    (await store().findAudit({ workspaceId, requestId, limit: 9 })).rows
  const appendEvents = (...events: WorkspaceEvent[]): Promise<EventOutcome[]> => store().append({ events, audit: [] })

  it('reads back what was written, with numbers beyond 2^53 as precisely as a number allows', async () => {
    const event = eventOf({
      lineageId: 'line',
      origin: 'sensor',
      occurredAt: 2 ** 60,
      receivedAt: noon,
      sensorMetadata: { z: 1, a: [1.5, null, 'ü\0', { deep: true }], n: 2 ** 62, action: 'block', modelId: 'm' }
    })
    const entry = auditOf({
      requestId: event.requestId,
      tokenId: event.tokenId,
      at: noon,
      detail: { b: 1, a: 2 ** 62 }
    })
    assert.deepEqual(await store().append({ events: [event], audit: [{ ...entry, eventIndex: 0 }] }), ['stored'])
    const [read] = (await store().findEvents({ workspaceId, limit: 1 })).rows
    assert.deepEqual(read, { ...event, sequence: read?.sequence })
    assert.equal(JSON.stringify(read.sensorMetadata), JSON.stringify(event.sensorMetadata))
    const [row] = await auditOfRequest(String(event.requestId))
    assert.deepEqual(row, { ...entry, sequence: row?.sequence })
  })

  it('stores an event id once per lineage and workspace, and no audit row for the duplicate', async () => {
    await store().ensureWorkspace({ id: 'beta', name: 'Beta', createdAt: 2 }, auditOf({ workspaceId: 'beta' }))
    const event = eventOf({ requestId: 'same', lineageId: 'one' })
    const rowOf = (eventIndex: number): AuditEntry => auditOf({ requestId: 'same', eventIndex })
    assert.deepEqual(await store().append({ events: [event, event], audit: [rowOf(0), rowOf(1)] }), [
      'stored',
      'duplicate'
    ])
    assert.deepEqual(await store().append({ events: [event], audit: [rowOf(0)] }), ['duplicate'])
    assert.deepEqual(await appendEvents({ ...event, workspaceId: 'beta' }), ['stored'])
    assert.deepEqual(await appendEvents({ ...event, lineageId: 'two' }, { ...event, lineageId: null }), [
      'stored',
      'stored'
    ])
    assert.equal((await auditOfRequest('same')).length, 1)
    assert.equal((await eventIds()).length, 3)
    const [head] = await store().auditHeads(workspaceId)
    assert.equal(head?.rows, 2, 'a duplicate takes no place in the chain')
  })

  it('accepts an id again once it is older than ids are kept', async () => {
    const event = eventOf({ receivedAt: noon })
    assert.deepEqual(await appendEvents(event), ['stored'])
    assert.deepEqual(await appendEvents({ ...event, receivedAt: noon + idempotencyDays * dayMs }), ['duplicate'])
    assert.deepEqual(await appendEvents({ ...event, receivedAt: noon + (idempotencyDays + 1) * dayMs }), ['stored'])
    assert.deepEqual(await appendEvents({ ...event, receivedAt: noon + (idempotencyDays + 2) * dayMs }), ['duplicate'])
  })

  it('stores one of several concurrent events with the same id', async () => {
    const event = eventOf()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => appendEvents(event)))
    assert.equal(outcomes.flat().filter((outcome) => outcome === 'stored').length, 1)
    assert.equal((await eventIds()).length, 1)
  })

  it('writes a batch completely or not at all, without affecting concurrent batches', async () => {
    const good = Array.from({ length: 5 }, () => eventOf())
    const stray = eventOf({ workspaceId: 'nobody' })
    const results = await Promise.allSettled([
      ...good.map((event) => appendEvents(event)),
      store().append({ events: [eventOf(), stray], audit: [auditOf({})] }),
      appendEvents(eventOf({ eventId: 'last' }))
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      [...good.map(() => 'fulfilled'), 'rejected', 'fulfilled']
    )
    const reason = (results.at(-2) as PromiseRejectedResult).reason as StoreError
    assert.equal(reason.code, 'unknown_workspace')
    assert.deepEqual(new Set(await eventIds()), new Set([...good.map(({ eventId }) => eventId), 'last']))
  })

  it('refuses what JSON cannot hold, without quoting it', async () => {
    const circular: Record<string, never> = {}
    Object.assign(circular, { secretive: circular })
    const isQuiet = (error: unknown) =>
      error instanceof StoreError && error.code === 'invalid' && !/secretive/.test(error.message)
    await assert.rejects(appendEvents(eventOf({ sensorMetadata: circular })), isQuiet)
    await assert.rejects(store().append({ events: [], audit: [auditOf({ detail: circular })] }), isQuiet)
  })

  it('refuses a record that lacks a field, holds unstorable text or has an impossible time', async () => {
    const absent = undefined as unknown as string
    const wrong: Partial<WorkspaceEvent>[] = [
      { kind: absent },
      { kind: null as unknown as string },
      { eventId: absent },
      { requestId: 'nul\0' },
      { tokenId: 'half \ud800' },
      { receivedAt: Number.NaN },
      { receivedAt: -1 },
      { receivedAt: 1e15 },
      { occurredAt: Infinity },
      { occurredAt: 2 ** 63 }
    ]
    for (const fields of wrong) await rejectsWith(appendEvents(eventOf(), eventOf(fields)), 'invalid')
    for (const fields of [{ actor: absent }, { action: 'nul\0' }, { at: 1e15 }]) {
      await rejectsWith(store().append({ events: [], audit: [auditOf(fields)] }), 'invalid')
    }
    assert.deepEqual(await eventIds(), [])
  })

  it('keeps metadata whose facets have another type, and excludes them from queries', async () => {
    const odd = { action: 7, modelId: 'nul\0', riskTier: null, clientSurface: ['sdk'], entitiesMasked: -1 }
    const event = eventOf({ sensorMetadata: odd, receivedAt: noon })
    await appendEvents(event)
    assert.deepEqual((await store().findEvents({ workspaceId, limit: 1 })).rows[0]?.sensorMetadata, odd)
    const series = { workspaceId, dimension: 'modelId', step: 'day', from: noon - dayMs, to: noon + dayMs } as const
    assert.deepEqual(await store().eventSeries(series), [])
    const [total] = await store().eventSeries({ ...series, dimension: 'total' })
    assert.deepEqual([total?.events, total?.entitiesMasked, total?.action], [1, 0, ''])
  })

  it('limits batches and pages', async () => {
    const tooMany = Array.from({ length: appendRowsMax + 1 }, () => auditOf({}))
    await assert.rejects(store().append({ events: [], audit: tooMany }), RangeError)
    await assert.rejects(store().append({ events: [], audit: [auditOf({ eventIndex: 0 })] }), RangeError)
    assert.deepEqual(await store().append({ events: [], audit: [] }), [])
    for (const limit of [0, -1, 1.5, NaN, rowsMax + 1]) {
      await assert.rejects(store().findEvents({ workspaceId, limit }), RangeError)
      await assert.rejects(store().eventsAfter({ workspaceId, sequence: 0, limit }), RangeError)
    }
    for (const cursor of ['', 'x', '1-', '-1-1', "1-1' or 1"]) {
      await assert.rejects(store().findAudit({ workspaceId, limit: 1, cursor }), RangeError)
    }
  })

  it('handles many concurrent writers of all kinds', async () => {
    // Few enough that even on a slow machine none of them waits for a connection longer than the store allows.
    const writers = 8
    const work = Array.from({ length: writers }, (_, index) => [
      store().append({ events: [eventOf()], audit: [auditOf({})] }),
      store().insertToken(tokenOf(`t${index}`), auditOf({})),
      store().putMeta('turn', String(index))
    ])
    await Promise.all(work.flat())
    assert.equal((await eventIds()).length, writers)
    assert.equal((await store().findAudit({ workspaceId, limit: 500 })).rows.length, 2 * writers + 1)
    assert.equal((await store().listTokens({ workspaceId, limit: 500 })).length, writers)
  })
}
