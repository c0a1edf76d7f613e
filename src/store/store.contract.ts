/** What every engine must do. An engine's own test file calls this with a function that opens an empty store. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { appendRowsMax, rowsMax, StoreError, type AuditEntry, type Store, type StoreErrorCode } from './store.ts'
import { auditOf, eventOf, policyOf, tokenOf } from './samples.contract.ts'

const rejectsWith = (promise: Promise<unknown>, code: StoreErrorCode) =>
  assert.rejects(promise, (error) => error instanceof StoreError && error.code === code)

/** @param open gives a new empty store at each call; the suite closes it */
export function describeStoreContract(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ action: 'workspace_created' }))
    })
    afterEach(() => store.close())

    describe('workspaces', () => workspaceContract(() => store))
    describe('tokens', () => tokenContract(() => store))
    describe('policies', () => policyContract(() => store))
    describe('events and audit', () => appendContract(() => store))
    describe('meta and closing', () => metaContract(() => store))
  })
}

function workspaceContract(store: () => Store): void {
  it('creates a workspace once and audits only the creation', async () => {
    const again = { id: 'acme', name: 'Other', createdAt: 2 }
    const results = await Promise.all([1, 2, 3].map(() => store().ensureWorkspace(again, auditOf({}))))
    for (const { workspace, created } of results) {
      assert.equal(created, false)
      assert.deepEqual(workspace, { id: 'acme', name: 'Acme', createdAt: 1 })
    }
    assert.equal((await store().latestAudit({ workspaceId: 'acme', limit: 10 })).length, 1)
  })

  it('finds and lists workspaces in pages', async () => {
    await store().ensureWorkspace({ id: 'beta', name: 'Beta', createdAt: 2 }, auditOf({ workspaceId: 'beta' }))
    assert.equal(await store().findWorkspace('nobody'), undefined)
    assert.equal((await store().findWorkspace('beta'))?.name, 'Beta')
    assert.deepEqual(
      (await store().listWorkspaces({ limit: 1 })).map(({ id }) => id),
      ['acme']
    )
    assert.deepEqual(
      (await store().listWorkspaces({ limit: 5, after: 'acme' })).map(({ id }) => id),
      ['beta']
    )
  })
}

function tokenContract(store: () => Store): void {
  it('keeps a token as it was given', async () => {
    const token = tokenOf('tok00001', { expiresAt: 99 })
    await store().insertToken(token, auditOf({ action: 'token_created' }))
    const change = await store().changeCounter()
    assert.deepEqual(await store().findToken('tok00001'), { ...token, revokedAt: null, lastUsedAt: null, change })
    assert.equal(await store().findToken('tok00002'), undefined)
  })

  it('refuses an id that is taken and a workspace that does not exist, and writes no audit row for either', async () => {
    await store().insertToken(tokenOf('tok00001'), auditOf({}))
    const before = await store().changeCounter()
    await rejectsWith(store().insertToken(tokenOf('tok00001'), auditOf({})), 'conflict')
    await rejectsWith(
      store().insertToken(tokenOf('tok00002', { workspaceId: 'nobody' }), auditOf({})),
      'unknown_workspace'
    )
    assert.equal(await store().changeCounter(), before)
    assert.equal((await store().latestAudit({ workspaceId: 'acme', limit: 10 })).length, 2)
  })

  it('lists tokens of one workspace, and changes of all in their order', async () => {
    await store().ensureWorkspace({ id: 'beta', name: 'Beta', createdAt: 2 }, auditOf({ workspaceId: 'beta' }))
    for (const id of ['tok00003', 'tok00001', 'tok00002']) await store().insertToken(tokenOf(id), auditOf({}))
    await store().insertToken(tokenOf('tok00009', { workspaceId: 'beta' }), auditOf({ workspaceId: 'beta' }))
    const ids = async (page: Promise<readonly { id: string }[]>) => (await page).map(({ id }) => id)
    assert.deepEqual(await ids(store().listTokens({ workspaceId: 'acme', limit: 9 })), [
      'tok00003',
      'tok00001',
      'tok00002'
    ])
    const [first] = await store().tokensChangedAfter(0, 1)
    assert.equal(first?.id, 'tok00003')
    await store().revokeToken({ workspaceId: 'acme', id: 'tok00003', revokedAt: 5 }, auditOf({}))
    assert.deepEqual(await ids(store().tokensChangedAfter(first.change, 9)), [
      'tok00001',
      'tok00002',
      'tok00009',
      'tok00003'
    ])
  })

  it('revokes once, in the right workspace only', async () => {
    await store().insertToken(tokenOf('tok00001'), auditOf({}))
    const revoke = (workspaceId: string, revokedAt: number) =>
      store().revokeToken({ workspaceId, id: 'tok00001', revokedAt }, auditOf({ action: 'token_revoked' }))
    assert.equal(await revoke('beta', 5), 'not_found')
    assert.deepEqual((await Promise.all([revoke('acme', 6), revoke('acme', 7)])).toSorted(), [
      'already_revoked',
      'revoked'
    ])
    assert.equal((await store().findToken('tok00001'))?.revokedAt, 6)
    const rows = await store().latestAudit({ workspaceId: 'acme', limit: 10 })
    assert.equal(rows.filter(({ action }) => action === 'token_revoked').length, 1)
  })

  it('keeps the latest use, does not count it as a change, and takes empty and repeated uses', async () => {
    await store().insertToken(tokenOf('tok00001'), auditOf({}))
    const before = await store().changeCounter()
    await store().touchTokens([])
    await store().touchTokens([
      { tokenId: 'tok00001', at: 50 },
      { tokenId: 'tok00001', at: 40 }
    ])
    await store().touchTokens([{ tokenId: 'tok00001', at: 30 }])
    assert.equal((await store().findToken('tok00001'))?.lastUsedAt, 50)
    assert.equal(await store().changeCounter(), before)
    const tooMany = Array.from({ length: rowsMax + 1 }, (_, at) => ({ tokenId: `t${at}`, at }))
    await assert.rejects(store().touchTokens(tooMany), RangeError)
  })
}

function policyContract(store: () => Store): void {
  it('keeps every revision and knows the current one', async () => {
    assert.equal(await store().currentPolicyRevision('acme'), undefined)
    const first = policyOf(1)
    const second = policyOf(2, { mcpToolPolicy: { z: 1, a: { nested: [true, null] } } })
    await store().insertPolicyRevision(first, auditOf({}))
    const before = await store().changeCounter()
    await store().insertPolicyRevision(second, auditOf({}))
    assert.ok((await store().changeCounter()) > before)
    assert.deepEqual(await store().currentPolicyRevision('acme'), second)
    assert.deepEqual(await store().findPolicyRevision('acme', first.revision), first)
    assert.equal(await store().findPolicyRevision('acme', '3-x'), undefined)
    assert.equal(
      JSON.stringify((await store().currentPolicyRevision('acme'))?.mcpToolPolicy),
      JSON.stringify(second.mcpToolPolicy)
    )
  })

  it('lets one of two publishers of the same sequence win', async () => {
    const publish = (author: string) => store().insertPolicyRevision(policyOf(1, { author }), auditOf({}))
    const results = await Promise.allSettled([publish('ada'), publish('bob')])
    const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    assert.equal(lost.length, 1)
    assert.equal((lost[0] as StoreError).code, 'conflict')
  })
}

function appendContract(store: () => Store): void {
  const newestIds = async (limit = 100) =>
    (await store().latestEvents({ workspaceId: 'acme', limit })).map(({ eventId }) => eventId)

  it('reads back what was written, with numbers beyond 2^53 as near as a number holds them', async () => {
    const event = eventOf({
      occurredAt: 2 ** 60,
      sensorMetadata: { z: 1, a: [1.5, null, 'ü', { deep: true }], n: 2 ** 62 }
    })
    const entry = auditOf({ requestId: event.requestId, tokenId: event.tokenId, at: 2 ** 55, detail: { b: 1, a: 2 } })
    assert.deepEqual(await store().append({ events: [event], audit: [{ ...entry, eventIndex: 0 }] }), ['stored'])
    const [read] = await store().latestEvents({ workspaceId: 'acme', limit: 1 })
    assert.deepEqual(read, { ...event, sequence: read?.sequence })
    const [row] = await store().auditOfRequest({ workspaceId: 'acme', requestId: String(event.requestId), limit: 5 })
    assert.deepEqual(row, { ...entry, sequence: row?.sequence })
  })

  it('stores an event id once in a workspace, and no audit row for the duplicate', async () => {
    await store().ensureWorkspace({ id: 'beta', name: 'Beta', createdAt: 2 }, auditOf({ workspaceId: 'beta' }))
    const event = eventOf({ requestId: 'same' })
    const rowOf = (eventIndex: number): AuditEntry => auditOf({ requestId: 'same', eventIndex })
    assert.deepEqual(await store().append({ events: [event, event], audit: [rowOf(0), rowOf(1)] }), [
      'stored',
      'duplicate'
    ])
    assert.deepEqual(await store().append({ events: [event], audit: [rowOf(0)] }), ['duplicate'])
    assert.deepEqual(await store().append({ events: [{ ...event, workspaceId: 'beta' }], audit: [] }), ['stored'])
    assert.equal((await store().auditOfRequest({ workspaceId: 'acme', requestId: 'same', limit: 9 })).length, 1)
    assert.equal((await newestIds()).length, 1)
  })

  it('writes a batch whole or not at all, and spares the batches beside it', async () => {
    const good = Array.from({ length: 5 }, () => eventOf())
    const stray = eventOf({ workspaceId: 'nobody' })
    const results = await Promise.allSettled([
      ...good.map((event) => store().append({ events: [event], audit: [] })),
      store().append({ events: [eventOf(), stray], audit: [auditOf({})] }),
      store().append({ events: [eventOf({ eventId: 'last' })], audit: [] })
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      [...good.map(() => 'fulfilled'), 'rejected', 'fulfilled']
    )
    const reason = (results.at(-2) as PromiseRejectedResult).reason as StoreError
    assert.equal(reason.code, 'unknown_workspace')
    assert.deepEqual(new Set(await newestIds()), new Set([...good.map(({ eventId }) => eventId), 'last']))
  })

  it('refuses what JSON cannot hold without naming it', async () => {
    const circular: Record<string, never> = {}
    Object.assign(circular, { secretive: circular })
    const refused = store().append({ events: [eventOf({ sensorMetadata: circular })], audit: [] })
    await assert.rejects(
      refused,
      (error) => error instanceof StoreError && error.code === 'invalid' && !/secretive/.test(error.message)
    )
  })

  it('refuses a record that lacks a field', async () => {
    for (const missing of [null, undefined]) {
      const event = eventOf({ kind: missing as unknown as string })
      await rejectsWith(store().append({ events: [eventOf(), event], audit: [] }), 'invalid')
    }
    assert.deepEqual(await newestIds(), [])
  })

  it('pages newest first and narrows to one token', async () => {
    const events = ['a', 'b', 'c', 'd'].map((eventId, index) =>
      eventOf({ eventId, tokenId: index % 2 ? 'odd' : 'even' })
    )
    await store().append({ events, audit: events.map(({ tokenId }) => auditOf({ tokenId })) })
    assert.deepEqual(await newestIds(2), ['d', 'c'])
    const [, middle] = await store().latestEvents({ workspaceId: 'acme', limit: 2 })
    const page = await store().latestEvents({ workspaceId: 'acme', limit: 2, before: middle?.sequence })
    assert.deepEqual(
      page.map(({ eventId }) => eventId),
      ['b', 'a']
    )
    const odd = await store().latestEvents({ workspaceId: 'acme', limit: 9, tokenId: 'odd' })
    assert.deepEqual(
      odd.map(({ eventId }) => eventId),
      ['d', 'b']
    )
    assert.equal((await store().latestAudit({ workspaceId: 'acme', limit: 9, tokenId: 'even' })).length, 2)
  })

  it('finds by request id, oldest first, in its workspace, of one token where asked', async () => {
    const requestId = randomUUID()
    const events = ['ada', 'bob'].map((tokenId) => eventOf({ requestId, tokenId }))
    await store().append({ events, audit: events.map(({ tokenId }) => auditOf({ requestId, tokenId })) })
    const tokenIds = async (rows: Promise<readonly { tokenId: string | null }[]>) =>
      (await rows).map(({ tokenId }) => tokenId)
    const query = { workspaceId: 'acme', requestId, limit: 9 }
    assert.deepEqual(await tokenIds(store().auditOfRequest(query)), ['ada', 'bob'])
    assert.deepEqual(await tokenIds(store().eventsOfRequest(query)), ['ada', 'bob'])
    assert.deepEqual(await tokenIds(store().auditOfRequest({ ...query, tokenId: 'bob' })), ['bob'])
    assert.deepEqual(await tokenIds(store().eventsOfRequest({ ...query, tokenId: 'bob' })), ['bob'])
    assert.deepEqual(await store().auditOfRequest({ ...query, workspaceId: 'beta' }), [])
  })

  it('has bounds on batches and pages', async () => {
    const tooMany = Array.from({ length: appendRowsMax + 1 }, () => auditOf({}))
    await assert.rejects(store().append({ events: [], audit: tooMany }), RangeError)
    await assert.rejects(store().append({ events: [], audit: [auditOf({ eventIndex: 0 })] }), RangeError)
    for (const limit of [0, -1, 1.5, NaN, rowsMax + 1]) {
      await assert.rejects(store().latestEvents({ workspaceId: 'acme', limit }), RangeError)
    }
  })

  it('takes many writers of all kinds at once', async () => {
    const work = Array.from({ length: 60 }, (_, index) => [
      store().append({ events: [eventOf()], audit: [auditOf({})] }),
      store().insertToken(tokenOf(`t${index}`), auditOf({})),
      store().putMeta('turn', String(index))
    ])
    await Promise.all(work.flat())
    assert.equal((await newestIds()).length, 60)
    assert.equal((await store().latestAudit({ workspaceId: 'acme', limit: 500 })).length, 121)
    assert.equal((await store().listTokens({ workspaceId: 'acme', limit: 500 })).length, 60)
  })
}

function metaContract(store: () => Store): void {
  it('keeps values, and lets all agree on the first', async () => {
    assert.equal(await store().getMeta('colour'), undefined)
    const settled = await Promise.all(['red', 'blue'].map((value) => store().putMetaIfAbsent('colour', value)))
    assert.equal(settled[0], settled[1])
    await store().putMeta('colour', 'green')
    assert.equal(await store().getMeta('colour'), 'green')
  })

  it('finishes what was asked before closing and refuses what comes after', async () => {
    const late = store().append({ events: [eventOf()], audit: [] })
    const closing = store().close()
    assert.deepEqual(await late, ['stored'])
    await rejectsWith(store().changeCounter(), 'closed')
    await rejectsWith(store().append({ events: [eventOf()], audit: [] }), 'closed')
    await closing
    await store().close()
  })
}
