/** Single sign-on with a real OpenID provider. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { freePort } from '../support/free-port.ts'
import { signInByProvider, Traveller } from '../support/oidc-traveller.ts'
import { startOidcProvider, type TestOidcProvider, type TestPerson } from '../support/oidc-provider.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { createVisitor, setUpAdmin, type Visitor } from '../support/visitor.ts'

interface Stage extends AsyncDisposable {
  readonly provider: TestOidcProvider
  readonly service: TestService
  readonly people: Record<string, TestPerson>
}

async function setStage(
  people: Record<string, TestPerson>,
  options: { readonly env?: Record<string, string> } & Partial<Parameters<typeof startOidcProvider>[0]> = {}
): Promise<Stage> {
  const { env = {}, ...settings } = options
  await using undo = new AsyncDisposableStack()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const redirectUris = [`${url}/api/session/oidc/callback`]
  const provider = undo.use(await startOidcProvider({ redirectUris, people, ...settings }))
  const service = undo.use(
    await startTestService({ env: { PORT: String(port), ...provider.environment(url), ...env } })
  )
  const all = undo.move()
  return { provider, service, people, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const whoIs = async (visitor: Visitor) =>
  (await visitor.get('/api/session')).json()['user'] as { name: string; role: string; provider: string } | null

describe('single sign-on', () => {
  const undo = new AsyncDisposableStack()
  let stage: Stage
  before(async () => {
    stage = undo.use(
      await setStage({
        ana: { preferred_username: 'Ana Canary', groups: ['staff', 'ops'] },
        bob: { email: 'bob@corp.example', groups: ['policy', 'other'] },
        eve: { preferred_username: 'root', groups: ['staff'] },
        zoe: { preferred_username: 'zoe', groups: ['guests'] }
      })
    )
  })
  after(() => undo.disposeAsync())

  test('the page offers it, and the provider is called with PKCE, state and nonce', async () => {
    const visitor = createVisitor(stage.service.url)
    assert.partialDeepStrictEqual((await visitor.get('/api/session')).json(), { oidc: { name: 'Test provider' } })
    const away = await visitor.get('/api/session/oidc')
    const { origin, searchParams } = new URL(away.headers['location'] ?? '')
    assert.equal(origin, stage.provider.issuer)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    for (const name of ['code_challenge', 'state', 'nonce'])
      assert.ok((searchParams.get(name) ?? '').length >= 40, name)
    assert.equal(searchParams.get('redirect_uri'), `${stage.service.url}/api/session/oidc/callback`)
    assert.match(away.headers['set-cookie'] ?? '', /^sluice_oidc_[\w-]{16}=.*HttpOnly; SameSite=Lax$/)
  })

  test('groups become the highest role, names are made valid, and the audit has both actions', async () => {
    const ana = createVisitor(stage.service.url)
    const back = await signInByProvider(ana, 'ana', '?to=/policy')
    assert.deepEqual([back.status, back.headers['location']], [302, '/policy'], back.text)
    assert.partialDeepStrictEqual(await whoIs(ana), { name: 'anacanary', role: 'admin', provider: 'oidc' })
    assert.deepEqual([...ana.cookies.keys()], ['sluice_session'], 'the cookie of the journey is gone')
    const requestId = back.headers['x-request-id'] ?? ''
    const { rows } = await stage.service.running.store.findAudit({
      workspaceId: defaultWorkspaceId,
      requestId,
      limit: 9
    })
    assert.deepEqual(rows.map(({ actor, action }) => `${actor} ${action}`).toSorted(), [
      'service user_created',
      'user:anacanary signed_in'
    ])
    const bob = createVisitor(stage.service.url)
    await signInByProvider(bob, 'bob')
    assert.partialDeepStrictEqual(await whoIs(bob), { name: 'bob@corp.example', role: 'editor' })
  })

  test('a name that is taken is not assigned again, so that nobody can pass for another', async () => {
    const root = await setUpAdmin(stage.service.running).catch(() => undefined)
    assert.equal(root, undefined, 'the first sign-in closed the way of the set-up link')
    const admin = createVisitor(stage.service.url)
    await signInByProvider(admin, 'ana')
    const session = (await admin.get('/api/session')).json() as { csrfToken: string }
    const made = await admin.send(
      'POST',
      '/api/users',
      { name: 'root', role: 'viewer' },
      { 'x-csrf-token': session.csrfToken }
    )
    assert.equal(made.status, 201, made.text)
    const eve = createVisitor(stage.service.url)
    await signInByProvider(eve, 'eve')
    assert.partialDeepStrictEqual(await whoIs(eve), { name: 'root-2', role: 'viewer' })
    await signInByProvider(eve, 'eve')
    assert.partialDeepStrictEqual(await whoIs(eve), { name: 'root-2' }, 'the next time it is the same user')
  })

  test('a user in no mapped group is refused, and nothing is stored', async () => {
    const zoe = createVisitor(stage.service.url)
    const back = await signInByProvider(zoe, 'zoe')
    assert.equal(back.headers['location'], '/sign-in?problem=oidc_no_role')
    assert.equal(await whoIs(zoe), null)
    const users = await stage.service.running.store.listUsers({
      workspaceId: defaultWorkspaceId,
      now: 0,
      usedAfter: 0,
      limit: 99
    })
    assert.ok(!users.some(({ subject }) => subject === 'zoe'))
  })

  test('the role follows the current groups, even for the last admin', async () => {
    const ana = createVisitor(stage.service.url)
    stage.people['ana'] = { preferred_username: 'Ana Canary', groups: ['staff'] }
    await signInByProvider(ana, 'ana')
    assert.partialDeepStrictEqual(await whoIs(ana), { name: 'anacanary', role: 'viewer' })
    stage.people['ana'] = { preferred_username: 'Ana Canary', groups: ['ops'] }
    await signInByProvider(ana, 'ana')
    assert.partialDeepStrictEqual(await whoIs(ana), { role: 'admin' })
  })

  test('a disabled user stays out', async () => {
    const bob = createVisitor(stage.service.url)
    await signInByProvider(bob, 'bob')
    const { store } = stage.service.running
    const user = await store.findUser({ name: 'bob@corp.example' })
    assert.ok(user)
    await store.changeUser(user, { disabledAt: 1 }, { endSessions: 'all' }, null)
    assert.equal(await whoIs(bob), null)
    assert.equal((await signInByProvider(bob, 'bob')).headers['location'], '/sign-in?problem=oidc_disabled')
  })

  test('a callback that belongs to another sign-in is rejected', async () => {
    const victim = createVisitor(stage.service.url)
    const attacker = createVisitor(stage.service.url)
    const away = await attacker.get('/api/session/oidc')
    const back = new URL(await new Traveller().goThrough(away.headers['location'] ?? '', 'ana'))
    const callback = back.pathname + back.search
    assert.equal((await victim.get(callback)).headers['location'], '/sign-in?problem=oidc_expired')
    await victim.get('/api/session/oidc')
    assert.equal((await victim.get(callback)).headers['location'], '/sign-in?problem=oidc_expired')
    // Whoever can set cookies of the victim cannot seal one.
    const [journey] = attacker.cookies.keys()
    const [own] = victim.cookies.values()
    victim.cookies.set(journey ?? '', own ?? '')
    assert.equal((await victim.get(callback)).headers['location'], '/sign-in?problem=oidc_refused')
    assert.equal(await whoIs(victim), null)
    assert.equal((await attacker.get(callback)).headers['location'], '/')
    assert.equal((await attacker.get(callback)).headers['location'], '/sign-in?problem=oidc_expired', 'once')
  })

  test('sign-ins in two tabs of one browser end in either order', async () => {
    const visitor = createVisitor(stage.service.url)
    const begin = async (page: string): Promise<string> => {
      const away = await visitor.get(`/api/session/oidc?to=${page}`)
      const back = new URL(await new Traveller().goThrough(away.headers['location'] ?? '', 'ana'))
      return back.pathname + back.search
    }
    const callbacks = [await begin('/first'), await begin('/second')]
    const [first, second] = callbacks as [string, string]
    assert.equal((await visitor.get(first)).headers['location'], '/first')
    assert.equal((await visitor.get(second)).headers['location'], '/second')
    assert.equal((await whoIs(visitor))?.name, 'anacanary')
  })

  test('a browser keeps the newest of its unfinished sign-ins, as many as headers have room for', async () => {
    const kept = async (count: number, page: string) => {
      const visitor = createVisitor(stage.service.url)
      const begun: string[] = []
      for (let i = 0; i < count; i++) {
        const away = await visitor.get(`/api/session/oidc?to=${page}`)
        const state = new URL(away.headers['location'] ?? '').searchParams.get('state') ?? ''
        begun.push(`sluice_oidc_${state.slice(0, 16)}`)
      }
      const names = [...visitor.cookies.keys()]
      assert.deepEqual(names, begun.slice(-names.length))
      return names.length
    }
    assert.equal(await kept(4, '/policy'), 4)
    const few = await kept(14, '/policy')
    assert.ok(few >= 4 && few < 14, String(few))
    assert.equal(await kept(3, `/${'a'.repeat(1900)}`), 1)
  })

  test('an error of the provider is explained, and only paths of the service are accepted to return to', async () => {
    const visitor = createVisitor(stage.service.url)
    const away = await visitor.get('/api/session/oidc')
    const state = new URL(away.headers['location'] ?? '').searchParams.get('state') ?? ''
    const iss = encodeURIComponent(stage.provider.issuer)
    const denied = await visitor.get(`/api/session/oidc/callback?error=access_denied&state=${state}&iss=${iss}`)
    assert.equal(denied.headers['location'], '/sign-in?problem=oidc_refused')
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/%5Cevil.example',
      'policy',
      '/a%0Ab',
      `/${'a'.repeat(2000)}`,
      '/&to=/'
    ]) {
      const refused = await visitor.get(`/api/session/oidc?to=${to}`)
      assert.deepEqual([refused.status, refused.headers['location']], [302, '/sign-in?problem=bad_return'], to)
    }
  })
})

test('a page with a long query is returned to', async () => {
  await using stage = await setStage({ ana: { groups: ['ops'] } })
  const page = `/search?modelId=${'m'.repeat(1900)}`
  const back = await signInByProvider(createVisitor(stage.service.url), 'ana', `?to=${encodeURIComponent(page)}`)
  assert.deepEqual([back.status, back.headers['location']], [302, page])
})

test('users belong to the workspace that the configuration names', async () => {
  const env = { SERVICE_OIDC_WORKSPACE: 'team-a' }
  await using stage = await setStage({ ana: { groups: ['ops'] } }, { env })
  const ana = createVisitor(stage.service.url)
  await signInByProvider(ana, 'ana')
  assert.partialDeepStrictEqual((await ana.get('/api/session')).json(), { workspace: { id: 'team-a' } })
  // It was created at startup with a policy of its own, and shows nothing of another workspace.
  const { revisions } = (await ana.get('/api/workspace/policy/revisions')).json() as { revisions: object[] }
  assert.equal(revisions.length, 1)
  const users = (await ana.get('/api/users')).json() as { users: object[] }
  assert.equal(users.users.length, 1)
})

test('a provider that is down is reported, and recovers by itself', async () => {
  await using stage = await setStage({ ana: { groups: ['ops'] } })
  const ana = createVisitor(stage.service.url)
  stage.provider.setDown(true)
  assert.equal((await ana.get('/api/session/oidc')).headers['location'], '/sign-in?problem=oidc_unreachable')
  stage.provider.setDown(false)
  const away = await ana.get('/api/session/oidc')
  const back = new URL(await new Traveller().goThrough(away.headers['location'] ?? '', 'ana'))
  stage.provider.setDown(true)
  const late = await ana.get(back.pathname + back.search)
  assert.equal(late.headers['location'], '/sign-in?problem=oidc_unreachable')
  stage.provider.setDown(true, '/jwks')
  const keyless = await signInByProvider(ana, 'ana')
  assert.equal(
    keyless.headers['location'],
    '/sign-in?problem=oidc_unreachable',
    'keys that do not come say nothing of a token'
  )
  stage.provider.setDown(false)
  assert.equal((await signInByProvider(ana, 'ana')).headers['location'], '/')
  assert.partialDeepStrictEqual(await whoIs(ana), { name: 'ana', role: 'admin' })
})

test('sign-ins are counted by result', async () => {
  await using stage = await setStage({ ana: { groups: ['ops'] }, zoe: { groups: [] } })
  const visitor = createVisitor(stage.service.url)
  const counted = async (): Promise<string[]> => {
    const { text } = await visitor.get('/metrics')
    return text.split('\n').filter((line) => line.startsWith('sluice_sign_ins_total{'))
  }
  stage.provider.setDown(true)
  await visitor.get('/api/session/oidc')
  stage.provider.setDown(false)
  await visitor.send('POST', '/api/session', { name: 'ana', password: 'not-this-one' })
  await visitor.get('/api/session/oidc/callback?state=a&code=b')
  await visitor.get('/api/session/oidc?to=//evil.example')
  await signInByProvider(visitor, 'zoe')
  await signInByProvider(visitor, 'ana')
  assert.deepEqual(
    await counted(),
    [
      'method="provider",outcome="oidc_unreachable"',
      'method="password",outcome="sign_in_refused"',
      'method="provider",outcome="oidc_expired"',
      'method="provider",outcome="bad_return"',
      'method="provider",outcome="oidc_no_role"',
      'method="provider",outcome="signed_in"'
    ].map((labels) => `sluice_sign_ins_total{${labels}} 1`)
  )
})

test('other client authentication, groups in the ID token, and e-mail addresses as groups work', async () => {
  for (const [settings, env] of [
    [{ clientAuth: 'client_secret_post', idTokenHasAll: true }, {}],
    [{ clientAuth: 'none' }, {}],
    [{ signedBy: 'HS256' }, {}],
    [{}, { SERVICE_OIDC_GROUPS_CLAIM: 'email', SERVICE_OIDC_ROLE_MAP: 'ana@corp.example=admin,eve@corp.example=admin' }]
  ] as const) {
    await using stage = await setStage(
      {
        ana: { groups: ['ops'], email: 'ana@corp.example', email_verified: true },
        eve: { email: 'eve@corp.example', email_verified: false }
      },
      { ...settings, env }
    )
    const ana = createVisitor(stage.service.url)
    assert.equal((await signInByProvider(ana, 'ana')).headers['location'], '/', JSON.stringify(settings))
    assert.partialDeepStrictEqual(await whoIs(ana), { role: 'admin' })
    const eve = createVisitor(stage.service.url)
    const refused = await signInByProvider(eve, 'eve')
    assert.equal(refused.headers['location'], '/sign-in?problem=oidc_no_role', 'an address that nobody has proven')
  }
})

test('a token that the provider has not signed signs nobody in', async () => {
  await using stage = await setStage({ ana: { groups: ['ops'] } })
  stage.provider.publishOtherKeys()
  const ana = createVisitor(stage.service.url)
  assert.equal((await signInByProvider(ana, 'ana')).headers['location'], '/sign-in?problem=oidc_refused')
  assert.equal(await whoIs(ana), null)
})
