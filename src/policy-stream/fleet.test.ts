/**
 * Several instances on one store and a fleet behind a bad network: all end on the newest policy, and none goes back.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../test/support/random.ts'
import { startTcpRelay } from '../../test/support/tcp-relay.ts'
import { sequenceOf } from '../policy/revision.ts'
import { frameOf, startHub } from './hub.fixture.ts'
import { watch } from './subscriber.fixture.ts'

const instances = 3
const sensors = 9
const steps = 80
const timings = {
  firstByteMs: 150,
  watchdogMs: 300,
  backoffMaxMs: 100,
  pollMs: 50,
  pollTimeoutMs: 150,
  streamRetryMs: 100
}

test('random faults leave every sensor on the newest policy, reached through rising sequences only', async () => {
  const random = createRandom(5)
  await using stack = new AsyncDisposableStack()
  let row = frameOf(1)
  const hubs = await Promise.all(
    Array.from({ length: instances }, () =>
      startHub(() => Promise.resolve(row), { timings: { heartbeatMs: 60, retryMs: 100 } })
    )
  )
  for (const hub of hubs) stack.use(hub)
  let turn = 0
  const relay = stack.use(await startTcpRelay(() => hubs[turn++ % instances]?.port ?? 0))
  const applied: number[][] = Array.from({ length: sensors }, () => [])
  const fleet = applied.map((sequences) =>
    stack.use(
      watch(`http://127.0.0.1:${relay.port}`, {
        timings,
        onPolicy: ({ frame }) => sequences.push(sequenceOf(frame.revision) ?? 0)
      })
    )
  )
  for (let step = 0; step < steps; step++) {
    const dice = random.below(100)
    if (dice < 50) {
      row = frameOf((sequenceOf(row.revision) ?? 0) + 1)
      // The notification reaches only some instances: the others still stream the previous policy.
      for (const { hub } of hubs) if (random.below(10) < 3) hub.publish('w', row)
    } else if (dice < 55) relay.reset()
    else if (dice < 60) relay.halfOpen()
    else if (dice < 65) relay.mode = random.below(10) < 4 ? 'blackhole' : 'pass'
    else hubs[random.below(instances)]?.hub.closeWorkspace('w')
    await sleep(random.below(40))
  }
  relay.mode = 'pass'
  // The poll of each instance, which finds what it was not notified of.
  for (const { hub } of hubs) hub.publish('w', row)
  const last = sequenceOf(row.revision) ?? 0
  await Promise.all(fleet.map((sensor) => sensor.untilSequence(last)))
  for (const sequences of applied) {
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].toSorted((a, b) => a - b)
    )
  }
  for (const { reports } of fleet) {
    assert.deepEqual(
      reports.filter(({ kind }) => kind === 'policy_rejected'),
      []
    )
  }
})
