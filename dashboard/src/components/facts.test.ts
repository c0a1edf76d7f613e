import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factName, factValue } from './facts.ts'

test('a unit is shown with the value and not in the name', () => {
  const said = (name: string, value: unknown) => `${factName(name)}: ${factValue(name, value)}`
  assert.equal(said('scanMs', 0.88), 'Scan: 0.88 ms')
  assert.equal(said('requestBytes', 138), 'Request: 138 B')
  assert.equal(said('inputTokens', 12_345), 'Input tokens: 12,345')
  assert.equal(said('isConditional', true), 'Is conditional: yes')
  assert.equal(said('scopes', ['ingress:write', 'policy:read']), 'Scopes: ingress:write, policy:read')
  assert.equal(said('entityCounts', { iban: 2, ipv4: 1 }), 'Entity counts: iban 2, ipv4 1')
  assert.equal(said('ruleId', 'read_\u202eelif'), 'Rule ID: read_[U+202E]elif')
})

test('a point in time is formatted as a time and not as milliseconds', () => {
  const at = Date.UTC(2024, 1, 29, 12)
  assert.match(factValue('expiresAt', at), /2024/)
  assert.doesNotMatch(factValue('expiresAt', at), new RegExp(String(at)))
})
