import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lintPolicy } from '../../../../src/policy/lint/lint.ts'
import { standardPolicy } from '../../../../src/policy/revision.ts'
import { withPin } from './pins.ts'

const digest = (letter: string): string => letter.repeat(64)
const drift = (reasonCode: string, letter: string | null) => ({ reasonCode, after: letter && digest(letter) })

test("an approved definition becomes the tool's only pin, and pins take effect", () => {
  const first = withPin(standardPolicy, 'files', 'read', [drift('description_changed', 'a')])
  const other = withPin(first, 'files', 'write', [
    drift('input_schema_changed', 'b'),
    drift('annotations_changed', 'd')
  ])
  const again = withPin(other, 'files', 'read', [drift('input_schema_changed', 'c')])
  const { mode, tools } = again.mcpToolPolicy['pins'] as { mode: string; tools: unknown[] }
  assert.equal(mode, 'first-use')
  assert.deepEqual(tools, [
    { server: 'files', tool: 'write', inputSchema: digest('b'), annotations: digest('d') },
    { server: 'files', tool: 'read', description: digest('a'), inputSchema: digest('c') }
  ])
})

test('a component that no longer exists leaves the pin', () => {
  const before = withPin(standardPolicy, 'files', 'read', [
    drift('description_changed', 'a'),
    drift('annotations_changed', 'b')
  ])
  const after = withPin(before, 'files', 'read', [drift('annotations_changed', null), drift('tool_added', 'e')])
  const { tools } = after.mcpToolPolicy['pins'] as { tools: unknown[] }
  assert.deepEqual(tools, [{ server: 'files', tool: 'read', description: digest('a') }])
})

test('a chosen mode is kept, and the result can be published', () => {
  const servers = [{ id: 'files', url: 'https://files.corp.example/mcp' }]
  const strict = {
    ...standardPolicy,
    mcpToolPolicy: { ...standardPolicy.mcpToolPolicy, servers, pins: { mode: 'strict' } }
  }
  const pinned = withPin(strict, 'files', 'read', [drift('description_changed', 'a')])
  assert.equal((pinned.mcpToolPolicy['pins'] as { mode: string }).mode, 'strict')
  assert.deepEqual(
    lintPolicy(pinned, { now: 0 }).findings.filter(({ severity }) => severity === 'error'),
    []
  )
})
