import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLifecycle } from './lifecycle.ts'

test('a drain waits for work in progress', async () => {
  const lifecycle = createLifecycle()
  const work = Promise.withResolvers<string>()
  const tracked = lifecycle.track(work.promise)
  assert.equal(lifecycle.inFlight, 1)
  const drained = lifecycle.drain(60_000)
  assert.equal(lifecycle.isDraining, true)
  work.resolve('done')
  assert.equal(await tracked, 'done')
  assert.deepEqual(await drained, { left: 0 })
})

test('a drain gives up at its timeout and reports what is left', async () => {
  const lifecycle = createLifecycle()
  void lifecycle.track(new Promise(() => undefined))
  assert.deepEqual(await lifecycle.drain(10), { left: 1 })
})

test('failed work counts as finished', async () => {
  const lifecycle = createLifecycle()
  await assert.rejects(lifecycle.track(Promise.reject(new Error('x'))))
  assert.equal(lifecycle.inFlight, 0)
})
