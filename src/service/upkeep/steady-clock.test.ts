import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { createSteadyClock, type ClockState, type SteadyClock } from './steady-clock.ts'
import { hourMs } from '../../timing/spans.ts'

const dayMs = 24 * hourMs
const begin = Date.UTC(2027, 0, 10)

let elapsed: number
let offset: number
let jumps: number[]
let clock: SteadyClock
const now = (): number => clock.read().at
/** A restart of the process, which begins its monotonic clock anew. */
function restart(): void {
  const last = clock.read()
  offset += elapsed
  elapsed = 0
  clock = start(last)
}
const start = (last?: ClockState): SteadyClock =>
  createSteadyClock({ timeMs: () => offset + elapsed, monotonicMs: () => elapsed }, (byMs) => jumps.push(byMs), last)
beforeEach(() => {
  elapsed = 5000
  offset = begin - elapsed
  jumps = []
  clock = start()
})

it('follows the time of day, and small corrections of it', () => {
  elapsed += 3 * dayMs
  offset += hourMs
  assert.equal(now(), begin + 3 * dayMs + hourMs)
  offset -= 5 * dayMs
  assert.equal(now(), begin - 2 * dayMs + hourMs)
  assert.deepEqual(jumps, [])
})

it('does not follow a jump ahead that is undone, and reports it once', () => {
  offset += 26_000 * dayMs
  for (let hour = 0; hour < 23; hour++) {
    assert.equal(now(), begin + hour * hourMs)
    elapsed += hourMs
  }
  offset -= 26_000 * dayMs
  assert.equal(now(), begin + 23 * hourMs)
  elapsed += 2 * dayMs
  assert.equal(now(), begin + 2 * dayMs + 23 * hourMs)
  assert.deepEqual(jumps, [26_000 * dayMs])
})

it('doubts a second jump for a full day again', () => {
  offset += 20_000 * dayMs
  assert.equal(now(), begin)
  offset -= 20_000 * dayMs
  elapsed += hourMs
  assert.equal(now(), begin + hourMs)
  elapsed += 2 * dayMs
  offset += 20_000 * dayMs
  assert.equal(now(), begin + 2 * dayMs + hourMs)
  elapsed += dayMs - 1
  assert.equal(now(), begin + 3 * dayMs + hourMs - 1)
  assert.deepEqual(jumps, [20_000 * dayMs, 20_000 * dayMs])
})

it('accepts up to two hours as a correction, and no more', () => {
  offset += 2 * hourMs
  assert.equal(now(), begin + 2 * hourMs)
  offset += 2 * hourMs + 1
  assert.equal(now(), begin + 2 * hourMs)
})

it('follows a jump ahead that lasts for a day: the time before was wrong', () => {
  offset += 20_000 * dayMs
  assert.equal(now(), begin)
  elapsed += dayMs
  assert.equal(now(), begin + 20_001 * dayMs)
})

it('believes a clock that was ahead at the start no sooner, over however many starts', () => {
  assert.equal(now(), begin)
  offset += 20_000 * dayMs
  for (let hour = 0; hour < 24; hour++) {
    restart()
    assert.equal(now(), begin + hour * hourMs)
    elapsed += hourMs
  }
  restart()
  assert.equal(now(), begin + 20_001 * dayMs)
  assert.equal(jumps.length, 1 + 24, 'told once a process')
})

it('continues at once after a start whose clock is right again', () => {
  offset += 20_000 * dayMs
  elapsed += 23 * hourMs
  restart()
  elapsed += hourMs / 2
  assert.equal(now(), begin + 23.5 * hourMs)
  offset -= 20_000 * dayMs
  restart()
  elapsed += 3 * dayMs
  assert.equal(now(), begin + 3 * dayMs + 23.5 * hourMs)
  offset += 3 * hourMs
  assert.deepEqual(clock.read(), { at: begin + 3 * dayMs + 23.5 * hourMs, doubtedMs: 0 })
})

it('doubts a jump for a full day after a start that found the clock right, whatever was doubted before', () => {
  offset += 20_000 * dayMs
  assert.equal(now(), begin)
  elapsed += 23 * hourMs
  const last = clock.read()
  offset -= 20_000 * dayMs
  clock = start(last)
  assert.equal(now(), begin + 23 * hourMs)
  offset += 20_000 * dayMs
  assert.equal(now(), begin + 23 * hourMs)
  elapsed += 2 * hourMs
  assert.equal(now(), begin + 25 * hourMs)
})
