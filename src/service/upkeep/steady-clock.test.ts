import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { createSteadyClock } from './steady-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const start = Date.UTC(2027, 0, 10)

let elapsed: number
let offset: number
let jumps: number[]
let now: () => number
beforeEach(() => {
  elapsed = 5000
  offset = start - elapsed
  jumps = []
  now = createSteadyClock({ timeMs: () => offset + elapsed, monotonicMs: () => elapsed }, (byMs) => jumps.push(byMs))
})

it('goes with the time of day, and with small corrections of it', () => {
  elapsed += 3 * dayMs
  offset += hourMs
  assert.equal(now(), start + 3 * dayMs + hourMs)
  offset -= 5 * dayMs
  assert.equal(now(), start - 2 * dayMs + hourMs)
  assert.deepEqual(jumps, [])
})

it('does not follow a jump ahead that is taken back, and tells of it once', () => {
  offset += 26_000 * dayMs
  for (let hour = 0; hour < 23; hour++) {
    assert.equal(now(), start + hour * hourMs)
    elapsed += hourMs
  }
  offset -= 26_000 * dayMs
  assert.equal(now(), start + 23 * hourMs)
  elapsed += 2 * dayMs
  assert.equal(now(), start + 2 * dayMs + 23 * hourMs)
  assert.deepEqual(jumps, [26_000 * dayMs])
})

it('doubts a second jump for a day of its own', () => {
  offset += 20_000 * dayMs
  assert.equal(now(), start)
  offset -= 20_000 * dayMs
  elapsed += hourMs
  assert.equal(now(), start + hourMs)
  elapsed += 2 * dayMs
  offset += 20_000 * dayMs
  assert.equal(now(), start + 2 * dayMs + hourMs)
  elapsed += dayMs - 1
  assert.equal(now(), start + 3 * dayMs + hourMs - 1)
  assert.deepEqual(jumps, [20_000 * dayMs, 20_000 * dayMs])
})

it('takes two hours for a correction, and no more', () => {
  offset += 2 * hourMs
  assert.equal(now(), start + 2 * hourMs)
  offset += 2 * hourMs + 1
  assert.equal(now(), start + 2 * hourMs)
})

it('follows a jump ahead that lasts for a day: the time before was wrong', () => {
  offset += 20_000 * dayMs
  assert.equal(now(), start)
  elapsed += dayMs
  assert.equal(now(), start + 20_001 * dayMs)
})
