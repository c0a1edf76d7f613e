/** HTTP clients with stdio servers, for both revisions, and servers of both sorts in one file. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { request } from 'undici'
import type { Gate } from '../../src/sensor/mcp-proxy/gate-contract.ts'
import { eventually } from '../support/eventually.ts'
import { allowAll } from '../support/mcp/allow-all.ts'
import { startFixtureHttp } from '../support/mcp/fixture-http.ts'
import { initialize, meta } from '../support/mcp/handshakes.ts'
import { fixture, lives, type Message } from '../support/mcp/line-client.ts'
import { startTestRelay } from '../support/mcp/start-relay.ts'
import { readingOf } from '../support/read-until.ts'

const command = [process.execPath, fixture('fixture-stdio')]
const unruly = [process.execPath, fixture('unruly-server')]
const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const modern = { ...accept, 'mcp-protocol-version': '2026-07-28' }
const asksPeople = { ...initialize, params: { ...initialize.params, capabilities: { elicitation: {} } } }
/** The server's own requests are numbered from 0. */
const elicitation = {
  jsonrpc: '2.0',
  id: 0,
  method: 'tools/call',
  params: { name: 'test_elicitation', arguments: { message: 'Really?' } }
}

interface Answer {
  readonly status: number
  readonly session: string
  /** All messages of the response. */
  readonly messages: readonly Message[]
  readonly last: Message
}

async function post(url: string, message: object, headers: Record<string, string> = accept): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  const { statusCode, headers: got, body: read } = await request(url, { method: 'POST', body, headers })
  const text = await read.text()
  const isStream = String(got['content-type']).startsWith('text/event-stream')
  const datas = isStream
    ? [...text.matchAll(/^data: (.+)$/gm)].map((match) => match[1] ?? '')
    : text === ''
      ? []
      : [text]
  const messages = datas.map((data) => JSON.parse(data) as Message)
  return { status: statusCode, session: String(got['mcp-session-id'] ?? ''), messages, last: messages.at(-1) ?? {} }
}

async function begin(url: string) {
  const { session, last } = await post(url, { id: 0, ...initialize })
  assert.ok(last.result, JSON.stringify(last))
  const headers = { ...accept, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
  assert.equal((await post(url, { method: 'notifications/initialized' }, headers)).status, 202)
  const call = (name: string, more: object = {}) =>
    post(url, { id: name, method: 'tools/call', params: { name, arguments: {}, ...more } }, headers)
  return {
    session,
    headers,
    call,
    text: async (name: string) => (await call(name)).last.result?.content?.[0]?.text ?? ''
  }
}

/**
 * Sends a request with the same id twice at once: either may arrive first; that one stays open and the other is
 * refused.
 */
async function refuseTwin(send: () => Promise<Answer>): Promise<void> {
  const twins = [send(), send()]
  const { last } = await Promise.race(twins)
  assert.equal(last.error?.data?.code, 'id_in_use', JSON.stringify(last))
  for (const twin of twins) void twin.catch(() => undefined)
}

describe('from HTTP to stdio, the bridge', () => {
  it('gives each session a process of its own, and ends it with the session', async () => {
    await using relay = await startTestRelay(
      { command: unruly, listen: '0' },
      { env: { SERVICE_MCP_SESSIONS_MAX: '2' } }
    )
    const [one, two] = [await begin(relay.url), await begin(relay.url)]
    assert.notEqual(one.session, two.session)
    const pids = [Number(await one.text('pid')), Number(await two.text('pid'))]
    assert.notEqual(pids[0], pids[1])
    const full = await post(relay.url, { id: 1, ...initialize })
    assert.equal(full.status, 503)
    const deleted = await request(relay.url, { method: 'DELETE', headers: one.headers })
    assert.equal(deleted.statusCode, 200)
    assert.equal((await one.call('pid')).status, 404)
    await eventually('the end of its process', () => (lives(pids[0] ?? 0) ? undefined : true))
    assert.equal(Number(await two.text('pid')), pids[1])
    await begin(relay.url)
  })

  it('ends an idle session', async () => {
    const env = { SERVICE_MCP_SESSION_IDLE_MS: '1000' }
    await using relay = await startTestRelay({ command: unruly, listen: '0' }, { env })
    // A busy machine may delay a session's calls beyond its idle limit, also those that begin it.
    const { pid, call } = await eventually('a session that is used', async () => {
      const session = await begin(relay.url).catch(() => undefined)
      const told = Number(await session?.text('pid'))
      return session && told > 0 ? { pid: told, call: session.call } : undefined
    })
    await eventually('the end of its process', () => (lives(pid) ? undefined : true))
    assert.equal((await call('pid')).status, 404)
  })

  it('keeps a session when its process crashes, and reports it to the open request', async () => {
    await using relay = await startTestRelay({ command: unruly, listen: '0' })
    const { call, text } = await begin(relay.url)
    const crashed = await call('crash')
    assert.deepEqual([crashed.status, crashed.last.error?.data?.code], [200, 'downstream_stopped'])
    assert.match(await text('pid'), /^[0-9]+$/)
  })

  it('requires a session, rejects unknown ones, and accepts no id twice at a time', async () => {
    await using relay = await startTestRelay({ command: unruly, listen: '0' })
    const { headers, call } = await begin(relay.url)
    assert.equal((await post(relay.url, { id: 1, method: 'ping' })).status, 400)
    assert.equal(
      (await post(relay.url, { id: 1, method: 'ping' }, { ...headers, 'mcp-session-id': 'no-such' })).status,
      404
    )
    await refuseTwin(() => call('hang'))
    assert.equal((await request(relay.url, { method: 'GET' })).statusCode, 405)
  })

  it('ends the request of a call that is cancelled, whose id is then free', async () => {
    await using relay = await startTestRelay({ command: unruly, listen: '0' })
    const { headers, call } = await begin(relay.url)
    const hanging = call('hang')
    // It may arrive before the call does.
    const cancelled = await eventually('the end of the call', async () => {
      await post(relay.url, { method: 'notifications/cancelled', params: { requestId: 'hang' } }, headers)
      return Promise.race([hanging, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))])
    })
    assert.deepEqual([cancelled.status, cancelled.messages], [202, []])
    assert.equal((await post(relay.url, { id: 'hang', method: 'ping' }, headers)).status, 200)
  })

  it('puts progress and log messages into the response stream', async () => {
    await using relay = await startTestRelay({ command, listen: '0' })
    const { call } = await begin(relay.url)
    const { messages } = await call('test_tool_with_progress', { _meta: { progressToken: 'token-1' } })
    assert.deepEqual(
      messages.map(({ method }) => method ?? 'answer'),
      ['notifications/progress', 'notifications/progress', 'notifications/progress', 'answer']
    )
    const logged = await call('test_tool_with_logging')
    assert.equal(logged.messages.length, 4)
  })

  it('puts messages that could belong to several requests on the general stream', async () => {
    await using relay = await startTestRelay({ command: unruly, listen: '0' })
    const { call, headers } = await begin(relay.url)
    const stream = await request(relay.url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } })
    assert.equal((await request(relay.url, { method: 'GET', headers })).statusCode, 409)
    await refuseTwin(() => call('hang'))
    const streamed = readingOf(stream.body)
    const { messages } = await call('flood', { arguments: { count: 2 } })
    assert.equal(messages.length, 1)
    await streamed((text) => text.split('a line of a flood').length === 3)
    stream.body.on('error', () => undefined).destroy()
  })

  it('delivers a request of the server, also with the id of the open call, and the response to it', async () => {
    await using relay = await startTestRelay({ command, listen: '0' })
    const { last, session } = await post(relay.url, { id: 7, ...asksPeople })
    assert.ok(last.result, JSON.stringify(last))
    const headers = { ...accept, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
    const stream = await request(relay.url, { method: 'POST', body: JSON.stringify(elicitation), headers })
    const streamed = readingOf(stream.body)
    const text = await streamed((read) => /"elicitation\/create".*\n/.test(read))
    const { id } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? '') as Message
    assert.equal(id, elicitation.id)
    const result = { action: 'accept', content: { response: 'yes' } }
    assert.equal((await post(relay.url, { id, result }, headers)).status, 202)
    await streamed((read) => read.includes('\\"response\\":\\"yes\\"'))
  })

  it("returns the gate's own reply to a request of the server", async () => {
    const refusing: Gate = {
      ...allowAll,
      open: (...given) => ({
        ...allowAll.open(...given),
        fromServer(message) {
          const { id, method } = JSON.parse(Buffer.from(message).toString()) as Message
          if (method !== 'elicitation/create') return { forward: message }
          const error = { code: -32_000, message: 'no questions here' }
          return { reply: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })) }
        }
      })
    }
    await using relay = await startTestRelay({ command, listen: '0' }, { gate: refusing })
    const { session } = await post(relay.url, { id: 7, ...asksPeople })
    const headers = { ...accept, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
    const { messages } = await post(relay.url, elicitation, headers)
    assert.equal(messages.length, 1)
    assert.match(JSON.stringify(messages), /no questions here/)
  })

  it('drops a response to no request, in a session in which errors have no status of their own', async () => {
    await using relay = await startTestRelay({ command: unruly, listen: '0' })
    const { call, headers } = await begin(relay.url)
    const { messages, last } = await call('garbage')
    assert.equal(last.id, 'garbage')
    assert.doesNotMatch(JSON.stringify(messages), /999/)
    const unknown = await post(relay.url, { id: 5, method: 'no/such' }, headers)
    assert.deepEqual([unknown.status, unknown.last.error?.code], [200, -32_601])
    const stream = await request(relay.url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } })
    const streamed = readingOf(stream.body)
    await refuseTwin(() => call('hang'))
    await call('flood', { arguments: { count: 1 } })
    assert.doesNotMatch(await streamed((text) => text.includes('a line of a flood')), /999/)
    stream.body.on('error', () => undefined).destroy()
  })

  it('keeps no session whose start the server refused', async () => {
    await using relay = await startTestRelay({ command: unruly, listen: '0' })
    const { params } = initialize
    const refused = { ...initialize, params: { ...params, clientInfo: { name: 'unwelcome', version: '1' } } }
    const { last, session } = await post(relay.url, { id: 0, ...refused })
    assert.equal(last.error?.message, 'You are not welcome.')
    const headers = { ...accept, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
    assert.equal((await post(relay.url, { id: 1, method: 'ping' }, headers)).status, 404)
  })

  it('serves stateless requests with one process, whatever ids the clients use', async () => {
    await using relay = await startTestRelay({ command, listen: '0' })
    const call = (text: string, id: unknown = 1) =>
      post(relay.url, { id, method: 'tools/call', params: { name: 'echo', arguments: { text }, _meta: meta } }, modern)
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => call(text)))
    assert.deepEqual(
      answers.map(({ last }) => [last.id, last.result?.content?.[0]?.text]),
      [
        [1, 'a'],
        [1, 'b'],
        [1, 'c']
      ]
    )
    assert.equal((await call('d', 'text')).last.id, 'text')
    const params = { name: 'test_tool_with_progress', arguments: {}, _meta: { ...meta, progressToken: 'mine' } }
    const { messages } = await post(relay.url, { id: 1, method: 'tools/call', params }, modern)
    assert.equal(messages.filter((message) => JSON.stringify(message).includes('"progressToken":"mine"')).length, 3)
    const unknown = await post(relay.url, { id: 1, method: 'no/such', params: { _meta: meta } }, modern)
    assert.deepEqual([unknown.status, unknown.last.error?.code], [404, -32_601])
    const bare = await post(relay.url, { id: 1, method: 'tools/list', params: {} }, modern)
    assert.deepEqual([bare.status, bare.last.error?.code, bare.last.id], [400, -32_602, 1])
    assert.ok((await call('e')).last.result)
  })

  it('tells a client that probes a server of an older revision so by the status', async () => {
    await using relay = await startTestRelay({ command: unruly, listen: '0' })
    const { status, last } = await post(
      relay.url,
      { id: 1, method: 'server/discover', params: { _meta: meta } },
      modern
    )
    assert.deepEqual([status, last.error?.code], [400, -32_601])
  })

  it('delivers a subscription to the client that requested it, until it disconnects', async () => {
    await using relay = await startTestRelay({ command, listen: '0' })
    const params = { _meta: meta, notifications: { toolsListChanged: true } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params })
    const stream = await request(relay.url, { method: 'POST', body, headers: modern })
    const streamed = readingOf(stream.body)
    await streamed((text) => text.includes('acknowledged'))
    const call = {
      id: 'sub',
      method: 'tools/call',
      params: { name: 'test_trigger_tool_change', arguments: {}, _meta: meta }
    }
    assert.ok((await post(relay.url, call, modern)).last.result)
    assert.match(
      await streamed((text) => text.includes('list_changed')),
      /"io\.modelcontextprotocol\/subscriptionId":"sub"/
    )
    stream.body.on('error', () => undefined).destroy()
  })
})

it('several servers of one file are each served at a path of their own', async () => {
  const { mkdtemp, rm, writeFile } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-mcp-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const server = stack.use(await startFixtureHttp())
  const config = join(folder, 'mcp.json')
  const [program = '', ...args] = unruly
  const mcpServers = { pipes: { command: program, args, env: { GREETING: '${GREET}' } }, web: { url: server.url } }
  await writeFile(config, JSON.stringify({ mcpServers }))
  const env = { GREET: 'hello' }
  const relay = stack.use(await startTestRelay({ config, listen: '0' }, { env }))
  assert.deepEqual(
    relay.urls.map((url) => new URL(url).pathname),
    ['/pipes/mcp', '/web/mcp']
  )
  const pipes = await begin(relay.urls[0] ?? '')
  assert.ok((JSON.parse(await pipes.text('environment')) as string[]).includes('GREETING'))
  const web = await begin(relay.urls[1] ?? '')
  assert.ok((await web.call('test_simple_text')).last.result)
  const one = stack.use(await startTestRelay({ config, server: 'pipes' }, { env }))
  assert.ok((await one.client.shakeHands()).result)
})
