import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Plan } from './plan.ts'
import { subscriberDefaults } from './subscriber-options.ts'

const full = (): number => 1
const silent = { kind: 'silent', messages: 0 } as const

test('failures back off up to the maximum, and a stream that worked resets the backoff', () => {
  const plan = new Plan(subscriberDefaults, full)
  const waits = Array.from({ length: 7 }, () => plan.afterStream({ kind: 'unreachable' }, 0, true).waitMs)
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  plan.retryMs = 3000
  assert.deepEqual(plan.afterStream({ kind: 'ended' }, 0, true), {
    waitMs: 4500,
    problem: undefined,
    isPatient: true
  })
  assert.equal(plan.afterStream({ kind: 'unreachable' }, 0, true).waitMs, 1000)
})

test('two consecutive silent attempts lead to polling; without a policy one is enough', () => {
  const plan = new Plan(subscriberDefaults, full)
  assert.equal(plan.afterStream(silent, 0, true).problem, 'silent')
  assert.equal(plan.transport, 'stream')
  plan.afterStream({ kind: 'silent', messages: 1 }, 0, true)
  assert.equal(plan.transport, 'poll')
  const alone = new Plan(subscriberDefaults, full)
  assert.deepEqual(alone.afterStream(silent, 0, false), { waitMs: 0, problem: undefined, isPatient: false })
  assert.equal(alone.transport, 'poll')
})

test('a stream that was alive before it fell silent is evidence against a buffering proxy', () => {
  const plan = new Plan(subscriberDefaults, full)
  for (const messages of [0, 2, 0, 9, 1]) plan.afterStream({ kind: 'silent', messages }, 0, true)
  assert.equal(plan.transport, 'stream')
})

test('while polling, the stream is retried at intervals, and one silent attempt is enough to continue polling', () => {
  const plan = new Plan(subscriberDefaults, full)
  plan.afterStream({ kind: 'not_a_stream' }, 0, true)
  assert.equal(plan.afterPoll({ kind: 'unchanged' }, 1000).waitMs, 18_750)
  assert.equal(plan.transport, 'poll')
  plan.afterPoll({ kind: 'unchanged' }, 375_000)
  assert.equal(plan.transport, 'stream')
  plan.afterStream(silent, 385_000, true)
  assert.equal(plan.transport, 'poll')
})

test('if polling cannot reach the service either, the stream is tried first once it is reachable again', () => {
  const plan = new Plan(subscriberDefaults, full)
  plan.afterStream({ kind: 'not_a_stream' }, 0, true)
  assert.equal(plan.afterPoll({ kind: 'unreachable' }, 0).problem, 'unreachable')
  assert.equal(plan.transport, 'stream')
})

test('the service is asked again when it says, and slowly after a refusal', () => {
  const plan = new Plan(subscriberDefaults, full)
  const refused = (status: number, retryAfterMs?: number) =>
    plan.afterStream({ kind: 'refused', status, retryAfterMs }, 0, true)
  assert.deepEqual(refused(503, 7000), { waitMs: 8000, problem: 'unavailable', isPatient: true })
  assert.deepEqual(refused(500), { waitMs: 2000, problem: 'unavailable', isPatient: false })
  assert.deepEqual(refused(429, 1000), { waitMs: 5000, problem: 'unavailable', isPatient: true })
  assert.deepEqual(refused(401), { waitMs: 90_000, problem: 'unauthorized', isPatient: true })
  assert.deepEqual(refused(403), { waitMs: 90_000, problem: 'forbidden', isPatient: true })
  assert.deepEqual(refused(302), { waitMs: 90_000, problem: 'not_found', isPatient: true })
})
