/** Reading events and audit rows: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { auditOf, eventOf, noon } from './samples.contract.ts'
import { appendRowsMax, type EventQuery, type Page, type Store, type WorkspaceEvent } from '../store.ts'
import { hourMs, dayMs } from '../../timing/spans.ts'

const workspaceId = 'acme'

/** Ids of all pages, and the number of pages. */
async function readAll<Row>(read: (cursor: string | undefined) => Promise<Page<Row>>): Promise<[Row[], number]> {
  const rows: Row[] = []
  let pages = 0
  for (let cursor: string | undefined; pages < 200;) {
    const page = await read(cursor)
    rows.push(...page.rows)
    pages++
    if (page.next === null) return [rows, pages]
    cursor = page.next
  }
  return assert.fail('the pages have no end')
}

const idsOf = (rows: readonly { readonly eventId: string }[]): string[] => rows.map(({ eventId }) => eventId)

export function journalContract(store: () => Store): void {
  /** Three days with four events each, an hour apart; an event's id is its index. */
  async function appendDays(
    fields: (index: number) => Partial<WorkspaceEvent> = () => ({})
  ): Promise<WorkspaceEvent[]> {
    const events = Array.from({ length: 12 }, (_, index) => {
      const receivedAt = noon + Math.floor(index / 4) * dayMs + (index % 4) * hourMs
      return eventOf({ eventId: String(index), receivedAt, ...fields(index) })
    })
    const audit = events.map(({ receivedAt: at, tokenId, requestId }, eventIndex) =>
      auditOf({ at, tokenId, requestId, action: 'called', detail: { eventIndex }, eventIndex })
    )
    await store().append({ events, audit })
    return events
  }
  const find = async (query: Partial<EventQuery>): Promise<string[]> => {
    const [rows] = await readAll((cursor) => store().findEvents({ workspaceId, limit: 5, ...query, cursor }))
    return idsOf(rows)
  }
  const all = Array.from({ length: 12 }, (_, index) => String(index))

  it('pages over days in both orders, and says when there is no more', async () => {
    await appendDays()
    for (const limit of [1, 3, 4, 5, 12, 100]) {
      assert.deepEqual(await find({ limit, order: 'oldest' }), all)
      assert.deepEqual(await find({ limit }), all.toReversed())
    }
    const { next } = await store().findEvents({ workspaceId, limit: 12 })
    assert.equal(next, null)
    const [audit] = await readAll((cursor) =>
      store().findAudit({ workspaceId, limit: 5, order: 'oldest', action: 'called', cursor })
    )
    assert.deepEqual(
      audit.map(({ detail }) => detail['eventIndex']),
      all.map(Number)
    )
  })

  it('does not show later rows on an earlier page, but on a later one', async () => {
    await appendDays()
    const first = await store().findEvents({ workspaceId, limit: 3 })
    await store().append({
      events: [eventOf({ eventId: 'late', receivedAt: noon + 2 * dayMs + 4 * hourMs })],
      audit: []
    })
    const second = await store().findEvents({ workspaceId, limit: 3, cursor: first.next ?? assert.fail() })
    assert.deepEqual(idsOf(second.rows), ['8', '7', '6'])
    assert.deepEqual((await find({})).slice(0, 2), ['late', '11'])
  })

  it('limits results to a time range, which may cut through days', async () => {
    await appendDays()
    const between = (from: number | undefined, to: number | undefined) => find({ order: 'oldest', from, to })
    assert.deepEqual(await between(noon + dayMs, noon + 2 * dayMs), ['4', '5', '6', '7'])
    assert.deepEqual(await between(noon + hourMs, noon + dayMs + 1), ['1', '2', '3', '4'])
    assert.deepEqual(await between(noon + hourMs + 1, noon + 2 * hourMs), [])
    assert.deepEqual(await between(noon + 2 * dayMs + 3 * hourMs, undefined), ['11'])
    assert.deepEqual(await between(undefined, noon + 1), ['0'])
    assert.deepEqual(await find({ from: noon + hourMs, to: noon + 2 * dayMs + hourMs, limit: 2 }), [
      '8', '7', '6', '5', '4', '3', '2', '1'
    ]) // prettier-ignore
    const audit = await store().findAudit({ workspaceId, limit: 9, from: noon + dayMs, to: noon + dayMs + 1 })
    assert.deepEqual(
      audit.rows.map(({ detail }) => detail['eventIndex']),
      [4]
    )
  })

  it('filters by token, request, kind, origin and every facet, alone and combined', async () => {
    const requestId = randomUUID()
    const odd = { modelId: 'odd', action: 'block', riskTier: 'high', clientSurface: 'cursor', modelProvider: 'openai' }
    const rest = { mcpToolName: 'search', downstreamServer: 'docker', sensorId: 's1' }
    await appendDays((index) => ({
      tokenId: index % 2 ? 'odd' : 'even',
      ...(index === 5 ? { requestId } : {}),
      kind: index % 3 ? 'other' : 'ingress_proxy',
      origin: index < 6 ? 'sensor' : 'service',
      sensorMetadata: index % 2 ? { ...odd, ...rest } : { modelId: 'even', action: 'mask' }
    }))
    const odds = all.filter((id) => Number(id) % 2 === 1)
    for (const [facet, value] of Object.entries({ ...odd, ...rest })) {
      assert.deepEqual(await find({ facets: { [facet]: value }, order: 'oldest', limit: 2 }), odds, facet)
      assert.deepEqual(await find({ facets: { [facet]: 'none' } }), [], facet)
    }
    assert.deepEqual(await find({ tokenId: 'odd', order: 'oldest' }), odds)
    assert.deepEqual(await find({ tokenId: 'odd', facets: { action: 'mask' } }), [])
    assert.deepEqual(await find({ requestId }), ['5'])
    assert.deepEqual(await find({ requestId, tokenId: 'odd' }), ['5'])
    assert.deepEqual(await find({ requestId, tokenId: 'even' }), [])
    assert.deepEqual(await find({ requestId, workspaceId: 'beta' }), [])
    assert.deepEqual(await find({ kind: 'ingress_proxy', order: 'oldest' }), ['0', '3', '6', '9'])
    assert.deepEqual(await find({ kind: 'ingress_proxy', origin: 'service' }), ['9', '6'])
    const audit = (query: object) => store().findAudit({ workspaceId, limit: 20, ...query })
    assert.equal((await audit({ tokenId: 'odd' })).rows.length, 6)
    assert.equal((await audit({ requestId, tokenId: 'odd', action: 'called', actor: 'test' })).rows.length, 1)
    assert.equal((await audit({ requestId, actor: 'other' })).rows.length, 0)
  })

  it('finds rare rows over many days, page by page and for any time range', async () => {
    const requestId = randomUUID()
    const days = 24
    const rare = Array.from({ length: days * 2 }, (_, index) => ({
      eventId: `rare-${index}`,
      receivedAt: noon + Math.floor(index / 2) * dayMs + (index % 2) * hourMs
    }))
    const events = rare.flatMap((fields) => [
      eventOf({ ...fields, requestId, tokenId: 'tok', sensorMetadata: { action: 'block' } }),
      eventOf({ receivedAt: fields.receivedAt, tokenId: 'other', sensorMetadata: { action: 'mask' } })
    ])
    await store().append({ events, audit: [] })
    const ways: Partial<EventQuery>[] = [
      { requestId },
      { requestId, tokenId: 'tok' },
      { facets: { action: 'block' } },
      { tokenId: 'tok' },
      { tokenId: 'tok', facets: { action: 'block' } }
    ]
    const times = [{}, { from: noon + 2 * dayMs + 1, to: noon + 19 * dayMs + 1 }]
    for (const way of ways) {
      for (const { from = -Infinity, to = Infinity } of times) {
        const range = Number.isFinite(from) ? { from, to } : {}
        const wanted = rare.filter(({ receivedAt: at }) => at >= from && at < to).map(({ eventId }) => eventId)
        const name = JSON.stringify({ way, range })
        for (const limit of [7, wanted.length, 100]) {
          assert.deepEqual(await find({ ...way, ...range, limit, order: 'oldest' }), wanted, name)
          assert.deepEqual(await find({ ...way, ...range, limit }), wanted.toReversed(), name)
        }
      }
      assert.deepEqual(await find({ ...way, workspaceId: 'beta' }), [])
    }
    const { rows } = await store().findEvents({ workspaceId, requestId, limit: 100 })
    assert.equal(rows[0]?.receivedAt, rare.at(-1)?.receivedAt)
    assert.deepEqual(rows[0]?.sensorMetadata, { action: 'block' })
  })

  it('finds the events that count a kind of entity, and no others that mention it', async () => {
    const counts = [{ email_address: 2, iban: 1 }, { iban: 1 }, { email_address: 0 }, { emailXaddress: 1 }]
    const events = counts.map((entityCounts, index) =>
      eventOf({
        eventId: String(index),
        receivedAt: noon,
        sensorMetadata: { entityCounts, passedCounts: { email_address: 1 } }
      })
    )
    await store().append({ events, audit: [] })
    assert.deepEqual(await find({ entityKind: 'email_address' }), ['0'])
    assert.deepEqual(await find({ entityKind: 'iban', order: 'oldest' }), ['0', '1'])
  })

  it('examines a limited number of rows per page, and finds the rest on the next', async () => {
    const needle = eventOf({ eventId: 'needle', receivedAt: noon, sensorMetadata: { modelId: 'rare' } })
    await store().append({ events: [needle], audit: [] })
    for (let batch = 0; batch < 5; batch++) {
      const events = Array.from({ length: appendRowsMax }, () => eventOf({ receivedAt: noon + 1 }))
      await store().append({ events, audit: [] })
    }
    const query = { workspaceId, limit: 5, facets: { modelId: 'rare' } }
    const first = await store().findEvents(query)
    assert.deepEqual(first.rows, [])
    assert.notEqual(first.next, null)
    const [rows, pages] = await readAll((cursor) => store().findEvents({ ...query, cursor }))
    assert.deepEqual(idsOf(rows), ['needle'])
    assert.ok(pages > 1 && pages < 5)
    const oldest = await store().findEvents({ ...query, order: 'oldest' })
    assert.deepEqual(idsOf(oldest.rows), ['needle'])
    assert.notEqual(oldest.next, null)
  })

  it('follows a workspace by sequence, across days and a clock that was set back', async () => {
    assert.equal(await store().lastEventSequence(workspaceId), 0)
    const times = [noon, noon + dayMs, noon + 1, noon + dayMs + 1, noon + 2]
    for (const [index, receivedAt] of times.entries()) {
      await store().append({ events: [eventOf({ eventId: String(index), receivedAt })], audit: [auditOf({})] })
    }
    const seen: string[] = []
    for (let sequence = 0; ;) {
      const rows = await store().eventsAfter({ workspaceId, sequence, limit: 2 })
      const last = rows.at(-1)
      if (!last) break
      seen.push(...idsOf(rows))
      sequence = last.sequence
    }
    assert.deepEqual(seen, ['0', '1', '2', '3', '4'])
    const newest = await store().lastEventSequence(workspaceId)
    assert.deepEqual(await store().eventsAfter({ workspaceId, sequence: newest, limit: 2 }), [])
    assert.equal((await store().eventsAfter({ workspaceId, sequence: newest - 1, limit: 2 })).length, 1)
  })

  it('assigns sequences in the order of commits, so that followers miss none', async () => {
    const seen = new Set<string>()
    const acknowledged = new Set<string>()
    let last = 0
    const follow = async (): Promise<number> => {
      const rows = await store().eventsAfter({ workspaceId, sequence: last, limit: 1000 })
      for (const { eventId, sequence } of rows) {
        assert.ok(sequence > last)
        last = sequence
        seen.add(eventId)
      }
      return rows.length
    }
    const senders = Array.from({ length: 8 }, async () => {
      for (let turn = 0; turn < 15; turn++) {
        const events = [eventOf(), eventOf()]
        await store().append({ events, audit: [] })
        for (const { eventId } of events) acknowledged.add(eventId)
      }
    })
    const sent = Promise.all(senders)
    while (acknowledged.size < 240) await follow()
    await sent
    while ((await follow()) > 0);
    assert.deepEqual(seen, acknowledged)
  })
}
