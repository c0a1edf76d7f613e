import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { builtInDetectors } from '../detection/detectors/index.ts'
import { Refused } from '../ingress/refused.ts'
import { standardPolicy } from '../policy/revision.ts'
import { looseText } from '../policy/text-place.ts'
import { openStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { createPolicySource } from './policies.ts'
import { defaultWorkspaceId, ensureWorkspace } from './workspaces.ts'

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-policies-'))
  {
    await using store = await openStore({ dataDir })
    await work(store)
  }
  await rm(dataDir, { recursive: true, force: true })
}

const masterKey = createSecretKey(randomBytes(32))
const emailFinding = {
  kind: 'email_address',
  group: 'contact',
  tier: 'medium',
  confidence: 'strong',
  start: 0,
  end: 1
} as const

test('a fresh workspace has revision 1, and a published revision takes its place without a restart', async () => {
  await withStore(async (store) => {
    await ensureWorkspace(store, defaultWorkspaceId, 'test')
    const source = createPolicySource({ store, masterKey, blockHighRisk: true, detectors: builtInDetectors })
    const first = await source.policyOf(defaultWorkspaceId)
    assert.match(first.revision, /^1-[0-9a-f]{16}$/)
    assert.equal(first.profile.decide(emailFinding, looseText), 'mask')

    const redactionProfile = { version: 1, actions: { kinds: { email_address: 'allow' } } }
    await store.insertPolicyRevision(
      {
        ...standardPolicy,
        workspaceId: defaultWorkspaceId,
        sequence: 2,
        revision: '2-0000000000000000',
        redactionProfile,
        author: 'test',
        note: '',
        publishedAt: Date.now()
      },
      {
        workspaceId: defaultWorkspaceId,
        at: Date.now(),
        requestId: null,
        tokenId: null,
        actor: 'test',
        action: 'policy_published',
        detail: {}
      }
    )
    const second = await eventually('the new revision', async () => {
      const now = await source.policyOf(defaultWorkspaceId)
      return now.revision.startsWith('2-') ? now : undefined
    })
    assert.equal(second.profile.decide(emailFinding, looseText), 'allow')
    assert.equal(first.profile.decide(emailFinding, looseText), 'mask', 'a call under way keeps its revision')
    source.close()
  })
})

test('placeholders differ between workspaces and stay the same between processes', async () => {
  await withStore(async (store) => {
    for (const id of ['default', 'team-b']) await ensureWorkspace(store, id, 'test')
    const one = createPolicySource({ store, masterKey, blockHighRisk: true, detectors: builtInDetectors })
    const two = createPolicySource({ store, masterKey, blockHighRisk: true, detectors: builtInDetectors })
    const digest = async (source: typeof one, id: string) =>
      Buffer.from((await source.policyOf(id)).digest('v')).toString('hex')
    assert.equal(await digest(one, 'default'), await digest(two, 'default'))
    assert.notEqual(await digest(one, 'default'), await digest(one, 'team-b'))
    one.close()
    two.close()
  })
})

test('a workspace whose policy was never loaded is refused, not passed without one', async () => {
  await withStore(async (store) => {
    const source = createPolicySource({ store, masterKey, blockHighRisk: true, detectors: builtInDetectors })
    await assert.rejects(
      async () => source.policyOf('nobody'),
      (error) => error instanceof Refused && error.code === 'store_unavailable'
    )
    source.close()
  })
})

test('what was loaded stays in force while the store is away', async () => {
  await withStore(async (store) => {
    await ensureWorkspace(store, defaultWorkspaceId, 'test')
    const source = createPolicySource({ store, masterKey, blockHighRisk: true, detectors: builtInDetectors })
    const before = await source.policyOf(defaultWorkspaceId)
    await store.close()
    await new Promise((resolve) => setTimeout(resolve, 1200))
    assert.equal(await source.policyOf(defaultWorkspaceId), before)
    source.close()
  })
})
