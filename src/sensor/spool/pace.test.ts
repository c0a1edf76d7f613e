import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Pace } from './pace.ts'

it('a run waits for the gap unless it is urgent, and the run after an urgent one waits again', async () => {
  const pace = new Pace(3_600_000)
  await pace.next()
  pace.hurry()
  await pace.next()
  let hasBegun = false
  const third = pace.next().then(() => (hasBegun = true))
  await nextTurn()
  assert.ok(!hasBegun)
  pace.hurry()
  await third
})
