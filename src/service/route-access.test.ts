/**
 * Who may use what, written a second time by hand: other tests rely on the tables, so a route opened by mistake would
 * pass them all.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionsOfRole, roles } from '../protocol/roles.ts'
import { defaultScopes, grants, scopes } from '../protocol/scopes.ts'
import { accessOf, routeAccess } from './route-access.ts'

/** By the least role that may use them: all higher roles may as well. */
const byPeople: Readonly<Record<string, readonly string[]>> = {
  anyone: [
    'GET /livez',
    'GET /readyz',
    'GET /metrics',
    'GET /assets/*',
    'GET /api/openapi.json',
    'GET /api/session',
    'POST /api/session',
    'GET /api/session/oidc',
    'GET /api/session/oidc/callback',
    'POST /api/setup',
    'POST /api/setup/check'
  ],
  'anyone who is signed in': ['DELETE /api/session', 'POST /api/session/password'],
  viewer: [
    'GET /api/events',
    'GET /api/events/series',
    'GET /api/events/tail',
    'GET /api/audit',
    'GET /api/audit/verify',
    'GET /api/audit/roots',
    'GET /api/workspace/policy',
    'GET /api/workspace/policy/revisions',
    'GET /api/workspace/policy/revisions/:revision',
    'GET /api/workspace/policy/diff',
    'GET /api/workspace/policy/sensors',
    'GET /api/sensors',
    'GET /api/system/health',
    'GET /api/warnings',
    'GET /api/tools'
  ],
  analyst: [
    'GET /api/events/export',
    'GET /api/audit/export',
    'POST /api/workspace/policy/lint',
    'POST /api/workspace/policy/dry-run',
    'POST /api/workspace/scan'
  ],
  editor: [
    'PUT /api/workspace/policy',
    'POST /api/workspace/policy/rollback',
    'POST /api/workspace/policy/allow-suggestions'
  ],
  admin: [
    'GET /api/tokens',
    'POST /api/tokens',
    'POST /api/tokens/:id/rotate',
    'DELETE /api/tokens/:id',
    'GET /api/users',
    'POST /api/users',
    'POST /api/users/:id/link',
    'PATCH /api/users/:id',
    'DELETE /api/users/:id',
    'GET /api/settings',
    'POST /api/system/upstream-check'
  ],
  nobody: ['POST /api/events', 'GET /api/workspace/policy-stream']
}

/** By the scope that a token needs; `own` is any token, which sees what came with it. */
const byTokens: Readonly<Record<string, readonly string[]>> = {
  own: ['GET /api/events', 'GET /api/events/tail', 'GET /api/events/export', 'GET /api/audit', 'GET /api/audit/export'],
  'policy:read': [
    'GET /api/workspace/policy',
    'GET /api/workspace/policy/revisions',
    'GET /api/workspace/policy/revisions/:revision',
    'GET /api/workspace/policy/diff',
    'POST /api/workspace/policy/lint',
    'POST /api/workspace/scan',
    'GET /api/warnings'
  ],
  'audit:read': [
    'GET /api/events/series',
    'GET /api/audit/verify',
    'GET /api/audit/roots',
    'POST /api/workspace/policy/dry-run',
    'GET /api/workspace/policy/sensors',
    'GET /api/sensors',
    'GET /api/system/health',
    'GET /api/tools'
  ],
  'policy:write': byPeople['editor'] ?? [],
  admin: byPeople['admin'] ?? []
}

function grouped(groupOf: (route: string) => string | undefined): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  for (const route of Object.keys(routeAccess)) {
    const group = groupOf(route)
    if (group !== undefined) (groups[group] ??= []).push(route)
  }
  return groups
}

const sorted = (groups: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(groups).map(([group, list]) => [group, list.toSorted()]))

test('each route is for these people', () => {
  const found = grouped((route) => {
    const access = routeAccess[route]
    if (access?.by === 'both') return roles.find((role) => permissionsOfRole[role].includes(access.permission))
    return access?.by === 'anyone' ? 'anyone' : access?.by === 'session' ? 'anyone who is signed in' : 'nobody'
  })
  assert.deepEqual(sorted(found), sorted(byPeople))
  for (const [at, role] of roles.entries())
    for (const lesser of roles.slice(0, at))
      for (const permission of permissionsOfRole[lesser]) assert.ok(permissionsOfRole[role].includes(permission))
})

test('each route is for these tokens', () => {
  const found = grouped((route) => {
    const access = routeAccess[route]
    return access?.by === 'both' ? access.scope : undefined
  })
  assert.deepEqual(sorted(found), sorted(byTokens))
})

test('a scope is held or not, and an admin holds them all', () => {
  for (const held of scopes)
    for (const wanted of scopes)
      assert.equal(grants([held], wanted), held === wanted || held === 'admin', `${held} ${wanted}`)
  assert.equal(grants([], 'ingress:write'), false)
  assert.deepEqual(defaultScopes, ['ingress:write', 'events:write', 'policy:read'])
})

test('HEAD is like GET, and what is not listed has no access', () => {
  assert.equal(accessOf('HEAD', '/api/users'), routeAccess['GET /api/users'])
  for (const [method, url] of [
    ['POST', '/api/tools'],
    ['GET', '/api/nothing'],
    ['GET', '']
  ] as const)
    assert.equal(accessOf(method, url), undefined)
  assert.equal(accessOf('toString', ''), undefined)
})
