import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTally } from './tally.ts'

const found = (kind: string) => ({ kind, group: 'secret', tier: 'high', confidence: 'certain' }) as const

test('a reason is named once, however many findings of its kind are at its place', () => {
  const tally = createTally()
  const add = (kind: string, place: string): void => tally.add(found(kind), 'block', () => place)
  for (const [kind, place] of [
    ['db_password', 'messages[7]'],
    ['db_password', 'messages[7]'],
    ['aws_access_key_id', 'messages[7]'],
    ['db_password', 'messages[9]'],
    ['jwt', 'messages[9]']
  ] as const)
    add(kind, place)
  assert.deepEqual(tally.reasons, [
    { kind: 'db_password', place: 'messages[7]' },
    { kind: 'aws_access_key_id', place: 'messages[7]' },
    { kind: 'db_password', place: 'messages[9]' }
  ])
  assert.equal(tally.reasonsLeftOut, 1)
  assert.deepEqual(tally.entityCounts, { db_password: 3, aws_access_key_id: 1, jwt: 1 })
})

test('places beyond the named reasons are not even computed', () => {
  const tally = createTally()
  let asked = 0
  for (let i = 0; i < 1000; i++) {
    tally.add(found('jwt'), 'block', () => {
      asked++
      return `messages[${i}]`
    })
  }
  assert.equal(asked, 3)
  assert.equal(tally.reasonsLeftOut, 997)
})

test('the risk of a call is the highest tier of what is not weak, whatever becomes of it', () => {
  const tally = createTally()
  const add = (tier: 'low' | 'medium' | 'high', confidence: 'weak' | 'medium'): void =>
    tally.add({ kind: 'jwt', group: 'secret', tier, confidence }, 'allow', () => '')
  add('high', 'weak')
  assert.equal(tally.riskTier, 'none')
  add('medium', 'medium')
  add('low', 'medium')
  assert.equal(tally.riskTier, 'medium')
  assert.equal(tally.found, 3)
})
