/** All routes with all roles: who is let in, and that a forged browser request never is. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Dispatcher } from 'undici'
import { permissionsOfRole, roles, type Role } from '../../src/protocol/roles.ts'
import { routeAccess, type RouteAccess } from '../../src/service/route-access.ts'
import { scopes } from '../../src/protocol/scopes.ts'
import { call } from '../support/http.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { createVisitor, invite, setUpAdmin, type Visitor } from '../support/visitor.ts'

interface Route {
  readonly name: string
  readonly method: Dispatcher.HttpMethod
  readonly path: string
  readonly access: RouteAccess
}

/** Every route of the table, with an invalid id where the path has one. */
const routes: readonly Route[] = Object.entries(routeAccess).map(([name, access]) => {
  const [method = '', url = ''] = name.split(' ')
  const path = url.replaceAll(/:\w+/g, 'nothing').replace('*', 'nothing')
  return { name, access, method, path }
})
const guarded = routes.filter(({ access }) => access.by === 'both' || access.by === 'session')
const unsafe = guarded.filter(({ method }) => method !== 'GET')

/** Codes with which the table refuses. Later stages may refuse for other reasons. */
const refusals = [
  'missing_token',
  'session_over',
  'missing_permission',
  'missing_scope',
  'csrf_refused',
  'cross_site_refused'
]

describe('the routes of the service', () => {
  const undo = new AsyncDisposableStack()
  let service: TestService
  const visitors = new Map<Role, Visitor>()

  before(async () => {
    service = undo.use(await startTestService({ upstream: undo.use(await startStubUpstream(answers())) }))
    const admin = await setUpAdmin(service.running)
    visitors.set('admin', admin)
    for (const role of roles.slice(0, -1)) visitors.set(role, await invite(admin, service.url, `the-${role}`, role))
  })
  after(() => undo.disposeAsync())

  /** The code of the table's refusal, or undefined if it let the request through. */
  async function refusal(
    visitor: Visitor,
    { method, path }: Route,
    headers: Record<string, string> = {}
  ): Promise<string | undefined> {
    if (path === '/api/events/tail') return refusalOfStream(visitor, path, headers)
    const reply = await visitor.send(method, path, method === 'GET' || method === 'DELETE' ? undefined : {}, headers)
    const code = /"code":"(\w+)"/.exec(reply.text)?.[1] ?? ''
    assert.notEqual(reply.status, 500, `${method} ${path}: ${reply.text}`)
    return refusals.includes(code) ? code : undefined
  }

  async function refusalOfStream(visitor: Visitor, path: string, headers: Record<string, string>) {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const gone = new AbortController()
    const answer = await fetch(service.url + path, { headers: { cookie, ...headers }, signal: gone.signal })
    const code = answer.status === 200 ? undefined : ((await answer.json()) as { code: string }).code
    gone.abort()
    return code
  }

  test('allow no cache to store a response about a workspace', async () => {
    const admin = visitors.get('admin')!
    for (const { method, path, name } of guarded) {
      if (method !== 'GET' || path === '/api/events/tail') continue
      const { headers } = await admin.send(method, path)
      assert.match(headers['cache-control'] ?? '', /^(?:no-store|private, no-cache)$/, name)
    }
    const stranger = createVisitor(service.url)
    for (const path of ['/api/events', '/api/session', '/nothing'])
      assert.equal((await stranger.send('GET', path)).headers['cache-control'], 'no-store', path)
    assert.equal((await stranger.send('GET', '/api/openapi.json')).headers['cache-control'], 'max-age=300')
  })

  test('are all in the table: an unlisted one cannot be registered', async () => {
    const { createApp } = await import('../../src/service/app.ts')
    const { pino } = await import('pino')
    const app = createApp({ log: pino({ level: 'silent' }), uploadTimeoutMs: 1000, ahead: [] })
    assert.throws(() => app.get('/api/unlisted', () => ({})), /GET \/api\/unlisted is missing from the access table/)
    for (const { method, path, access, name } of routes) {
      if (access.by === 'anyone' && path.startsWith('/assets')) continue
      const reply = await call(service.url + path, { method, headers: {} })
      assert.notEqual(reply.status, 405, `${name} is served`)
      const isMissing = reply.status === 404 && reply.json()['code'] === 'not_found' && access.by !== 'anyone'
      assert.ok(!isMissing, `${name} is served`)
    }
  })

  test('allow each role what its permissions say, and nothing more', async () => {
    for (const role of roles) {
      for (const route of guarded) {
        // The session is needed until the end of the loop.
        if (route.name === 'DELETE /api/session') continue
        const got = await refusal(visitors.get(role) as Visitor, route)
        const { access } = route
        const isAllowed =
          access.by === 'session' || (access.by === 'both' && permissionsOfRole[role].includes(access.permission))
        assert.equal(got, isAllowed ? undefined : 'missing_permission', `${role}: ${route.name}`)
      }
    }
  })

  test('refuse requests without credentials or with an expired session', async () => {
    const nobody = createVisitor(service.url)
    const stale = createVisitor(service.url)
    stale.cookies.set('sluice_session', 'a'.repeat(43))
    for (const route of guarded) {
      assert.equal(await refusal(nobody, route), 'missing_token', route.name)
      stale.cookies.set('sluice_session', 'a'.repeat(43))
      assert.equal(await refusal(stale, route), 'session_over', route.name)
    }
  })

  test('refuse what a page of another site sends', async () => {
    const admin = visitors.get('admin') as Visitor
    const forgeries: [string, Record<string, string>, string][] = [
      ['no token', { 'x-csrf-token': '' }, 'csrf_refused'],
      [
        'the token of another session',
        { 'x-csrf-token': visitors.get('viewer')?.session?.csrfToken ?? '' },
        'csrf_refused'
      ],
      ['another site', { 'sec-fetch-site': 'cross-site' }, 'cross_site_refused'],
      ['another host of the same site', { 'sec-fetch-site': 'same-site' }, 'cross_site_refused'],
      [
        'another origin, by an older browser',
        { 'sec-fetch-site': '', origin: 'https://evil.example' },
        'cross_site_refused'
      ],
      ['an origin that is none', { 'sec-fetch-site': '', origin: 'null' }, 'cross_site_refused']
    ]
    assert.ok(unsafe.length > 10)
    for (const route of unsafe) {
      for (const [what, headers, code] of forgeries) {
        assert.equal(await refusal(admin, route, headers), code, `${what}: ${route.name}`)
      }
    }
    for (const path of ['/api/session', '/api/setup', '/api/setup/check']) {
      const reply = await admin.send('POST', path, {}, { 'sec-fetch-site': 'cross-site' })
      assert.equal(reply.json()['code'], 'cross_site_refused', path)
    }
  })

  test('accept a token by its scopes only, and never for personal settings', async () => {
    for (const scope of scopes) {
      const { token } = await service.createToken({ scopes: [scope] })
      for (const { name, method, path, access } of guarded) {
        if (path === '/api/events/tail') continue
        const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
        const headers = { 'x-service-workspace-token': token, 'content-type': 'application/json' }
        const { status, text } = await call(service.url + path, { method, headers, ...body })
        const code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
        const isEnough = access.by === 'both' && (scope === 'admin' || access.scope === 'own' || access.scope === scope)
        const expected = isEnough ? undefined : access.by === 'both' ? 'missing_scope' : 'missing_token'
        assert.equal(refusals.includes(code) ? code : undefined, expected, `${scope}: ${name} ${status}`)
      }
    }
  })

  test('that a user calls are in the audit under the user name', async () => {
    const admin = visitors.get('admin') as Visitor
    const made = await admin.send('POST', '/api/tokens', { label: 'laptop' })
    assert.equal(made.status, 201, made.text)
    const requestId = made.headers['x-request-id'] ?? ''
    const { rows } = (await admin.get(`/api/audit?requestId=${requestId}`)).json() as {
      rows: { actor: string; action: string }[]
    }
    assert.deepEqual(
      rows.map(({ actor, action }) => [actor, action]),
      [['user:root', 'token_created']]
    )
  })
})
