import assert from 'node:assert/strict'
import test from 'node:test'
import { unreadKind } from '../custom/added-kinds.ts'
import type { Finding } from '../findings.ts'
import { createScanner } from '../scanner.ts'
import { finish, Pace } from './pace.ts'
import { withUnread } from './unread.ts'

const finding = (start: number, end: number, more: Partial<Finding> = {}): Finding => ({
  kind: 'email_address',
  group: 'contact',
  tier: 'low',
  confidence: 'strong',
  start,
  end,
  ...more
})
const unread = (start: number, end: number): Finding => {
  const { id: kind, group, tier } = unreadKind
  return finding(start, end, { kind, group, tier })
}
const placesOf = (found: Finding[], stretches: Finding[]) =>
  finish(withUnread(found, stretches, new Pace())).map(({ kind, start, end }) => [
    kind === unreadKind.id ? 'unread' : 'found',
    start,
    end
  ])

test('of an unread stretch, what no finding covers is masked', () => {
  assert.deepEqual(placesOf([finding(0, 5), finding(12, 20), finding(28, 40)], [unread(10, 30)]), [
    ['found', 0, 5],
    ['unread', 10, 12],
    ['found', 12, 20],
    ['unread', 20, 28],
    ['found', 28, 40]
  ])
  assert.deepEqual(placesOf([finding(0, 50)], [unread(10, 30), unread(40, 60)]), [
    ['found', 0, 50],
    ['unread', 50, 60]
  ])
})

test('stretches that overlap are masked once, and a weak finding leaves no gap', () => {
  const weak = finding(35, 70, { confidence: 'weak' })
  assert.deepEqual(placesOf([weak, finding(80, 90)], [unread(10, 30), unread(20, 60)]), [
    ['unread', 10, 30],
    ['unread', 30, 60],
    ['found', 80, 90]
  ])
})

test('a secret in two layers is masked beside lines that cost more than is read', () => {
  const scanner = createScanner()
  const escaped = (text: string): string => Array.from(text, (one) => `%${one.charCodeAt(0).toString(16)}`).join('')
  const secret = escaped(escaped(`password=${['Lantern', '47', 'qx'].join('')}`))
  assert.deepEqual(
    scanner.scan(`a ${secret} b`).map(({ kind }) => kind),
    ['env_assignment_secret']
  )
  const lines = Array.from({ length: 3000 }, (_, i) => {
    const value = (i * 7919).toString(36).padStart(6, 'x')
    return `User Id=app;Password=${value};\\\\"<br>tax no&quot;":"cvv\u202e`
  }).join('')
  const text = `${lines} ${secret} b`
  const start = lines.length + 1
  let covered = start
  for (const one of scanner.scan(text)) {
    assert.ok(one.start >= 0 && one.end <= text.length)
    if (one.start <= covered && one.confidence !== 'weak') covered = Math.max(covered, one.end)
  }
  assert.ok(covered >= start + secret.length, `${covered - start} of ${secret.length} units are masked`)
})
