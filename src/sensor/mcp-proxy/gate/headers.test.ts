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

  it('agree with the body, plain or encoded', async () => {
    assert.ok((await send({})).forward)
    assert.ok((await send({ 'mcp-name': `=?base64?${Buffer.from('read_file').toString('base64')}?=` })).forward)
  })

  for (const [what, more] of Object.entries({
    'another tool': { 'mcp-name': 'delete_file' },
    'another tool, encoded': { 'mcp-name': `=?base64?${Buffer.from('delete').toString('base64')}?=` },
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

  it('are compared on older revisions too where they are sent, and not asked for', async () => {
    const old = callOf(1, 'read_file')
    assert.ok((await new TestGate().session('http').client(old, { 'mcp-protocol-version': '2025-11-25' })).forward)
    assert.equal(errorOf(await new TestGate().session('http').client(old, { 'mcp-name': 'delete' })), -32020)
  })
})
