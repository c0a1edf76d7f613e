/** Where calls go upstream, with which credential, and which of the client's headers and query parameters they keep. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { loadConfig } from '../../src/config/config.ts'
import { findIngressRoute } from '../../src/ingress/routes.ts'
import { credentialValue, upstreamTargets, type UpstreamTarget } from '../../src/upstream/targets.ts'
import { dialectNames, userBody } from '../support/dialects.ts'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, upstreamKeys, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type Received, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

/** Returns the target of a path below the ingress base. */
function targets(env: Record<string, string>): (path: string, hasAnthropicVersion?: boolean) => UpstreamTarget {
  const loaded = loadConfig(env, { cwd: process.cwd() })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  const targetOf = upstreamTargets(loaded.config)
  return (path, hasAnthropicVersion = false) => {
    const route = findIngressRoute(path, hasAnthropicVersion)
    assert.ok(route, path)
    return targetOf(route)
  }
}

const urlOf = ({ origin, path }: UpstreamTarget): string => origin + path

const chatKey = 'chat-key-of-the-operator'
const messagesKey = 'messages-key-of-the-operator'
const keys = { UPSTREAM_CHAT_API_KEY: chatKey, UPSTREAM_MESSAGES_API_KEY: messagesKey }

test('the default base URLs are those of the vendors', () => {
  const targetOf = targets(keys)
  const [chat, messages] = [targetOf('/v1/chat/completions'), targetOf('/v1/messages')]
  assert.equal(urlOf(chat), 'https://api.openai.com/v1/chat/completions')
  assert.equal(urlOf(messages), 'https://api.anthropic.com/v1/messages')
  assert.ok(chat.credential && messages.credential)
  assert.deepEqual([chat.credential.header, credentialValue(chat.credential)], ['authorization', `Bearer ${chatKey}`])
  assert.deepEqual([messages.credential.header, credentialValue(messages.credential)], ['x-api-key', messagesKey])
})

test('a configured base keeps its path, with or without a trailing slash', () => {
  const table = [
    ['https://llm.corp.dev/v1', 'https://llm.corp.dev/v1/chat/completions'],
    ['https://llm.corp.dev/v1/', 'https://llm.corp.dev/v1/chat/completions'],
    [
      'https://llm.corp.dev:8443/openai/deployments/one',
      'https://llm.corp.dev:8443/openai/deployments/one/chat/completions'
    ],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/chat/completions']
  ] as const
  for (const [base, url] of table) {
    const chat = targets({ UPSTREAM_CHAT_API_BASE: base })('/chat/completions')
    assert.equal(urlOf(chat), url)
    assert.equal(chat.credential, undefined)
  }
  const messages = targets({ UPSTREAM_MESSAGES_API_BASE: 'https://llm.corp.dev/claude/' })('/messages')
  assert.equal(urlOf(messages), 'https://llm.corp.dev/claude/v1/messages')
})

test('every route has its address at the vendor', () => {
  const targetOf = targets(keys)
  for (const [path, hasVersion, url] of [
    ['/v1/responses', false, 'https://api.openai.com/v1/responses'],
    ['/responses/compact', false, 'https://api.openai.com/v1/responses/compact'],
    ['/v1/v1/embeddings', false, 'https://api.openai.com/v1/embeddings'],
    ['/v1/models', false, 'https://api.openai.com/v1/models'],
    ['/v1/models/ft%3Agpt-4.1%3Aorg%3A%3Aid', false, 'https://api.openai.com/v1/models/ft%3Agpt-4.1%3Aorg%3A%3Aid'],
    ['/v1/models/org%2Fmodel', false, 'https://api.openai.com/v1/models/org%2Fmodel'],
    ['/v1/messages/count_tokens', true, 'https://api.anthropic.com/v1/messages/count_tokens'],
    ['/v1/models', true, 'https://api.anthropic.com/v1/models'],
    ['/v1/models/claude-x', true, 'https://api.anthropic.com/v1/models/claude-x']
  ] as const)
    assert.equal(urlOf(targetOf(path, hasVersion)), url)
})

describe('calls to a configured base', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(
      await startStubUpstream(
        answers('Understood.', { 'x-request-id': 'vendor-request-1', 'set-cookie': 'vendor=1', server: 'vendor' })
      )
    )
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())
  const newest = (): Received => {
    const received = stub.received.at(-1)
    assert.ok(received)
    return received
  }

  test('carry the credential of their route and none of the client', async () => {
    const client = {
      cookie: 'session=1',
      'x-forwarded-for': '10.1.2.3',
      'x-service-client-surface': 'sdk',
      'x-custom': 'one',
      'api-key': service.token
    }
    for (const dialect of dialectNames) {
      for (const header of ['authorization', 'x-api-key'] as const) {
        const headers = { ...client, [header]: header === 'authorization' ? `Bearer ${service.token}` : service.token }
        const reply = await service.send(dialect, userBody(dialect, 'Hello.'), { headers })
        assert.equal(reply.status, 200, reply.text)
        const { url, headers: sent, method } = newest()
        assert.equal(method, 'POST')
        assert.equal(url, dialect === 'messages' ? '/v1/messages' : '/v1/chat/completions')
        assert.equal(sent['authorization'], dialect === 'messages' ? undefined : `Bearer ${upstreamKeys.chat}`)
        assert.equal(sent['x-api-key'], dialect === 'messages' ? upstreamKeys.messages : undefined)
        assert.equal(sent['host'], stub.url.slice('http://'.length))
        assert.equal(sent['accept-encoding'] ?? 'identity', 'identity')
        assert.ok(!JSON.stringify(sent).includes(service.token), 'the workspace token went up')
        assert.deepEqual(
          Object.keys(sent).filter((name) => name.startsWith('x-service') || name in client),
          []
        )
      }
    }
  })

  test('carry headers that have a meaning upstream', async () => {
    await service.send('messages', userBody('messages', 'Hello.'), {
      headers: { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'one-2026-01-01,two-2026-02-02' },
      query: '?beta=true&token=abc'
    })
    assert.equal(newest().url, '/v1/messages?beta=true')
    assert.equal(newest().headers['anthropic-version'], '2026-10-21')
    assert.equal(newest().headers['anthropic-beta'], 'one-2026-01-01,two-2026-02-02')
    await service.send('chat-completions', userBody('chat-completions', 'Hello.'), {
      headers: { 'openai-organization': 'org-one', 'openai-project': 'proj-one', 'idempotency-key': 'again-1' }
    })
    assert.equal(newest().headers['openai-organization'], 'org-one')
    assert.equal(newest().headers['openai-project'], 'proj-one')
    assert.equal(newest().headers['idempotency-key'], 'again-1')
  })

  test('carry no header of unreasonable length; the refusal names it and its limit', async () => {
    stub.forget()
    const betas = (length: number) => ({ headers: { 'anthropic-beta': 'b'.repeat(length) } })
    assert.equal((await service.send('messages', userBody('messages', 'Hello.'), betas(4096))).status, 200)
    const refused = await service.send('messages', userBody('messages', 'Hello.'), betas(4097))
    assert.equal(refused.status, 400)
    assert.match(refused.text, /anthropic-beta.*at most 4096 characters/)
    assert.equal(stub.received.length, 1)
  })

  test('have a version of the messages API even if the client names none', async () => {
    const reply = await call(`${service.sdkBaseUrl}/messages`, {
      headers: { 'content-type': 'application/json', 'x-api-key': service.token },
      body: userBody('messages', 'Hello.')
    })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(newest().headers['anthropic-version'], '2023-06-01')
  })

  test('never carry a secret in a header', async () => {
    const planter = createPlanter(81)
    for (const [dialect, name] of [
      ['messages', 'anthropic-beta'],
      ['chat-completions', 'openai-organization'],
      ['chat-completions', 'idempotency-key']
    ] as const) {
      const secret = planter('github_token')
      stub.forget()
      const reply = await service.send(dialect, userBody(dialect, 'Hello.'), { headers: { [name]: secret.value } })
      assert.ok(!JSON.stringify(stub.received.map(({ headers }) => headers)).includes(secret.needle), name)
      assert.ok(!reply.text.includes(secret.needle))
    }
  })

  test('are answered under all aliases of the two routes', async () => {
    for (const [path, upstreamPath] of [
      ['/chat/completions', '/v1/chat/completions'],
      ['/messages', '/v1/messages']
    ] as const) {
      for (const base of ['/api/ingress', '/api/ingress/v1', '/api/ingress/v1/v1']) {
        stub.forget()
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${service.token}` }
        const reply = await call(`${service.url}${base}${path}`, { headers, body: userBody('messages', 'Hello.') })
        assert.equal(reply.status, 200, `${base}${path}: ${reply.text}`)
        assert.equal(newest().url, upstreamPath)
      }
    }
  })

  test("show the client the vendor's request ID and no other account detail", async () => {
    for (const dialect of dialectNames) {
      const { headers } = await service.send(dialect, userBody(dialect, 'Hello.'))
      assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/)
      assert.equal(headers['request-id'], 'vendor-request-1')
      assert.equal(headers['set-cookie'], undefined)
      assert.notEqual(headers['server'], 'vendor')
    }
  })
})

test("the vendor's own base without a key answers 503 and sends nothing", async () => {
  await using service = await startTestService({
    env: { UPSTREAM_CHAT_API_KEY: undefined, UPSTREAM_MESSAGES_API_KEY: undefined }
  })
  for (const dialect of dialectNames) {
    const reply = await service.send(dialect, userBody(dialect, 'Hello.'))
    assert.equal(reply.status, 503, reply.text)
    assert.match(reply.text, /upstream_not_configured/)
  }
})

test('a configured base without a key is called without one', async () => {
  await using stub = await startStubUpstream(answers())
  await using service = await startTestService({
    upstream: stub,
    env: { UPSTREAM_CHAT_API_KEY: undefined, UPSTREAM_MESSAGES_API_KEY: undefined }
  })
  for (const dialect of dialectNames) {
    const reply = await service.send(dialect, userBody(dialect, 'Hello.'))
    assert.equal(reply.status, 200, reply.text)
    const sent = stub.received.at(-1)?.headers ?? {}
    assert.equal(sent['authorization'], undefined)
    assert.equal(sent['x-api-key'], undefined)
  }
})
