import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callOf, errorOf, TestGate } from './gate.fixture.ts'

describe('headers of a request without a session', () => {
  const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }
  const message = callOf(1, 'read_file', {}, modern)
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'read_file' }
  const send = (more: Record<string, string | undefined>) => {
    const all: Record<string, string | undefined> = { ...headers, ...more }
    for (const [name, value] of Object.entries(all)) if (value === undefined) delete all[name]
    return new TestGate().session('http').client(message, all)
  }

  it('pass if they agree with the body, plain or encoded', async () => {
    assert.ok((await send({})).forward)
    assert.ok((await send({ 'mcp-name': `=?base64?${Buffer.from('read_file').toString('base64')}?=` })).forward)
  })

  for (const [what, more] of Object.entries({
    'another tool': { 'mcp-name': 'delete_file' },
    'another tool, encoded': { 'mcp-name': `=?base64?${Buffer.from('delete').toString('base64')}?=` },
    'the tool in an encoding that other readers refuse': { 'mcp-name': '=?base64?cmVhZF9maWxl\n?=' },
    'bytes that are no text': { 'mcp-name': '=?base64?/////w==?=' },
    'another method': { 'mcp-method': 'tools/list' },
    'a method in other letters': { 'mcp-method': 'Tools/Call' },
    'another version': { 'mcp-protocol-version': '2025-11-25' },
    'no tool': { 'mcp-name': undefined },
    'no method': { 'mcp-method': undefined },
    'no version': { 'mcp-protocol-version': undefined }
  }))
    it(`are refused with 400 and -32020: ${what}`, async () => {
      const step = await send(more)
      assert.deepEqual([step.status, errorOf(step)], [400, -32020])
    })

  it('are reported as a refused call only of a call', async () => {
    const decisionsOf = async (method: string): Promise<readonly string[]> => {
      const gate = new TestGate()
      const params = { name: 'read_file', arguments: {}, ...modern }
      const step = await gate
        .session('http')
        .client({ jsonrpc: '2.0', id: 1, method, params }, { ...headers, 'mcp-name': 'b' })
      assert.equal(step.status, 400)
      return gate.decisions
    }
    assert.deepEqual(await decisionsOf('tools/call'), ['block header_mismatch'])
    assert.deepEqual(await decisionsOf('prompts/get'), [])
  })

  it('are compared in older revisions too if they are sent, but not required', async () => {
    const old = callOf(1, 'read_file')
    assert.ok((await new TestGate().session('http').client(old, { 'mcp-protocol-version': '2025-11-25' })).forward)
    assert.equal(errorOf(await new TestGate().session('http').client(old, { 'mcp-name': 'delete' })), -32020)
  })
})

describe('headers that repeat arguments', () => {
  const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }
  const base = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'query' }
  const named = (type: string, header: string): object => ({ type, 'x-mcp-header': header })
  const inputSchema = {
    type: 'object',
    properties: {
      region: named('string', 'Region'),
      limit: named('integer', 'Limit'),
      dry: named('boolean', 'Dry'),
      where: { type: 'object', properties: { tenant: named('string', 'Tenant') } },
      rows: { type: 'array', items: { properties: { id: named('string', 'Row') } } },
      ratio: named('number', 'Ratio'),
      one: named('string', 'Twice'),
      two: named('string', 'TWICE')
    }
  }
  const call = async (args: object | string, headers: Record<string, string>, more: object = meta, all = base) => {
    const gate = new TestGate()
    const session = gate.session('http')
    await session.list([{ name: 'query', inputSchema }])
    const message = JSON.stringify(callOf('c', 'query', {}, more))
    const body = message.replace(
      '"arguments":{}',
      `"arguments":${typeof args === 'string' ? args : JSON.stringify(args)}`
    )
    return { step: await session.client(body, { ...all, ...headers }), gate }
  }

  const agreeing: readonly (readonly [object | string, Record<string, string>])[] = [
    [{}, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'München' }, { 'mcp-param-region': `=?base64?${Buffer.from('München').toString('base64')}?=` }],
    ['{"region":"e\\u0075"}', { 'mcp-param-region': 'eu' }],
    ['{"limit":42.0}', { 'mcp-param-limit': '42' }],
    [
      { limit: 42, dry: false },
      { 'mcp-param-limit': '42', 'mcp-param-dry': 'false' }
    ],
    [{ where: { tenant: 'a' } }, { 'mcp-param-tenant': 'a' }],
    [{ region: null }, {}],
    // A header for which the revision has no rule is not checked, and passes.
    [
      { rows: [{ id: 'a' }], ratio: 0.5, one: 'a', two: 'b' },
      { 'mcp-param-other': 'x', 'mcp-param-twice': 'c' }
    ]
  ]
  for (const [args, headers] of agreeing)
    it(`pass if they agree: ${JSON.stringify([args, headers])}`, async () => {
      assert.ok((await call(args, headers)).step.forward)
    })

  const differing: readonly (readonly [object | string, Record<string, string>])[] = [
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
    [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu, eu' }],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?ZXU?=' }],
    [{}, { 'mcp-param-region': 'us' }],
    [{ region: null }, { 'mcp-param-region': 'null' }],
    [{ region: ['eu'] }, { 'mcp-param-region': 'eu' }],
    [{ limit: 42 }, { 'mcp-param-limit': '0x2a' }],
    [{ limit: 42 }, { 'mcp-param-limit': '43' }],
    [{ dry: true }, { 'mcp-param-dry': 'True' }],
    [{ where: { tenant: 'a' }, tenant: 'b' }, { 'mcp-param-tenant': 'b' }]
  ]
  for (const [args, headers] of differing)
    it(`are refused with 400 and -32020 if they do not agree: ${JSON.stringify([args, headers])}`, async () => {
      const { step, gate } = await call(args, headers)
      assert.deepEqual([step.status, errorOf(step)], [400, -32020])
      assert.deepEqual(gate.decisions, ['block header_mismatch'])
    })

  it('are not checked in revisions with sessions', async () => {
    const old = { 'mcp-protocol-version': '2025-11-25' } as unknown as typeof base
    assert.ok((await call({ region: 'eu' }, {}, {}, old)).step.forward)
  })
})
