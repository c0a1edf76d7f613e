/** Many dry runs at once, on a store whose pages arrive when the test lets them. */
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { eventually } from '../../../test/support/eventually.ts'
import { createByteBudget } from '../../ingress/body/byte-budget.ts'
import { eventOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import type { EventQuery, Store } from '../../store/store.ts'
import type { Access } from '../access.ts'
import { createApp } from '../app.ts'
import { createLifecycle } from '../lifecycle.ts'
import { compileDraft } from '../policies/compile-draft.ts'
import { PolicyRevisions } from '../policies/revisions.ts'
import { createTokenService, type TokenService } from '../tokens/tokens.ts'
import { ensureWorkspace } from '../workspaces.ts'
import { registerPolicyDrafts } from './policy-drafts.ts'
import { createStreamPlaces } from './stream-places.ts'

let folder: string
let store: Store
let tokens: TokenService
let app: FastifyInstance
let url: string
let pages = 0
const gate = Promise.withResolvers<void>()

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-drafts-'))
  store = await openStore({ dataDir: folder })
  const masterKey = createSecretKey(randomBytes(32))
  for (const id of ['endless', 'small']) await ensureWorkspace(store, id, 'test')
  tokens = await createTokenService({ store, masterKey })
  app = createApp({ log: pino({ level: 'silent' }), uploadTimeoutMs: 1000, ahead: [] })
  await store.append({ events: [eventOf({ workspaceId: 'endless', receivedAt: Date.now() })], audit: [] })
  // Each page is the real store's. Of one workspace it says that there is another page, however many were read.
  const findEvents: Store['findEvents'] = async ({ cursor: _, ...query }: EventQuery) => {
    pages++
    await gate.promise
    const page = await store.findEvents(query)
    return query.workspaceId === 'endless' ? { ...page, next: 'more' } : page
  }
  registerPolicyDrafts(app, {
    access: { tokens } as Access,
    lifecycle: createLifecycle(),
    store: Object.assign(Object.create(store) as Store, { findEvents }),
    revisions: new PolicyRevisions(store, { surfaces: [], blockHighRisk: true }),
    judging: createStreamPlaces(32, 8, 'too_many_judgements'),
    compile: (_, profile) => compileDraft(profile, { allowKey: masterKey, blockHighRisk: true, detectors: [] }),
    tryText: () => Promise.reject(new Error('nobody tries a text')),
    limits: { bodyBytesMax: 10_000, inflatedBytesMax: 10_000, uploadTimeoutMs: 10_000 },
    budget: createByteBudget(1_000_000)
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => {
  await app.close()
  await tokens.close()
  await store.close()
  await rm(folder, { recursive: true })
})

async function readerOf(workspaceId: string): Promise<(signal?: AbortSignal) => Promise<Response>> {
  const { token } = await tokens.create({ workspaceId, label: 'reader', scopes: ['audit:read'] }, 'test')
  return (signal) =>
    fetch(`${url}/api/workspace/policy/dry-run`, {
      method: 'POST',
      headers: { 'x-service-workspace-token': token, 'content-type': 'application/json' },
      body: '{}',
      ...(signal && { signal })
    })
}

/** Waits until the store has been asked for so many pages. */
const asked = (count: number): Promise<true> => eventually(`${count} pages`, () => (pages >= count ? true : undefined))

test('a caller has two dry runs at once, all callers eight, and one that nobody waits for ends', async () => {
  const gone = new AbortController()
  const left: Promise<unknown>[] = []
  for (let caller = 0; caller < 4; caller++) {
    const run = await readerOf('endless')
    left.push(assert.rejects(run(gone.signal)), assert.rejects(run(gone.signal)))
    await asked(2 * caller + 2)
    const third = await run()
    const { code } = (await third.json()) as { code: string }
    assert.deepEqual([third.status, code], [429, 'too_many_judgements'])
  }
  const other = await readerOf('small')
  assert.equal((await other()).status, 503)
  gone.abort()
  await Promise.all(left)
  gate.resolve()
  await eventually('a place', async () => ((await other()).status === 200 ? true : undefined))
})
