import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MinuteWindow } from './minute-window.ts'
import { PinStore } from './pin-store.ts'
import { ServerState } from './server-state.ts'

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

it('is one for all tools beyond those that a server can have windows for', () => {
  const options = { dir: undefined, token: 'a token', onWarning: () => undefined }
  const server = new ServerState({ command: ['server'] }, (key) => new PinStore(key, options))
  const take = (tool: string) => server.takeCall(tool, 0, { toolCallsPerMinuteMax: 1 })?.of
  for (let tool = 0; tool < 2000; tool++) assert.equal(take(`tool ${tool}`), undefined)
  assert.deepEqual(['one', 'other', 'tool 7'].map(take), [undefined, 'tool', 'tool'])
})
