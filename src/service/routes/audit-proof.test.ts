import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { auditOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { createApp } from '../app.ts'
import { createLifecycle } from '../lifecycle.ts'
import type { Access } from '../access.ts'
import { createTokenService, type TokenService } from '../tokens/tokens.ts'
import { ensureWorkspace } from '../workspaces.ts'
import { registerAuditProof } from './audit-proof.ts'

let folder: string
let store: Store
let tokens: TokenService
let app: FastifyInstance
let token: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-proof-'))
  store = await openStore({ dataDir: folder })
  const masterKey = createSecretKey(randomBytes(32))
  await ensureWorkspace(store, 'acme', 'test')
  tokens = await createTokenService({ store, masterKey })
  const wish = { workspaceId: 'acme', label: 'auditor', scopes: ['audit:read'] }
  token = (await tokens.create(wish, 'test')).token
  app = createApp({ log: pino({ level: 'silent' }), uploadTimeoutMs: 1000, ahead: [] })
  const events = { flush: async () => {} }
  const access = { tokens } as Access
  registerAuditProof(app, {
    access,
    store,
    lifecycle: createLifecycle(),
    events,
    masterKey,
    auditDays: 400,
    verifyRowsMax: 500
  })
})
after(async () => {
  await app.close()
  await tokens.close()
  await store.close()
  await rm(folder, { recursive: true })
})

const verify = () => app.inject({ url: '/api/audit/verify', headers: { 'x-service-workspace-token': token } })

test('one verification runs at a time', async () => {
  const answers = await Promise.all([verify(), verify()])
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 503]
  )
  assert.equal((await verify()).statusCode, 200, 'and the next one may run')
})

test('what is too much for one answer is refused, with the alternative', async () => {
  const at = Date.now()
  await store.append({ events: [], audit: Array.from({ length: 600 }, () => auditOf({ at })) })
  const answer = await verify()
  assert.equal(answer.statusCode, 413, answer.body)
  assert.partialDeepStrictEqual(answer.json(), { code: 'audit_too_large', retryable: false })
  assert.match(answer.body, /more than 500/)
})
