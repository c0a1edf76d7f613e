import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { SessionStore } from './sessions.ts'

it('a session in use is not idle, however long ago its last request was', async () => {
  const ended: string[] = []
  const options = { sessionsMax: 9, idleMs: 1, isBusy: (name: string) => name === 'busy' }
  const sessions = new SessionStore<string>({ ...options, onEnd: (name) => ended.push(name) })
  sessions.set('1', 'busy')
  sessions.set('2', 'idle')
  await eventually('the end of the idle one', () => ended[0])
  assert.deepEqual([ended, sessions.size], [['idle'], 1])
  sessions.close()
  assert.deepEqual(ended, ['idle', 'busy'])
})

it('the session that was used longest ago makes room for another', () => {
  const ended: string[] = []
  const sessions = new SessionStore<string>({ sessionsMax: 2, idleMs: 60_000, onEnd: (name) => ended.push(name) })
  sessions.set('1', 'one')
  sessions.set('2', 'two')
  assert.equal(sessions.get('1'), 'one')
  sessions.set('3', 'three')
  assert.deepEqual(ended, ['two'])
  assert.equal(
    sessions.endOldest((name) => name !== 'one'),
    true
  )
  assert.deepEqual(ended, ['two', 'three'])
  sessions.close()
})
