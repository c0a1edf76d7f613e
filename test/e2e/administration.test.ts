/** The API as admins and operators use it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as suggestionSchemas from '../../src/protocol/api/suggestion-schema.ts'
import * as systemSchemas from '../../src/protocol/api/system-schema.ts'
import * as tokenSchemas from '../../src/protocol/api/token-schema.ts'
import * as userSchemas from '../../src/protocol/api/user-schema.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, upstreamKeys, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { createVisitor, setUpAdmin, testPassword, type Visitor } from '../support/visitor.ts'

const mail = ['ana', 'corp-mail.dev'].join('@')

describe('administration', () => {
  const undo = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  let admin: Visitor

  before(async () => {
    stub = undo.use(await startStubUpstream(answers()))
    service = undo.use(await startTestService({ upstream: stub }))
    admin = await setUpAdmin(service.running)
  })
  after(() => undo.disposeAsync())

  const chat = (content: string, token = service.token) =>
    service.send('chat-completions', JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }), { token })

  test('a token is shown once, rotated with an overlap, and revoked', async () => {
    const wish = { label: 'laptop', scopes: ['ingress:write'], expiresAt: '2100-01-01T00:00:00Z' }
    const made = await admin.send('POST', '/api/tokens', wish)
    assert.equal(made.status, 201, made.text)
    const { token, summary } = tokenSchemas.madeTokenBody.parse(made.json())
    assert.partialDeepStrictEqual(summary, { label: 'laptop', scopes: ['ingress:write'], state: 'active' })
    assert.equal((await chat('Hello.', token)).status, 200)

    const rotated = await admin.send('POST', `/api/tokens/${summary.id}/rotate`, { overlapMs: 0 })
    assert.equal(rotated.status, 201, rotated.text)
    const next = tokenSchemas.madeTokenBody.parse(rotated.json())
    assert.equal(next.summary.lineageId, summary.id)
    assert.equal((await chat('Hello.', token)).status, 401)
    assert.equal((await chat('Hello.', next.token)).status, 200)

    assert.deepEqual((await admin.send('DELETE', `/api/tokens/${next.summary.id}`)).json()['status'], 'revoked')
    assert.equal((await chat('Hello.', next.token)).status, 401)
    assert.deepEqual((await admin.send('DELETE', `/api/tokens/${next.summary.id}`)).json()['status'], 'already_revoked')

    const listed = await admin.get('/api/tokens')
    const { tokens } = tokenSchemas.tokensBody.parse(listed.json())
    const states = Object.fromEntries(tokens.map(({ id, state }) => [id, state]))
    assert.equal(states[summary.id], 'expired')
    assert.equal(states[next.summary.id], 'revoked')
    for (const secret of [token, next.token]) assert.ok(!listed.text.includes(secret.slice(12)))
  })

  test('a token request that breaks a rule is told which one, and tokens of others are out of reach', async () => {
    for (const [wish, path] of [
      [{ label: '' }, '/label'],
      [{ label: 'x', scopes: ['all'] }, '/scopes/0'],
      [{ label: 'x', expiresAt: '2001-01-01T00:00:00Z' }, '/expiresAt'],
      [{ label: 'x', expiresAt: 'tomorrow' }, '/expiresAt'],
      [{ label: 'x', secret: 'y' }, '']
    ] as const) {
      const refused = await admin.send('POST', '/api/tokens', wish)
      assert.equal(refused.status, 400, refused.text)
      assert.equal((refused.json() as { errors: { path: string }[] }).errors[0]?.path, path)
    }
    for (const gone of [
      await admin.send('POST', '/api/tokens/nothing/rotate', {}),
      await admin.send('DELETE', '/api/tokens/nothing')
    ]) {
      assert.equal(gone.status, 404)
      assert.equal(gone.json()['detail'], 'There is nothing at this address: this workspace has no such token.')
    }
  })

  test('an invited person chooses a password; a new link resets it and ends the old one', async () => {
    const made = await admin.send('POST', '/api/users', { name: 'vic', role: 'viewer' })
    const { user, link } = userSchemas.madeUserBody.parse(made.json())
    assert.partialDeepStrictEqual(user, { hasPassword: false, disabled: false, lastSignInAt: null })
    const again = await admin.send('POST', `/api/users/${user.id}/link`)
    const newer = userSchemas.madeUserBody.parse(again.json()).link
    const vic = createVisitor(service.url)
    assert.equal((await vic.setUp(link.path, testPassword)).status, 410, 'the first link is over')
    assert.equal((await vic.setUp(newer.path, testPassword)).status, 200)
    const { users } = userSchemas.usersBody.parse((await admin.get('/api/users')).json())
    assert.partialDeepStrictEqual(
      users.find(({ name }) => name === 'vic'),
      { hasPassword: true, sessions: 1 }
    )
  })

  test('users are listed in pages, and a response about one shows the current state', async () => {
    const made = []
    for (const name of ['page-1', 'page-2', 'page-3']) {
      const { user, link } = userSchemas.madeUserBody.parse(
        (await admin.send('POST', '/api/users', { name, role: 'viewer' })).json()
      )
      made.push({ user, link })
    }
    const listed: string[] = []
    for (let after = ''; ;) {
      const reply = await admin.get(`/api/users?limit=2${after === '' ? '' : `&after=${after}`}`)
      const { users, next } = userSchemas.usersBody.parse(reply.json())
      listed.push(...users.map(({ name }) => name))
      if (next === null) break
      after = next
    }
    assert.deepEqual(listed, listed.toSorted())
    assert.deepEqual(
      listed.filter((name) => name.startsWith('page-')),
      ['page-1', 'page-2', 'page-3']
    )
    const third = made[2]
    assert.ok(third)
    assert.equal((await createVisitor(service.url).setUp(third.link.path, testPassword)).status, 200)
    const path = `/api/users/${third.user.id}`
    const again = userSchemas.madeUserBody.parse((await admin.send('POST', `${path}/link`)).json())
    assert.partialDeepStrictEqual(again.user, { hasPassword: true, sessions: 1 })
    const changed = userSchemas.userBody.parse((await admin.send('PATCH', path, { role: 'editor' })).json())
    assert.partialDeepStrictEqual(changed, { role: 'editor', sessions: 1 })
    assert.equal((await admin.get('/api/users?limit=0')).status, 400)
  })

  test('settings show what is in force, and no secret', async () => {
    const reply = await admin.get('/api/settings')
    const { variables, engine, retention } = systemSchemas.settingsBody.parse(reply.json())
    assert.equal(engine, 'sqlite')
    assert.deepEqual(retention, { eventDays: 30, auditDays: 400, minuteRollupDays: 8, bytesMax: null })
    const of = (name: string) => variables.find((variable) => variable.name === name)
    assert.partialDeepStrictEqual(of('UPSTREAM_CHAT_API_KEY'), { value: null, isSet: true, isSecret: true })
    assert.partialDeepStrictEqual(of('SERVICE_MASTER_KEY'), { value: null, isSet: false, isSecret: true })
    assert.partialDeepStrictEqual(of('UPSTREAM_CHAT_API_BASE'), { value: `${stub.url}/v1`, isSet: true })
    assert.partialDeepStrictEqual(of('SERVICE_INGRESS_INFLATED_BYTES_MAX'), { value: '33554432', isSet: false })
    for (const key of Object.values(upstreamKeys)) assert.ok(!reply.text.includes(key))
  })

  test('settings say when the store was measured, so that nobody takes an old figure for a current one', async () => {
    const store = await eventually('the first measurement', async () => {
      const body = systemSchemas.settingsBody.parse((await admin.get('/api/settings')).json())
      return body.store.measuredAt === null ? undefined : body.store
    })
    const at = Date.parse(store.measuredAt ?? '')
    assert.ok(at <= Date.now() && Date.now() - at < 600_000, String(store.measuredAt))
    assert.ok((store.bytes ?? 0) > 0)
  })

  test('health reports store, recording, sealing and instances', async () => {
    const health = await eventually('a sealed root', async () => {
      const body = systemSchemas.healthBody.parse((await admin.get('/api/system/health')).json())
      return body.sealing.sequence === null ? undefined : body
    })
    assert.equal(health.ok, true)
    assert.partialDeepStrictEqual(health, { store: { engine: 'sqlite', ok: true }, recording: { ok: true, lost: 0 } })
    assert.equal(health.instances.filter(({ isThis }) => isThis).length, 1)
    assert.deepEqual(
      health.upstreams.map(({ origin, hasKey }) => [origin, hasKey]),
      [
        [stub.url, true],
        [stub.url, true]
      ]
    )
  })

  test('warnings name settings that soften the rules, and disappear with them', async () => {
    const warnings = async () => systemSchemas.warningsBody.parse((await admin.get('/api/warnings')).json()).warnings
    assert.deepEqual(await warnings(), [])
    const published = await admin.send(
      'PUT',
      '/api/workspace/policy',
      { mcpToolPolicy: { version: 1 }, redactionProfile: { version: 1, mode: 'observe' }, note: 'try' },
      { 'if-match': '*' }
    )
    assert.equal(published.status, 201, published.text)
    assert.deepEqual(
      (await warnings()).map(({ code, path }) => [code, path]),
      [['softens', '/redactionProfile/mode']]
    )
    assert.partialDeepStrictEqual((await admin.get('/api/workspace/policy/revisions?limit=1')).json(), {
      revisions: [{ author: 'user:root', note: 'try' }]
    })
    const back = await admin.send('POST', '/api/workspace/policy/rollback', { revision: '1' }, { 'if-match': '*' })
    assert.equal(back.status, 201, back.text)
    assert.deepEqual(await warnings(), [])
  })

  test('a rule made from a false alarm ends it, and the pasted value is stored nowhere', async () => {
    assert.equal((await chat(`Write to ${mail}.`)).headers['x-service-action'], 'mask')
    const event = await eventually('the event of the call', async () => {
      const { events } = (await admin.get('/api/events?action=mask&limit=1')).json() as {
        events: { sequence: number }[]
      }
      return events[0]
    })
    const { sequence } = event
    const value = `it was <${mail}>`
    const asked = await admin.send('POST', '/api/workspace/policy/allow-suggestions', { sequence, value })
    assert.equal(asked.status, 200, asked.text)
    const { suggestions, kinds, revision } = suggestionSchemas.suggestionsBody.parse(asked.json())
    assert.deepEqual(kinds, ['email_address'])
    assert.deepEqual(
      suggestions.map(({ by, isPublishable }) => [by, isPublishable]),
      [
        ['hmac', true],
        ['value', true],
        ['emailDomain', true],
        ['kind', true]
      ]
    )
    const [keyed] = suggestions
    assert.ok(keyed && !JSON.stringify(keyed).includes(mail))
    const wide = suggestions.find(({ by }) => by === 'kind')
    assert.partialDeepStrictEqual(wide?.preview, {
      changed: 1,
      changes: [{ was: 'mask', wouldBe: 'allow', events: 1, by: { email_address: 1 } }]
    })
    assert.ok(wide?.findings.some(({ code }) => code === 'softens'))
    const published = await admin.send(
      'PUT',
      '/api/workspace/policy',
      { ...keyed?.policy, note: 'false alarm' },
      {
        'if-match': `"${revision}"`
      }
    )
    assert.equal(published.status, 201, published.text)
    assert.equal((await chat(`Write to ${mail}.`)).headers['x-service-action'], 'allow')
    assert.equal((await chat(`Write to x${mail}.`)).headers['x-service-action'], 'mask', 'and no other')
    const audit = await admin.get('/api/audit?limit=100')
    assert.ok(!audit.text.includes(mail))
  })

  test('suggestions for a secret never show it, and an unknown event has none', async () => {
    const secret = createPlanter(7)('aws_access_key_id').value
    await chat(`key ${secret}`)
    const { events } = (await admin.get('/api/events?action=block&kind=ingress_proxy&limit=1')).json() as {
      events: { sequence: number }[]
    }
    const body = { sequence: events[0]?.sequence, value: secret }
    const asked = await admin.send('POST', '/api/workspace/policy/allow-suggestions', body)
    const { suggestions } = suggestionSchemas.suggestionsBody.parse(asked.json())
    assert.deepEqual(
      suggestions.map(({ by }) => by),
      ['hmac', 'kindMask', 'kind']
    )
    assert.ok(suggestions.every(({ isPublishable }) => isPublishable))
    assert.ok(!asked.text.includes(secret.slice(4, 12)))
    const none = await admin.send('POST', '/api/workspace/policy/allow-suggestions', { sequence: 999_999 })
    assert.equal(none.status, 404)
  })

  test('tools are listed by server, with the results of their calls', async () => {
    const post = (events: unknown) =>
      call(`${service.url}/api/events`, {
        headers: { 'x-service-workspace-token': service.token, 'content-type': 'application/json' },
        body: JSON.stringify(events)
      })
    const call1 = { kind: 'tool_call_enforcement', mcpToolName: 'delete_branch' }
    const taken = await post([
      { ...call1, action: 'block', ruleId: 'no-deletes', reasonCode: 'denied' },
      { ...call1, action: 'allow' },
      { kind: 'tool_call_enforcement', mcpToolName: 'read_file', action: 'mask' }
    ])
    assert.equal(taken.status, 202, taken.text)
    const body = systemSchemas.toolsBody.parse((await admin.get('/api/tools')).json())
    assert.deepEqual(
      body.servers.map(({ server }) => server),
      ['unknown']
    )
    assert.partialDeepStrictEqual(body.servers[0]?.tools, [
      { tool: 'delete_branch', calls: { allow: 1, mask: 0, block: 1 }, lastRuleId: 'no-deletes', isPinned: false },
      { tool: 'read_file', calls: { allow: 0, mask: 1, block: 0 } }
    ])
    assert.equal((await admin.get('/api/tools?from=40d')).status, 400)
    const blocked = (await admin.get('/api/events?action=block&kind=tool_call_enforcement')).json() as {
      events: { sequence: number }[]
    }
    const asked = await admin.send('POST', '/api/workspace/policy/allow-suggestions', {
      sequence: blocked.events[0]?.sequence
    })
    const { suggestions } = suggestionSchemas.suggestionsBody.parse(asked.json())
    assert.deepEqual(
      suggestions.map(({ by }) => by),
      ['tool']
    )
  })
})

test('an upstream is checked with its key, and the result is described in words', async () => {
  const statuses = { chat: 200, messages: 401 }
  await using stub = await startStubUpstream(({ headers }, response) => {
    const isChat = headers['authorization'] === `Bearer ${upstreamKeys.chat}`
    response.writeHead(isChat ? statuses.chat : statuses.messages, { 'content-type': 'application/json' }).end('{}')
  })
  await using service = await startTestService({ upstream: stub })
  const admin = await setUpAdmin(service.running)
  const check = async () =>
    systemSchemas.upstreamCheckBody
      .parse((await admin.send('POST', '/api/system/upstream-check', {})).json())
      .upstreams.map(({ dialect, state, status }) => [dialect, state, status])
  assert.deepEqual(await check(), [
    ['chat', 'ok', 200],
    ['messages', 'credentials', 401]
  ])
  Object.assign(statuses, { chat: 404, messages: 500 })
  assert.deepEqual(await check(), [
    ['chat', 'ok', 404],
    ['messages', 'failed', 500]
  ])
  await stub.close()
  assert.deepEqual(await check(), [
    ['chat', 'unreachable', null],
    ['messages', 'unreachable', null]
  ])
})
