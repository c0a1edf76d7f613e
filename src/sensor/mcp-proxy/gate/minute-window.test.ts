import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MinuteWindow } from './minute-window.ts'

const second = 1000

it('counts up to a limit, and says when the oldest is a minute ago', () => {
  const window = new MinuteWindow()
  assert.equal(window.take(5 * second, 2), 0)
  assert.equal(window.take(8 * second, 2), 0)
  assert.equal(window.take(20 * second, 2), 45 * second)
  assert.equal(window.waitMs(64 * second, 2), second)
  assert.equal(window.take(65 * second, 2), 0)
  assert.equal(window.take(65 * second, 2), 3 * second)
})

it('forgets everything in a minute without any', () => {
  for (const pause of [60, 61, 119, 1000]) {
    const window = new MinuteWindow()
    for (let at = 0; at < 60; at++) assert.equal(window.take(at * second, 60), 0)
    assert.ok(window.waitMs(59 * second, 60) > 0)
    assert.equal(window.waitMs((59 + pause) * second, 1), 0, String(pause))
  }
})

it('has no room at all if the limit is none', () => {
  assert.equal(new MinuteWindow().take(0, 0), 60 * second)
})
