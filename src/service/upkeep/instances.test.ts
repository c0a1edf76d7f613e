import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditHead } from '../../store/store.ts'
import { instancesIn } from './instances.ts'
import { minuteMs } from '../../timing/spans.ts'

const now = Date.UTC(2026, 0, 5, 12)
const head = (writerId: string, more: Partial<AuditHead> = {}): AuditHead => ({
  ...{ writerId, rows: 1, hash: 'h', startedAt: now - 9 * minuteMs, lastAt: now, closedAt: null, isLost: false },
  ...more
})
const time = (ms: number): string => new Date(ms).toISOString()

describe('the instances that health shows', () => {
  it('are those that write, including this one even if its own heartbeat is late', () => {
    const late = { lastAt: now - 10 * minuteMs }
    const found = instancesIn([head('own', late), head('other')], { writerId: 'own', sealedAt: 0, now })
    assert.deepEqual(
      found.map(({ writerId, isThis, state }) => [writerId, isThis, state]),
      [
        ['own', true, 'open'],
        ['other', false, 'open']
      ]
    )
  })

  it('tell one that was killed from one that stopped, and say what is left to do', () => {
    const killed = head('killed', { lastAt: now - 2 * minuteMs })
    const lostAt = now + minuteMs
    const asked = { writerId: 'own', sealedAt: now, now }
    const ended = head('ended', { closedAt: now - minuteMs })
    assert.partialDeepStrictEqual(instancesIn([killed, ended], asked), [
      { writerId: 'killed', state: 'silent', lostAt: time(lostAt), isSealed: null }
    ])
    const lost = { ...killed, closedAt: lostAt, isLost: true }
    const later = (ms: number, sealedAt: number) =>
      instancesIn([lost], { writerId: 'own', sealedAt, now: lostAt + ms }).map(({ state, isSealed }) => [
        state,
        isSealed
      ])
    assert.deepEqual(later(0, lostAt - 1), [['lost', false]])
    assert.deepEqual(later(minuteMs, lostAt), [['lost', true]])
    // Old news is only in the audit trail.
    assert.deepEqual(later(24 * 60 * minuteMs + 1, lostAt), [])
  })
})
