/** What every engine must do. An engine's own test file calls this with a function that opens an empty store. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { accountContract } from './account.contract.ts'
import { appendContract } from './append.contract.ts'
import { chainContract } from './chain.contract.ts'
import { changeContract } from './change.contract.ts'
import { exportContract } from './exports.contract.ts'
import { journalContract } from './journal.contract.ts'
import { maintenanceContract } from './maintenance.contract.ts'
import { auditOf, eventOf, policyOf, rejectsWith, tokenOf } from './samples.contract.ts'
import { sensorContract } from './sensors.contract.ts'
import { seriesContract } from './series.contract.ts'
import { rowsMax, type Store, type StoreError } from '../store.ts'

/** @param open returns a new empty store at each call; the suite closes it */
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
    describe('people who sign in', () => accountContract(() => store))
    describe('policies', () => policyContract(() => store))
    describe('events and audit', () => appendContract(() => store))
    describe('pages of records', () => journalContract(() => store))
    describe('counts over time', () => seriesContract(() => store))
    describe('chains of audit rows', () => chainContract(() => store))
    describe('retention', () => maintenanceContract(() => store))
    describe('exports', () => exportContract(() => store))
    describe('sensors', () => sensorContract(() => store))
    describe('changes', () => changeContract(() => store))
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
    assert.equal((await store().findAudit({ workspaceId: 'acme', limit: 10 })).rows.length, 1)
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

  it('refuses a taken id and an unknown workspace, and writes no audit row for either', async () => {
    await store().insertToken(tokenOf('tok00001'), auditOf({}))
    const before = await store().changeCounter()
    await rejectsWith(store().insertToken(tokenOf('tok00001'), auditOf({})), 'conflict')
    await rejectsWith(
      store().insertToken(tokenOf('tok00002', { workspaceId: 'nobody' }), auditOf({})),
      'unknown_workspace'
    )
    assert.equal(await store().changeCounter(), before)
    assert.equal((await store().findAudit({ workspaceId: 'acme', limit: 10 })).rows.length, 2)
  })

  it('lists the tokens of one workspace, and the changes of all in order', async () => {
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
    const outcomes = await Promise.all([revoke('acme', 6), revoke('acme', 7)])
    assert.deepEqual(outcomes.toSorted(), ['already_revoked', 'revoked'])
    // On two connections, either may come first.
    assert.equal((await store().findToken('tok00001'))?.revokedAt, outcomes[0] === 'revoked' ? 6 : 7)
    const { rows } = await store().findAudit({ workspaceId: 'acme', limit: 10 })
    assert.equal(rows.filter(({ action }) => action === 'token_revoked').length, 1)
  })

  it('rotates within the lineage, lets the old token end sooner but never later, and reports it once', async () => {
    const first = tokenOf('tok00001', { expiresAt: 1_000 })
    await store().insertToken(first, auditOf({}))
    const rotate = (id: string, oldExpiresAt: number, next: string, workspaceId = 'acme') =>
      store().rotateToken(
        { id, oldExpiresAt },
        tokenOf(next, { workspaceId, lineageId: 'not yet known' }),
        auditOf({ action: 'token_rotated', workspaceId })
      )
    const before = await store().changeCounter()
    assert.equal(await rotate('nobody', 50, 'tok00008'), 'not_found')
    assert.equal(await rotate('tok00001', 50, 'tok00008', 'beta'), 'not_found')
    assert.equal(await store().changeCounter(), before)
    assert.equal(await rotate('tok00001', 500, 'tok00002'), 'rotated')
    assert.equal((await store().findToken('tok00001'))?.expiresAt, 500)
    assert.equal((await store().findToken('tok00002'))?.lineageId, 'tok00001')
    assert.equal(await rotate('tok00002', 600, 'tok00003'), 'rotated')
    assert.equal(await rotate('tok00001', 900, 'tok00004'), 'rotated')
    assert.equal((await store().findToken('tok00001'))?.expiresAt, 500)
    assert.equal((await store().findToken('tok00003'))?.lineageId, 'tok00001')
    assert.equal((await store().newestToken('tok00001'))?.id, 'tok00004')
    assert.equal(await store().newestToken('tok00004'), undefined)
    await store().revokeToken({ workspaceId: 'acme', id: 'tok00004', revokedAt: 5 }, auditOf({}))
    assert.equal(await rotate('tok00004', 50, 'tok00005'), 'not_found')
    await rejectsWith(rotate('tok00003', 50, 'tok00001'), 'conflict')
    assert.equal((await store().findToken('tok00003'))?.expiresAt, null)
    const changed = await store().tokensChangedAfter(before, 9)
    assert.equal(new Set(changed.map(({ change }) => change)).size, changed.length)
    const { rows } = await store().findAudit({ workspaceId: 'acme', limit: 10, action: 'token_rotated' })
    assert.equal(rows.length, 3)
  })

  it('refuses text that no engine can store', async () => {
    for (const label of ['nul\0', 'half \ud800']) {
      await rejectsWith(store().insertToken(tokenOf('tok00001', { label }), auditOf({})), 'invalid')
      await rejectsWith(store().putMeta('key', label), 'invalid')
    }
    assert.equal(await store().findToken('tok00001'), undefined)
  })

  it('keeps the latest use, does not count it as a change, and accepts empty and repeated uses', async () => {
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

  it('lists revisions newest first, page by page', async () => {
    for (const sequence of [1, 2, 3]) await store().insertPolicyRevision(policyOf(sequence), auditOf({}))
    const sequences = async (before?: number) =>
      (await store().listPolicyRevisions({ workspaceId: 'acme', limit: 2, before })).map(({ sequence }) => sequence)
    assert.deepEqual(await sequences(), [3, 2])
    assert.deepEqual(await sequences(2), [1])
    assert.deepEqual(await store().listPolicyRevisions({ workspaceId: 'beta', limit: 2 }), [])
  })

  it('refuses a policy of an unknown workspace', async () => {
    const stray = policyOf(1, { workspaceId: 'nobody' })
    await rejectsWith(store().insertPolicyRevision(stray, auditOf({ workspaceId: 'nobody' })), 'unknown_workspace')
  })

  it('lets one of two publishers of the same sequence win', async () => {
    const publish = (author: string) => store().insertPolicyRevision(policyOf(1, { author }), auditOf({}))
    const results = await Promise.allSettled([publish('ada'), publish('bob')])
    const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    assert.equal(lost.length, 1)
    assert.equal((lost[0] as StoreError).code, 'conflict')
  })
}

function metaContract(store: () => Store): void {
  it('keeps values, and lets all processes agree on the first', async () => {
    assert.equal(await store().getMeta('colour'), undefined)
    const settled = await Promise.all(['red', 'blue'].map((value) => store().putMetaIfAbsent('colour', value)))
    assert.equal(settled[0], settled[1])
    await store().putMeta('colour', 'green')
    assert.equal(await store().getMeta('colour'), 'green')
  })

  it('finishes pending calls before closing and refuses later ones', async () => {
    const late = store().append({ events: [eventOf()], audit: [] })
    const closing = store().close()
    assert.deepEqual(await late, ['stored'])
    await rejectsWith(store().changeCounter(), 'closed')
    await rejectsWith(store().append({ events: [eventOf()], audit: [] }), 'closed')
    await closing
    await store().close()
  })
}
