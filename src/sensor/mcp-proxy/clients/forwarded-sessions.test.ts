import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ForwardedSessions } from './forwarded-sessions.ts'

test('ids that clients make up push out no session that the server began', (t) => {
  const ended: string[] = []
  const sessions = new ForwardedSessions<string>((session) => void ended.push(session))
  t.after(() => sessions.close())
  sessions.begin('begun', 'of the server')
  sessions.name('restarted', 'of an earlier run')
  for (let n = 0; n < 20_000; n++) sessions.name(`made-up-${n}`, 'made up')
  assert.equal(sessions.get('begun'), 'of the server')
  assert.equal(sessions.get('restarted'), undefined)
  assert.equal(ended.filter((one) => one === 'made up').length, 19_000)
  assert.equal(ended[0], 'of an earlier run')
  sessions.end('begun')
  assert.equal(sessions.get('begun'), undefined)
})
