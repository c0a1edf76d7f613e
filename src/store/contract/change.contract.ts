/** Notifications of changes: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditOf, eventOf, policyOf, tokenOf } from './samples.contract.ts'
import type { Store } from '../store.ts'

export function changeContract(store: () => Store): void {
  it('notifies listeners of every change until they unsubscribe', async () => {
    let heard: () => void = () => {}
    const next = () => new Promise<void>((resolve) => (heard = resolve))
    const first = next()
    const end = store().onChange(() => heard())
    await first
    const acts = [
      () => store().insertToken(tokenOf('tok00001'), auditOf({})),
      () => store().revokeToken({ workspaceId: 'acme', id: 'tok00001', revokedAt: 5 }, auditOf({})),
      () => store().insertPolicyRevision(policyOf(1), auditOf({})),
      () => store().ensureWorkspace({ id: 'beta', name: 'Beta', createdAt: 2 }, auditOf({ workspaceId: 'beta' }))
    ]
    for (const act of acts) {
      const told = next()
      await act()
      await told
    }
    end()
    heard = () => assert.fail('a listener that ended was called')
    await store().insertToken(tokenOf('tok00002'), auditOf({}))
    await sleep(50)
  })

  it('sends none for events, audit rows and uses', async () => {
    await store().insertToken(tokenOf('tok00001'), auditOf({}))
    const before = await store().changeCounter()
    await store().append({ events: [eventOf()], audit: [auditOf({})] })
    await store().touchTokens([{ tokenId: 'tok00001', at: 5 }])
    await store().heartbeat({ now: 5, lostBefore: 0 })
    assert.equal(await store().changeCounter(), before)
  })

  it('survives a listener that throws', async () => {
    const heard = Promise.withResolvers<void>()
    store().onChange(() => {
      throw new Error('a fault of the listener')
    })
    store().onChange(() => heard.resolve())
    await store().insertToken(tokenOf('tok00001'), auditOf({}))
    await heard.promise
  })
}
