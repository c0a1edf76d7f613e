import assert from 'node:assert/strict'
import test from 'node:test'
import type { Finding } from '../findings.ts'
import { resolveOverlaps } from './overlap.ts'

const finding = (start: number, end: number, more: Partial<Finding> = {}): Finding => ({
  kind: 'email_address',
  group: 'contact',
  tier: 'low',
  confidence: 'strong',
  start,
  end,
  ...more
})

test('a specific secret wins over a generic one that covers more of the text', () => {
  const generic = finding(0, 40, { kind: 'env_assignment_secret', group: 'secret', tier: 'medium' })
  const specific = finding(4, 30, { kind: 'aws_access_key_id', group: 'secret', tier: 'high' })
  assert.deepEqual(resolveOverlaps([generic, specific]), [specific])
})

test('a weak finding yields to a shorter sure one', () => {
  const sure = finding(10, 14)
  assert.deepEqual(resolveOverlaps([finding(8, 30, { confidence: 'weak' }), sure]), [sure])
})

test('more findings may overlap than a call can have arguments', () => {
  const chain = Array.from({ length: 300_000 }, (_, index) => finding(index * 2, index * 2 + 3))
  const settled = resolveOverlaps(chain)
  assert.equal(settled.length, chain.length / 2)
  assert.ok(settled.every(({ start }, index) => start === index * 4))
})

test('a finding in a sentence yields to the assignment of the same value, whichever came first', () => {
  const field = finding(4, 16, { kind: 'json_yaml_secret_field', group: 'secret' })
  const prose = finding(4, 16, { kind: 'password_in_prose', group: 'secret' })
  assert.deepEqual(resolveOverlaps([field, prose]), [field])
  assert.deepEqual(resolveOverlaps([prose, field]), [field])
})
