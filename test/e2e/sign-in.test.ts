/** Sign-in on both engines, with two instances of one installation. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { UsersBody } from '../../src/protocol/api/user-schema.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { eventually } from '../support/eventually.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { createVisitor, invite, testPassword, type Visitor } from '../support/visitor.ts'

const engines = {
  SQLite: async (): Promise<Record<string, string>> => ({}),
  PostgreSQL: async (undo: AsyncDisposableStack): Promise<Record<string, string>> => ({
    DATABASE_URL: await undo.use(await sharedPostgres({ isDurable: false })).newDatabase()
  })
}

for (const [engine, settings] of Object.entries(engines)) {
  describe(`signing in, on ${engine}`, () => {
    const undo = new AsyncDisposableStack()
    let here: TestService
    let there: TestService
    let admin: Visitor

    before(async () => {
      const dataDir = await makeDataDir()
      undo.defer(() => rm(dataDir, { recursive: true, force: true }))
      const env = { ...(await settings(undo)), SERVICE_MASTER_KEY: randomBytes(32).toString('hex') }
      here = undo.use(await startTestService({ env, dataDir }))
      there = undo.use(await startTestService({ env, dataDir }))
    })
    after(() => undo.disposeAsync())

    const actions = async (requestId: string): Promise<string[]> =>
      (await here.running.store.findAudit({ workspaceId: defaultWorkspaceId, requestId, limit: 10 })).rows.map(
        ({ action, actor }) => `${actor} ${action}`
      )

    test('the first start has a link and no password; the link creates one admin, once', async () => {
      const nobody = createVisitor(here.url)
      const before = (await nobody.get('/api/session')).json()
      assert.partialDeepStrictEqual(before, { user: null, csrfToken: null, setupNeeded: true, localSignIn: true })
      const link = await here.running.makeSetupLink()
      assert.match(link?.path ?? '', /^\/setup#[\w-]{32}$/)
      const code = link?.path.split('#')[1] ?? ''
      const check = async () => await nobody.send('POST', '/api/setup/check', { code })
      assert.partialDeepStrictEqual((await check()).json(), { purpose: 'first', name: null })
      const flood = await nobody.send('POST', '/api/setup', { code, password: 'x'.repeat(20_000) })
      assert.equal(flood.status, 413, 'nobody who is not signed in can fill the memory')
      for (const [password, name, rule] of [
        ['short', 'root', 'at least 12 characters'],
        ['aaaaaaaaaaaaaaaa', 'root', 'different characters'],
        ['the-root-password', 'root', 'must not contain the name'],
        [testPassword, 'no spaces', '1 to 64 characters'],
        [testPassword, undefined, '/name must be given']
      ] as const) {
        const refused = await nobody.setUp(link?.path ?? '', password, name)
        assert.equal(refused.status, 400, refused.text)
        assert.ok(refused.text.includes(rule), refused.text)
        assert.ok(!refused.text.includes(password), 'the answer does not repeat the password')
      }
      const made = await nobody.setUp(link?.path ?? '', testPassword, 'Root')
      assert.equal(made.status, 200, made.text)
      assert.partialDeepStrictEqual(made.json(), { user: { name: 'root', role: 'admin', provider: 'local' } })
      assert.deepEqual((await actions(made.headers['x-request-id'] ?? '')).toSorted(), [
        'user:root signed_in',
        'user:root user_created'
      ])
      assert.equal((await check()).status, 410)
      assert.equal((await createVisitor(there.url).setUp(link?.path ?? '', testPassword, 'eve')).status, 410)
      assert.equal(await there.running.makeSetupLink(), undefined, 'there is no second link')
      admin = nobody
    })

    test('characters that no name can contain are a 400 or 404, not a failure of the store', async () => {
      for (const path of [
        '/api/users?after=%00',
        '/api/audit?actor=a%00',
        '/api/events?mcpToolName=%00',
        '/api/events?sensorId=%1b'
      ])
        assert.equal((await admin.get(path)).status, 400, path)
      assert.equal((await admin.get('/api/workspace/policy/revisions/%00')).status, 404)
      assert.equal((await admin.send('POST', '/api/users/%00/link', {})).status, 404)
      assert.equal((await admin.send('POST', '/api/tokens/%00/rotate', {})).status, 404)
      assert.equal((await admin.send('DELETE', '/api/tokens/a%00')).status, 404)
    })

    test('the cookie is hidden from scripts and other sites, and is valid at every instance', async () => {
      const visitor = createVisitor(there.url)
      const reply = await visitor.signIn('ROOT ', testPassword)
      assert.equal(reply.status, 200, reply.text)
      assert.match(
        reply.headers['set-cookie'] ?? '',
        /^sluice_session=[\w-]{43}; Max-Age=86\d{3}; Path=\/; HttpOnly; SameSite=Lax$/
      )
      assert.equal(reply.headers['cache-control'], 'no-store')
      const [, value] = [...visitor.cookies][0] ?? []
      const elsewhere = createVisitor(here.url)
      elsewhere.cookies.set('sluice_session', value ?? '')
      assert.partialDeepStrictEqual((await elsewhere.get('/api/session')).json(), { user: { name: 'root' } })
      assert.equal((await visitor.signIn('root', testPassword)).status, 200)
      assert.partialDeepStrictEqual((await elsewhere.get('/api/session')).json(), { user: null }, 'the earlier session')
      elsewhere.cookies.set('sluice_session', `${value?.slice(0, -1)}${value?.endsWith('A') ? 'B' : 'A'}`)
      assert.partialDeepStrictEqual((await elsewhere.get('/api/session')).json(), { user: null })
      assert.equal(elsewhere.cookies.size, 0, 'a cookie that is good for nothing is taken back')
    })

    test('a wrong password and a wrong name get the same response, and neither is recorded', async () => {
      const visitor = createVisitor(here.url)
      const typed = ['my', 'other', 'pass', 'word'].join('')
      const answers = [await visitor.signIn('root', typed), await visitor.signIn(typed, typed)]
      const shown = answers.map(({ status, text }) => [status, text.replace(/"requestId":"[^"]*"/, '')])
      assert.deepEqual(shown[0], shown[1])
      assert.equal(shown[0]?.[0], 401)
      const { store } = here.running
      const rows = await eventually('the row of the failure', async () => {
        const page = await store.findAudit({ workspaceId: defaultWorkspaceId, limit: 100 })
        return page.rows.some(({ action }) => action === 'sign_in_failed') ? page.rows : undefined
      })
      assert.equal(rows.filter(({ action }) => action === 'sign_in_failed').length, 1)
      assert.ok(!JSON.stringify(rows).includes(typed))
    })

    test('sign-in attempts are limited, and others can still sign in', async () => {
      const ann = await invite(admin, here.url, 'ann', 'viewer')
      const guesser = createVisitor(here.url)
      const statuses: number[] = []
      for (let attempt = 0; attempt < 12; attempt++) statuses.push((await guesser.signIn('ann', 'guess')).status)
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429, 429])
      assert.equal((await guesser.signIn('ann', testPassword)).status, 429, 'also with the right one')
      assert.ok(Number((await guesser.signIn('ann', 'guess')).headers['retry-after']) > 0)
      assert.equal((await ann.get('/api/events')).status, 200, 'anyone who is signed in stays so')
      assert.equal((await createVisitor(here.url).signIn('root', testPassword)).status, 200)
    })

    test('signing out ends one session, and signing out everywhere ends all', async () => {
      const one = createVisitor(here.url)
      const two = createVisitor(there.url)
      for (const visitor of [one, two]) assert.equal((await visitor.signIn('root', testPassword)).status, 200)
      const [, kept] = [...one.cookies][0] ?? []
      assert.equal((await one.send('DELETE', '/api/session')).status, 200)
      assert.equal(one.cookies.size, 0)
      one.cookies.set('sluice_session', kept ?? '')
      const over = await one.get('/api/events')
      assert.equal(over.status, 401)
      assert.equal(over.json()['code'], 'session_over')
      assert.equal((await two.get('/api/events')).status, 200)
      assert.equal((await two.send('DELETE', '/api/session?everywhere=1')).status, 200)
      assert.equal((await admin.get('/api/events')).status, 401)
      assert.equal((await admin.signIn('root', testPassword)).status, 200)
    })

    test('when a role changes or a user is disabled or removed, the other instance knows at once', async () => {
      const bob = await invite(admin, there.url, 'bob', 'editor')
      assert.equal((await bob.get('/api/tokens')).status, 403)
      const path = `/api/users/${bob.id}`
      assert.equal((await admin.send('PATCH', path, { role: 'admin' })).status, 200)
      assert.equal((await bob.get('/api/tokens')).status, 200)
      assert.equal((await admin.send('PATCH', path, { role: 'viewer' })).status, 200)
      assert.equal((await bob.get('/api/tokens')).status, 403)
      assert.equal((await admin.send('PATCH', path, { disabled: true })).status, 200)
      assert.equal((await bob.get('/api/session')).json()['user'], null)
      assert.equal((await bob.signIn('bob', testPassword)).status, 401)
      assert.equal((await admin.send('PATCH', path, { disabled: false })).status, 200)
      assert.equal((await bob.signIn('bob', testPassword)).status, 200)
      assert.equal((await admin.send('DELETE', path)).status, 204)
      assert.equal((await bob.get('/api/events')).status, 401)
      const again = await admin.send('DELETE', path)
      assert.deepEqual([again.status, String(again.json()['detail']).endsWith('no such user.')], [404, true])
    })

    test('the last admin cannot be removed, and names are unique', async () => {
      const { users } = (await admin.get('/api/users')).json() as unknown as UsersBody
      const root = users.find(({ name }) => name === 'root')
      for (const refused of [
        await admin.send('PATCH', `/api/users/${root?.id}`, { role: 'viewer' }),
        await admin.send('PATCH', `/api/users/${root?.id}`, { disabled: true }),
        await admin.send('DELETE', `/api/users/${root?.id}`)
      ]) {
        assert.equal(refused.status, 409)
        assert.equal(refused.json()['code'], 'last_admin')
      }
      const taken = await admin.send('POST', '/api/users', { name: 'Root', role: 'viewer' })
      assert.equal(taken.json()['code'], 'name_taken')
      const odd = await admin.send('POST', '/api/users', { name: '<img>', role: 'owner', extra: 1 })
      assert.equal(odd.status, 400)
      assert.deepEqual((odd.json() as { errors: { path: string }[] }).errors.map(({ path }) => path).toSorted(), [
        '',
        '/name',
        '/role'
      ])
      assert.ok(!odd.text.includes('<img>'))
    })

    test('changing the own password replaces the old one, and ends the other sessions', async () => {
      const cy = await invite(admin, here.url, 'cy', 'viewer')
      const other = createVisitor(there.url)
      assert.equal((await other.signIn('cy', testPassword)).status, 200)
      const password = `${testPassword}-2`
      assert.equal((await cy.send('POST', '/api/session/password', { current: 'wrong', password })).status, 401)
      const changed = await cy.send('POST', '/api/session/password', { current: testPassword, password })
      assert.equal(changed.status, 200, changed.text)
      assert.equal((await cy.get('/api/events')).status, 200)
      assert.equal((await other.get('/api/events')).status, 401)
      assert.equal((await other.signIn('cy', testPassword)).status, 401)
      assert.equal((await other.signIn('cy', password)).status, 200)
      assert.deepEqual(await actions(changed.headers['x-request-id'] ?? ''), ['user:cy password_set'])
    })

    test('a tail ends with its session', async () => {
      const dan = await invite(admin, here.url, 'dan', 'viewer')
      const cookie = [...dan.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const tail = await fetch(`${here.url}/api/events/tail`, { headers: { cookie } })
      assert.equal(tail.status, 200)
      assert.equal((await admin.send('PATCH', `/api/users/${dan.id}`, { disabled: true })).status, 200)
      await tail.text().catch(() => '')
    })
  })
}

test('with TLS the cookie is bound to the host; a trusted proxy tells the client address', async () => {
  const env = { SERVICE_PUBLIC_URL: 'https://sluice.corp.example', SERVICE_TRUSTED_PROXIES: '127.0.0.0/8,::1' }
  await using service = await startTestService({ env })
  const headers = { origin: 'https://sluice.corp.example', 'sec-fetch-site': 'same-origin' }
  const link = await service.running.makeSetupLink()
  const visitor = createVisitor(service.url)
  const body = { code: link?.path.split('#')[1], password: testPassword, name: 'root' }
  const made = await visitor.send('POST', '/api/setup', body, headers)
  assert.match(made.headers['set-cookie'] ?? '', /^__Host-sluice_session=.*; Secure; SameSite=Lax$/)
  const from = async (address: string) =>
    (
      await visitor.send(
        'POST',
        '/api/session',
        { name: 'x', password: 'y' },
        { ...headers, 'x-forwarded-for': address }
      )
    ).status
  for (let attempt = 0; attempt < 10; attempt++) assert.equal(await from('192.0.2.1'), 401)
  assert.equal(await from('192.0.2.1'), 429)
  assert.equal(await from('192.0.2.2'), 401)
})

test("if a proxy changes the host, the browser's own header shows that the page is of the same origin", async () => {
  await using service = await startTestService({})
  const visitor = createVisitor(service.url)
  const path = (await service.running.makeSetupLink())?.path
  const body = { code: path?.split('#')[1], password: testPassword, name: 'root' }
  const origin = 'http://sluice.corp.example:8080'
  const setUp = (site: string) => visitor.send('POST', '/api/setup', body, { origin, 'sec-fetch-site': site })
  // Over plain HTTP a browser sends only its origin, which is not the host that arrives.
  for (const site of ['', 'cross-site', 'same-site', 'none']) {
    const refused = (await setUp(site)).json()
    assert.equal(refused['code'], 'cross_site_refused', site)
    assert.match(String(refused['detail']), /SERVICE_PUBLIC_URL/)
  }
  assert.equal((await setUp('same-origin')).status, 200)
})

test('without local passwords there is no set-up link, and no way to use one', async () => {
  await using service = await startTestService({
    env: {
      SERVICE_LOCAL_SIGN_IN: 'false',
      SERVICE_PUBLIC_URL: 'http://127.0.0.1:1',
      SERVICE_OIDC_ISSUER: 'http://127.0.0.1:9',
      SERVICE_OIDC_CLIENT_ID: 'sluice',
      SERVICE_OIDC_DEFAULT_ROLE: 'viewer'
    }
  })
  assert.equal(await service.running.makeSetupLink(), undefined)
  const visitor = createVisitor(service.url)
  assert.partialDeepStrictEqual((await visitor.get('/api/session')).json(), {
    setupNeeded: false,
    localSignIn: false,
    oidc: { name: 'single sign-on' }
  })
  assert.equal((await visitor.signIn('a', 'b')).json()['code'], 'local_sign_in_off')
  const away = await visitor.get('/api/session/oidc')
  assert.deepEqual([away.status, away.headers['location']], [302, '/sign-in?problem=oidc_unreachable'])
})
