import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPlanter } from '../../../../test/support/planted.ts'
import { bytesOf, callOf, refusalOf, TestGate, valueOf } from './gate.fixture.ts'

const email = createPlanter(8)('email')
const within = [{ argument: '/path', pathWithin: '/srv/app' }]

describe('a call', () => {
  it('that is allowed and holds nothing passes as the very same bytes, and is one event together with its answer', async () => {
    const gate = new TestGate()
    const { session } = gate.session()
    const message = bytesOf(
      '{ "jsonrpc":"2.0","method":"tools/call","id":7,"params":{"arguments":{"n":1e400,"\\u0061":[]},"name":"read" } }'
    )
    assert.equal((await session.fromClient(message)).forward, message)
    assert.equal(gate.events.length, 0)
    gate.now += 250
    const answer = bytesOf('{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"fine"}]}}')
    assert.equal((await session.fromServer(answer)).forward, answer)
    const [event] = gate.events
    assert.deepEqual(gate.decisions, ['allow default'])
    assert.deepEqual([event?.mcpToolName, event?.durationMs, event?.entitiesMasked], ['read', 250, 0])
  })

  it('is judged by the path that it means, however it is written', async () => {
    const gate = new TestGate({
      defaultEffect: 'deny',
      rules: [{ id: 'app', effect: 'allow', tool: 'read', when: within }]
    })
    const session = gate.session()
    for (const path of ['/srv/app/a', '/srv/app/./b/../a', '/srv/app'])
      assert.ok((await session.call('read', { path })).forward, path)
    const outside: unknown[] = [
      '/srv/app/../secret',
      '/srv/app/%2e%2e/secret',
      '/srv/app/%252e%252e/secret',
      '/srv/app/..%2fsecret',
      '..\\..\\etc',
      'a/../../etc',
      '/etc/passwd',
      'file:///etc/passwd',
      '/srv/application',
      '~/x',
      ['/srv/app/a', '/etc/passwd'],
      { toString: '/srv/app' },
      null
    ]
    for (const path of outside)
      assert.equal(refusalOf(await session.call('read', { path })).code, 'default', JSON.stringify(path))
    assert.equal(refusalOf(await session.call('read')).code, 'default')
  })

  it('is not allowed because of an argument that a parser may confuse with another', async () => {
    const gate = new TestGate({ defaultEffect: 'deny', rules: [{ id: 'app', effect: 'allow', when: within }] })
    const session = gate.session()
    assert.equal(
      refusalOf(await session.call('read', { path: '/srv/app/a', Path: '/etc/passwd' })).code,
      'ambiguous_arguments'
    )
    const inherited =
      '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"read","arguments":{"__proto__":{"path":"/srv/app/a"}}}}'
    assert.equal(refusalOf(await session.client(inherited)).code, 'default')
  })

  it('is judged by what rules say about look-alikes', async () => {
    const gate = new TestGate({ rules: [{ id: 'no-delete', effect: 'deny', tool: 'delete_*' }] })
    for (const tool of ['Delete_file', 'dеlete_file', 'files/delete_file', 'delete%5ffile'])
      assert.equal(refusalOf(await gate.session().call(tool)).code, 'look_alike', tool)
    assert.ok((await gate.session().call('undelete_file')).forward)
  })

  it('is judged by how the server is reached, whatever the server calls itself', async () => {
    const rules = [{ id: 'trusted', effect: 'allow', server: 'files' }]
    const known = new TestGate({ defaultEffect: 'deny', rules })
    assert.ok((await known.session().call('read')).forward)
    const other = new TestGate(
      { defaultEffect: 'deny', rules },
      {},
      { identity: { name: 'files', url: 'https://mcp.quillmark-labs.com/files' } }
    )
    const session = other.session()
    await session.client({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: { capabilities: {} } })
    await session.server({ jsonrpc: '2.0', id: 'i', result: { serverInfo: { name: 'files' } } })
    assert.equal(refusalOf(await session.call('read')).code, 'default')
    assert.equal(other.events.at(-1)?.mcpServer, 'unknown')
  })

  it('to an unlisted server is denied if the policy says so', async () => {
    const gate = new TestGate({ unknownServer: 'deny' }, {}, { identity: { url: 'https://x.quillmark-labs.com' } })
    const { code, text } = refusalOf(await gate.session().call('read'))
    assert.equal(code, 'unknown_server')
    assert.match(text, /The server is not listed in the policy\./)
  })

  it('passes in mode observe, and the decision is reported', async () => {
    const gate = new TestGate({
      mode: 'observe',
      defaultEffect: 'deny',
      limits: { argumentBytesMax: 1, callsPerMinuteMax: 1 }
    })
    const session = gate.session()
    for (let id = 1; id <= 2; id++) {
      assert.ok((await session.call('read', { a: 'long enough' })).forward)
      await session.server({ jsonrpc: '2.0', id, result: { content: [] } })
    }
    assert.deepEqual(gate.decisions, ['allow default_observed', 'allow default_observed'])
    assert.equal((await session.list([{ name: 'read' }]))['error'], undefined)
  })

  it('is restricted as configured if the policy could not be refreshed', async () => {
    const gate = new TestGate({ stale: { afterSeconds: 60, effect: 'deny' } })
    gate.age = { isFresh: false, ageMs: 59_000 }
    assert.ok((await gate.session().call('read')).forward)
    gate.age = { isFresh: false, ageMs: 61_000 }
    assert.equal(refusalOf(await gate.session().call('read')).code, 'stale_policy')
  })

  it('is reported once if its answer takes long, and again only for what was masked in the answer', async () => {
    const gate = new TestGate()
    const session = gate.session()
    await session.call('read')
    const [call] = gate.context.openCalls
    gate.context.report(call?.tell(gate.now, undefined) ?? assert.fail())
    await session.server({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: email.sentence }] } })
    assert.deepEqual(
      gate.events.map(({ kind, action }) => [kind, action]),
      [
        ['tool_call_enforcement', 'allow'],
        ['tool_answer_masked', 'mask']
      ]
    )
    await session.call('read')
    session.session.close()
    assert.deepEqual(gate.decisions, ['allow default', 'allow default'])
  })

  it('that is answered twice, on a resumed stream, is masked twice and reported once', async () => {
    const gate = new TestGate()
    const session = gate.session()
    await session.call('read', { to: email.value })
    const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: email.sentence }] } }
    const [once, again] = [await session.server(answer), await session.server(answer)]
    assert.deepEqual(valueOf(again.forward), valueOf(once.forward))
    assert.deepEqual(
      gate.events.map(({ kind, entitiesMasked }) => [kind, entitiesMasked]),
      [['tool_call_enforcement', 2]]
    )
  })

  it('is recorded even if its client uses a name that events cannot hold', async () => {
    const gate = new TestGate({ defaultEffect: 'deny' })
    const name = `x${'\u0007'}\ud800${'y'.repeat(900)}`
    await gate.session('http').client(callOf(1, name), { 'x-service-client-surface': 's'.repeat(5000) })
    assert.deepEqual([gate.events[0]?.mcpToolName?.length, gate.events[0]?.clientSurface], [128, 'unknown'])
  })

  it('carries its trace and its request ID into the event', async () => {
    const gate = new TestGate({ defaultEffect: 'deny' })
    const requestId = '01890a5d-ac96-774b-bcce-b302099a8057'
    const message = callOf(1, 'read', {}, { _meta: { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` } })
    await gate.session('http').client(message, { 'x-request-id': requestId, 'x-service-client-surface': 'cursor' })
    assert.equal(gate.events[0]?.requestId, requestId)
    assert.equal(gate.events[0]?.traceId, 'ab'.repeat(16))
    assert.equal(gate.events[0]?.clientSurface, 'cursor')
  })
})

describe('limits', () => {
  it('apply to the size of arguments and results', async () => {
    const gate = new TestGate({ limits: { argumentBytesMax: 20, resultBytesMax: 60 } })
    const session = gate.session()
    assert.ok((await session.call('read', { a: 'x'.repeat(12) })).forward)
    assert.equal(refusalOf(await session.call('read', { a: 'x'.repeat(13) })).code, 'arguments_too_large')
    const answer = await session.server({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'x'.repeat(40) }] }
    })
    assert.equal(refusalOf({ reply: answer.forward as Uint8Array }).code, 'result_too_large')
    assert.deepEqual(gate.decisions, ['block arguments_too_large', 'block result_too_large'])
  })

  it('apply to calls per minute to one server, across all its sessions', async () => {
    const gate = new TestGate({ limits: { callsPerMinuteMax: 3 }, rules: [{ id: 'no', effect: 'deny', tool: 'no' }] })
    for (let i = 0; i < 3; i++) {
      assert.ok((await gate.session().call('read')).forward)
      refusalOf(await gate.session().call('no'))
      gate.now += 10_000
    }
    const { code, meta } = refusalOf(await gate.session().call('read'))
    assert.deepEqual([code, meta['retryable'], meta['retryAfterMs']], ['too_many_calls', true, 30_000])
    gate.now += 30_000
    assert.ok((await gate.session().call('read')).forward)
    assert.equal(refusalOf(await gate.session().call('read')).code, 'too_many_calls')
  })
})

describe('the limit of one tool', () => {
  it("applies to that tool only, and its calls count towards the server's limit too", async () => {
    const gate = new TestGate({ limits: { toolCallsPerMinuteMax: 2, callsPerMinuteMax: 3 } })
    const codeOf = async (tool: string): Promise<string> => {
      const step = await gate.session().call(tool)
      return step.forward === undefined ? refusalOf(step).text.replace(/^.*allows (.*)\. Try.*$/, '$1') : 'passed'
    }
    const said = []
    for (const tool of ['read', 'read', 'read', 'write', 'write']) said.push(await codeOf(tool))
    const [ofTool, ofServer] = ['2 calls per minute of one tool', '3 calls per minute to one server']
    assert.deepEqual(said, ['passed', 'passed', ofTool, 'passed', ofServer])
  })
})

it('an answer says whether the server failed at the call, in a word of the conventions and never in one of its own', async () => {
  const gate = new TestGate()
  const session = gate.session()
  const answers = [
    { result: { content: [] } },
    { result: { content: [], isError: true } },
    { result: { content: [], isError: 'yes' } },
    { error: { code: -32_602, message: 'unknown tool' } },
    { error: { code: 'a word of the server', message: 'unknown tool' } },
    { error: 'a word of the server' }
  ]
  for (const [at, answer] of answers.entries()) {
    await session.call('read')
    await session.server({ jsonrpc: '2.0', id: at + 1, ...answer })
  }
  assert.deepEqual(gate.failures, [undefined, 'tool_error', undefined, '-32602', 'error', 'error'])
})
