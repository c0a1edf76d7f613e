import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultWithin, within } from './within.ts'

const never = new Promise<never>(() => undefined)
const late = (): Error => new Error('late')

test('work that ends in time gives its result, and work that hangs is left alone', async () => {
  assert.equal(await within(10_000, Promise.resolve()), true)
  assert.equal(await within(1, never), false)
  assert.equal(await resultWithin(10_000, Promise.resolve(7), late), 7)
  await assert.rejects(resultWithin(1, never, late), /late/)
})

test('what the work throws in time is thrown, and what it throws later is nobody’s unhandled rejection', async () => {
  const failed = (): Promise<never> => Promise.reject(new Error('failed'))
  await assert.rejects(within(10_000, failed()), /failed/)
  await assert.rejects(resultWithin(10_000, failed(), late), /failed/)
  const { promise, reject } = Promise.withResolvers<void>()
  assert.equal(await within(1, promise), false)
  reject(new Error('too late to matter'))
  await new Promise((resolve) => setImmediate(resolve))
})

test('no timer outlives the work', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  await within(60_000, Promise.resolve())
  await assert.rejects(resultWithin(60_000, Promise.reject(new Error('failed')), late))
  assert.equal(timers(), before)
})
