import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merge } from './merge.ts'

const base = {
  mode: 'enforce',
  allow: { emailDomains: ['corp.example'] },
  rules: [
    { id: 'read', effect: 'allow', when: [{ argument: '/a' }] },
    { id: 'delete', effect: 'deny' }
  ]
}

test('changes of different settings and entries are merged, whatever their order', () => {
  const mine = { ...base, mode: 'observe', rules: [base.rules[1], { id: 'mine', effect: 'ask' }] }
  const theirs = {
    ...base,
    allow: { emailDomains: ['corp.example', 'other.example'] },
    rules: [{ id: 'theirs', effect: 'ask' }, base.rules[0], { id: 'delete', effect: 'ask' }]
  }
  const { value, clashes } = merge(base, mine, theirs)
  assert.deepEqual(clashes, [])
  assert.deepEqual(value, {
    mode: 'observe',
    allow: { emailDomains: ['corp.example', 'other.example'] },
    rules: [
      { id: 'theirs', effect: 'ask' },
      { id: 'delete', effect: 'ask' },
      { id: 'mine', effect: 'ask' }
    ]
  })
})

test('a setting that both changed differently is named, and the own change is kept', () => {
  const mine = { ...base, mode: 'observe', rules: [{ ...base.rules[0], effect: 'ask' }, base.rules[1]] }
  const theirs = { ...base, mode: 'off', rules: [{ ...base.rules[0], effect: 'deny' }, base.rules[1]] }
  const { value, clashes } = merge(base, mine, theirs)
  assert.deepEqual(clashes, ['/mode', '/rules/0/effect'])
  assert.deepEqual(value, mine)
})

test('an entry that one removed and the other changed is a conflict, and never merged in part', () => {
  const mine = { ...base, rules: [base.rules[0]] }
  const theirs = { ...base, rules: [base.rules[0], { id: 'delete', effect: 'ask' }] }
  const { value, clashes } = merge(base, mine, theirs)
  assert.deepEqual(clashes, ['/rules/1'])
  assert.deepEqual(value, mine)
})

test('lists whose order matters are not merged', () => {
  const mine = { ...base, rules: [{ ...base.rules[0], when: [{ argument: '/b' }] }, base.rules[1]] }
  const theirs = { ...base, rules: [{ ...base.rules[0], when: [{ argument: '/c' }] }, base.rules[1]] }
  assert.deepEqual(merge(base, mine, theirs).clashes, ['/rules/0/when'])
})
