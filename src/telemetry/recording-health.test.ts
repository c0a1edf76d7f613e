import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordingHealth } from './recording-health.ts'

function watch(): { health: RecordingHealth; told: string[] } {
  const told: string[] = []
  const health = new RecordingHealth({
    failed: (code, reason) => told.push(`${code}: ${reason}`),
    recovered: () => told.push('recovered')
  })
  return { health, told }
}

test('each reason of a failure is reported once, however often commits fail', () => {
  const { health, told } = watch()
  const reasons = ['stopping', 'stopping', 'no connection left', 'stopping', 'no connection left']
  for (const reason of reasons) health.failed('unavailable', reason)
  assert.deepEqual(told, ['unavailable: stopping', 'unavailable: no connection left'])
})

test('a reason is reported again after commits have worked', () => {
  const { health, told } = watch()
  health.failed('stalled')
  const since = health.failingSince
  assert.ok(since !== undefined)
  health.succeeded(0)
  assert.equal(health.failingSince, undefined)
  health.failed('stalled')
  assert.deepEqual(told, ['stalled: undefined', 'recovered', 'stalled: undefined'])
})
