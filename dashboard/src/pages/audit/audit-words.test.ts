import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayDetail } from './audit-words.ts'

test('a row shows what readers look for, and no zeros, unknowns or raw times', () => {
  const call = {
    action: 'mask',
    modelId: 'gpt-5-mini',
    entityCounts: { email_address: 2 },
    outcome: 'forwarded',
    clientSurface: 'codex',
    modelProvider: 'unknown',
    riskTier: 'none',
    entitiesRestored: 0,
    scanMs: 0.8
  }
  const none = new Map<string, string>()
  assert.equal(
    sayDetail({ action: 'ingress_proxy', detail: call }, none),
    'gpt-5-mini · email_address 2 · client surface: codex'
  )
  const token = { label: 'laptops', expiresAt: Date.UTC(2020, 4, 6, 12), scopes: ['ingress:write', 'policy:read'] }
  const said = sayDetail({ action: 'token_created', detail: token }, none)
  assert.match(said, /^label: laptops · expires at: .*2020.* · scopes: ingress:write, policy:read$/)
})

test('a revoked token is named by its label, where it is known', () => {
  const revoked = { action: 'token_revoked', detail: { id: 'k3JX0aQz' } }
  assert.equal(sayDetail(revoked, new Map([['k3JX0aQz', 'laptops']])), 'label: laptops · ID: k3JX0aQz')
  assert.equal(sayDetail(revoked, new Map()), 'ID: k3JX0aQz')
})
