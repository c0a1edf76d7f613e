import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorFrames, errorName } from './error-frames.ts'

const planted = 'what a client sent'

test('returns places in the code, and no line of the message', () => {
  class OddError extends Error {
    override readonly name = 'OddError'
  }
  for (const error of [
    new Error(`a\n    at ${planted} (x.ts:1:1)\nb`),
    new TypeError(planted),
    new OddError(`\n    at ${planted}`),
    new Error('')
  ]) {
    const frames = errorFrames(error)
    assert.ok(frames.length > 0 && frames.every((line) => line.startsWith('    at ')), error.name)
    assert.match(frames[0] ?? '', /error-frames\.test\.ts/)
    assert.ok(!frames.join('\n').includes(planted))
    assert.equal(errorFrames(error, 1).length, 1)
  }
})

test('what else was added to a stack is not returned', () => {
  const error = new Error('x')
  error.stack += `\n${planted}\n  ${planted}`
  const frames = errorFrames(error)
  assert.ok(frames.length > 0)
  assert.ok(!frames.join('\n').includes(planted))
})

test('a message that was changed after the stack was formatted leaves no frames', () => {
  for (const message of ['', 'other']) {
    const error = new Error(`x\n    at ${planted}`)
    assert.ok(error.stack?.includes(planted))
    error.message = message
    assert.deepEqual(errorFrames(error), [])
  }
})

test('a thrown value that is not an error has the name of its type', () => {
  assert.deepEqual(
    [errorName(planted), errorName(undefined), errorName(new RangeError('x'))],
    ['string', 'undefined', 'RangeError']
  )
  const named = new Error('x')
  named.name = planted
  assert.equal(errorName(named), 'Error')
  assert.deepEqual(errorFrames(planted), [])
})
