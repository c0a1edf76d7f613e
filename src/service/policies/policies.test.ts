import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { standardPolicy } from '../../policy/revision.ts'
import { looseText } from '../../policy/redaction/text-place.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { createPolicySource } from './policies.ts'
import { defaultWorkspaceId } from '../../protocol/workspace-id.ts'
import { ensureWorkspace } from '../workspaces.ts'

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-policies-'))
  {
    await using store = await openStore({ dataDir })
    await work(store)
  }
  await rm(dataDir, { recursive: true, force: true })
}

async function publish(store: Store, sequence: number, redactionProfile: object = { version: 1 }): Promise<void> {
  await store.insertPolicyRevision(
    {
      ...standardPolicy,
      workspaceId: defaultWorkspaceId,
      sequence,
      revision: `${sequence}-0000000000000000`,
      author: 'test',
      note: '',
      publishedAt: Date.now(),
      redactionProfile: { ...redactionProfile }
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

test('a new workspace has revision 1, and a published revision replaces it without a restart', async () => {
  await withStore(async (store) => {
    await ensureWorkspace(store, defaultWorkspaceId, 'test')
    const source = createPolicySource({ store, masterKey, blockHighRisk: true, detectors: builtInDetectors })
    const first = await source.policyOf(defaultWorkspaceId)
    assert.match(first.revision, /^1-[0-9a-f]{16}$/)
    assert.equal(first.profile.decide(emailFinding, looseText), 'mask')

    await publish(store, 2, { version: 1, actions: { kinds: { email_address: 'allow' } } })
    const second = await eventually('the new revision', async () => {
      const now = await source.policyOf(defaultWorkspaceId)
      return now.revision.startsWith('2-') ? now : undefined
    })
    assert.equal(second.profile.decide(emailFinding, looseText), 'allow')
    assert.equal(first.profile.decide(emailFinding, looseText), 'mask', 'a call under way keeps its revision')
    source.close()
  })
})

test('placeholders differ between workspaces and are the same in all processes', async () => {
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

test('what was loaded stays in force while the store is unreachable', async () => {
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

/** The store, with the test's way of reading the current revision. */
const withReading = (store: Store, read: Store['currentPolicyRevision']): Store =>
  new Proxy(store, {
    get: (target, name) => (name === 'currentPolicyRevision' ? read : Reflect.get(target, name).bind(target))
  })

test('a change that could not be read when the store reported it is read a little later', async () => {
  await withStore(async (store) => {
    await ensureWorkspace(store, defaultWorkspaceId, 'test')
    let failures = 0
    let isAway = false
    const reading = withReading(store, (workspaceId) => {
      if (!isAway) return store.currentPolicyRevision(workspaceId)
      failures++
      return Promise.reject(new Error('away'))
    })
    const told: string[] = []
    const onFailure = (workspaceId: string): void => void told.push(workspaceId)
    const options = { store: reading, masterKey, blockHighRisk: true, detectors: builtInDetectors, onFailure }
    const source = createPolicySource(options)
    await source.policyOf(defaultWorkspaceId)
    isAway = true
    await publish(store, 2)
    await eventually('two failures', () => failures > 1 || undefined)
    isAway = false
    await eventually('the revision', async () =>
      (await source.policyOf(defaultWorkspaceId)).revision.startsWith('2-') ? true : undefined
    )
    assert.deepEqual(told, [defaultWorkspaceId], 'of one failure it is told once')
    source.close()
  })
})

test('a change between the start and the end of the first read is not missed', async () => {
  await withStore(async (store) => {
    await ensureWorkspace(store, defaultWorkspaceId, 'test')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let reads = 0
    const reading = withReading(store, async (workspaceId) => {
      const isFirst = ++reads === 1
      const revision = await store.currentPolicyRevision(workspaceId)
      if (isFirst) await released
      return revision
    })
    const source = createPolicySource({ store: reading, masterKey, blockHighRisk: true, detectors: builtInDetectors })
    const first = source.policyOf(defaultWorkspaceId)
    await eventually('the first reading', () => reads === 1 || undefined)
    await publish(store, 2)
    await eventually('the second reading', () => reads > 1 || undefined)
    release()
    await first
    await eventually('the revision', async () =>
      (await source.policyOf(defaultWorkspaceId)).revision.startsWith('2-') ? true : undefined
    )
    source.close()
  })
})

test('nothing is read after the end, however many changes could not be read before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let reads = 0
  let change = (): void => {}
  const { promise: answer, reject: fail } = Promise.withResolvers<undefined>()
  const store = {
    currentPolicyRevision(): Promise<undefined> {
      reads++
      return answer
    },
    onChange(listener: () => void): () => void {
      change = listener
      return () => {}
    }
  } as unknown as Store
  const source = createPolicySource({ store, masterKey, blockHighRisk: true, detectors: builtInDetectors })
  const first = assert.rejects(async () => source.policyOf(defaultWorkspaceId), Refused)
  change()
  change()
  fail(new Error('away'))
  await first
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(reads, 3, 'the first call, a change, and a change during its reading')
  source.close()
  t.mock.timers.tick(60_000)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(reads, 3)
})
