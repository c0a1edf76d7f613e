/** Stdio clients with HTTP servers, for both revisions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { startFixtureHttp } from '../support/mcp/fixture-http.ts'
import { initialize, meta } from '../support/mcp/handshakes.ts'
import { startTestRelay } from '../support/mcp/start-relay.ts'

describe('from stdio to HTTP, the bridge', () => {
  it('keeps the session, its version and its stream, and ends it', async () => {
    await using server = await startFixtureHttp()
    {
      await using relay = await startTestRelay({ url: server.url })
      const { client } = relay
      await client.shakeHands()
      assert.equal(await client.call('echo', { text: 'grüße' }), 'grüße')
      await eventually('the stream', () => server.seen.find(({ method }) => method === 'GET'))
      const { headers } = server.seen.find(({ body }) => body.includes('tools/call')) ?? {}
      assert.match(String(headers?.['mcp-session-id']), /^[0-9a-f-]{36}$/)
      assert.equal(headers?.['mcp-protocol-version'], '2025-11-25')
      await client.call('test_tool_with_logging')
      assert.equal(client.lines.filter((line) => line.includes('notifications/message')).length, 3)
    }
    await eventually('the end of the session', () => (server.seen.at(-1)?.method === 'DELETE' ? true : undefined))
  })

  it('resumes a stream that broke off before its response', async () => {
    await using server = await startFixtureHttp({ retryMs: 50 })
    await using relay = await startTestRelay({ url: server.url })
    await relay.client.shakeHands()
    assert.equal(await relay.client.call('test_reconnection'), 'The stream was resumed.')
    assert.ok(server.seen.some(({ headers }) => headers['last-event-id'] !== undefined))
  })

  it('starts a new session when the server has forgotten the old one', async () => {
    await using server = await startFixtureHttp()
    await using relay = await startTestRelay({ url: server.url })
    await relay.client.shakeHands()
    server.forget()
    const answers = await Promise.all(['a', 'b'].map((text) => relay.client.call('echo', { text })))
    assert.deepEqual(answers, ['a', 'b'])
    assert.equal(relay.client.lines.filter((line) => line.includes('serverInfo')).length, 1)
  })

  it('delivers a request of the server and its response while a call is open', async () => {
    await using server = await startFixtureHttp()
    await using relay = await startTestRelay({ url: server.url })
    const { client } = relay
    await client.ask('initialize', { ...initialize.params, capabilities: { elicitation: {} } })
    client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    const called = client.call('test_elicitation', { message: 'Really?' })
    const question = await client.line(({ method }) => method === 'elicitation/create')
    const answer = { jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { response: 'yes' } } }
    client.write(`${JSON.stringify(answer)}\n`)
    assert.match(await called, /"response":"yes"/)
  })

  it('adds the headers of 2026-07-28, including those for tool parameters, and cancels by disconnecting', async () => {
    await using server = await startFixtureHttp()
    await using relay = await startTestRelay({ url: server.url })
    const { client } = relay
    assert.ok((await client.ask('server/discover', { _meta: meta })).result)
    assert.ok((await client.ask('tools/list', { _meta: meta })).result)
    const args = { region: 'über', level: 2 }
    const { result } = await client.ask('tools/call', { name: 'test_x_mcp_header', arguments: args, _meta: meta })
    assert.equal(result?.content?.[0]?.text, 'region=über')
    const { headers } = server.seen.at(-1) ?? {}
    assert.equal(headers?.['mcp-method'], 'tools/call')
    assert.equal(headers?.['mcp-name'], 'test_x_mcp_header')
    assert.equal(headers?.['mcp-param-region'], '=?base64?w7xiZXI=?=')
    assert.equal(headers?.['mcp-session-id'], undefined)
    const listen = {
      jsonrpc: '2.0',
      id: 77,
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: {} }
    }
    client.write(`${JSON.stringify(listen)}\n`)
    await client.line(({ method }) => method === 'notifications/subscriptions/acknowledged')
    const before = server.seen.length
    client.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}\n')
    assert.ok((await client.ask('tools/list', { _meta: meta })).result)
    assert.equal(server.seen.length, before + 1)
  })

  it('explains a server that is down or whose responses are no MCP', async () => {
    await using nobody = await startTestRelay({ url: 'http://127.0.0.1:1/mcp' })
    assert.match((await nobody.client.shakeHands()).error?.message ?? '', /cannot be reached: no connection/)
    await using server = await startFixtureHttp()
    await using lost = await startTestRelay({
      url: server.url.replace('/mcp', '/mcp'),
      headers: ['Mcp-Session-Id: wrong']
    })
    assert.match((await lost.client.shakeHands()).error?.message ?? '', /Session not found/)
  })
})
