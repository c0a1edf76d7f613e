import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { test } from 'node:test'
import { Attempt } from './attempt.ts'

const long = 3_600_000

test('a request ends with its caller or on silence, and leaves no listener with the caller', async () => {
  const caller = new AbortController()
  const stopped = new Attempt(caller.signal, long)
  const silent = new Attempt(caller.signal, 1)
  await once(silent.signal, 'abort')
  assert.equal(silent.isSilent, true)
  const fellSilent = new Attempt(caller.signal, long)
  fellSilent.heard(1)
  await once(fellSilent.signal, 'abort')
  assert.equal(stopped.signal.aborted, false)
  caller.abort()
  assert.deepEqual([stopped.signal.aborted, stopped.isSilent], [true, false])
  const late = new Attempt(caller.signal, long)
  assert.equal(late.signal.aborted, true)
  for (const attempt of [stopped, silent, fellSilent, late]) attempt.end()
  assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
})
