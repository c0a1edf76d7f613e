import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Wait } from './wait.ts'

const long = 3_600_000

test('a wait can be cut short, but not twice in a moment and not if the service asked for it', async () => {
  const wait = new Wait()
  wait.cut()
  const first = wait.for(long, false)
  wait.cut()
  await first
  let hasEnded = false
  const second = wait.for(long, false).then(() => (hasEnded = true))
  wait.cut()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(hasEnded, false)
  wait.end()
  await second
  await wait.for(long, false)

  const patient = new Wait()
  const third = patient.for(long, true).then(() => (hasEnded = false))
  patient.cut()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(hasEnded, true)
  patient.end()
  await third
})
