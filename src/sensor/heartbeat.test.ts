import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { Heartbeat } from './heartbeat.ts'

const soonMs = 1000

/** A heartbeat whose requests are answered when told. */
function startHeartbeat() {
  const open: ((error: Error) => void)[] = []
  let sent = 0
  const request = (): Promise<never> => {
    sent++
    return new Promise((_, reject) => open.push(reject))
  }
  const heartbeat = new Heartbeat({
    target: 'http://127.0.0.1:9',
    token: 'token',
    dispatcher: { request } as unknown as Dispatcher,
    stamp: {},
    facts: () => ({}),
    timings: { intervalMs: 1_000_000, soonMs }
  })
  const end = async (): Promise<void> => {
    for (const reject of open.splice(0)) reject(new Error('gone'))
    await turn()
  }
  return { heartbeat, sent: () => sent, end }
}

it('several changes share one heartbeat, which they do not put off', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] })
  const { heartbeat, sent, end } = startHeartbeat()
  for (let changes = 0; changes < 9; changes++) {
    test.mock.timers.tick(soonMs / 10)
    heartbeat.soon()
  }
  assert.equal(sent(), 0)
  test.mock.timers.tick(soonMs / 10)
  await turn()
  assert.equal(sent(), 1)
  await end()
  await heartbeat.close()
})

it('a heartbeat waits for the one before it, which may report an older state', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] })
  const { heartbeat, sent, end } = startHeartbeat()
  test.mock.timers.tick(soonMs)
  await turn()
  heartbeat.soon()
  test.mock.timers.tick(soonMs)
  await turn()
  assert.equal(sent(), 1)
  await end()
  test.mock.timers.tick(soonMs)
  await turn()
  assert.equal(sent(), 2)
  await end()
  await heartbeat.close()
})
