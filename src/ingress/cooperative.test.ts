import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTurns, leastBetween } from '../../test/support/count-turns.ts'
import { eventually } from '../../test/support/eventually.ts'
import { atEndOfTurn, atLeisure, runInSteps } from './cooperative.ts'

function* counting(steps: number, onEnd: () => void): Generator<void, number, void> {
  try {
    for (let i = 0; i < steps; i++) yield
    return steps
  } finally {
    onEnd()
  }
}

const never = (): boolean => false
const error = (): Error => new Error('gone')

test('work without a pause finishes within the same turn', async () => {
  let isDone = false
  const running = runInSteps(
    counting(0, () => void (isDone = true)),
    0,
    never,
    error
  )
  assert.equal(isDone, true)
  assert.equal(await running, 0)
})

test('other work gets its turn at every pause', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const other = (): void => {
    turns++
    if (turns < 50) setImmediate(other)
  }
  setImmediate(other)
  assert.equal(
    await runInSteps(
      counting(20, () => undefined),
      0,
      never,
      error
    ),
    20
  )
  clearInterval(timer)
  assert.ok(turns >= 19, `${turns} turns`)
})

test('if the client is gone, the rest of the work is dropped and its generator is closed', async () => {
  let ended = false
  let asked = 0
  const running = runInSteps(
    counting(1000, () => void (ended = true)),
    0,
    () => ++asked === 3,
    error
  )
  await assert.rejects(running, /gone/)
  assert.equal(ended, true)
})

/** Records each of its steps. */
function* noting(name: string, steps: number, seen: string[]): Generator<void, void, void> {
  for (let i = 0; i < steps; i++) {
    seen.push(name)
    yield
  }
}

test('a turn is at most two steps, of the oldest and of the smallest work, so that equal ones finish one after the other', async () => {
  const seen: string[] = []
  const run = (name: string, bytes: number): Promise<void> =>
    runInSteps(noting(name, 4, seen), bytes, never, error).then(() => void seen.push(`${name} done`))
  const all = Promise.all([run('large', 9), run('one', 1), run('two', 1)])
  // Each runs up to its first pause at once.
  assert.deepEqual(seen.splice(0), ['large', 'one', 'two'])
  const turns: string[][] = []
  const watch = (): void => {
    turns.push(seen.splice(0))
    if (turns.flat().length < 12) setImmediate(watch)
  }
  setImmediate(watch)
  await all
  await eventually('all turns are seen', () => turns.flat().length >= 12 || undefined)
  assert.deepEqual(
    turns.filter((turn) => turn.length > 0),
    [
      ['large', 'one'],
      ['large', 'one'],
      ['large', 'one'],
      ['large done', 'one done'],
      ['two'],
      ['two'],
      ['two'],
      ['two done']
    ]
  )
})

test('work whose client has gone is dropped before its next turn', async () => {
  let isGone = false
  let ended = false
  const first = runInSteps(
    counting(50, () => undefined),
    1,
    never,
    error
  )
  const behind = runInSteps(
    counting(50, () => void (ended = true)),
    1,
    () => isGone,
    error
  )
  isGone = true
  await assert.rejects(behind, /gone/)
  assert.equal(ended, true)
  assert.equal(await Promise.race([first, Promise.resolve('under way')]), 'under way')
  assert.equal(await first, 50)
})

test('failing work rejects its own promise, and the others continue', async () => {
  function* failing(): Generator<void, void, void> {
    yield
    throw new RangeError('a fault')
  }
  const other = runInSteps(
    counting(5, () => undefined),
    1,
    never,
    error
  )
  await assert.rejects(runInSteps(failing(), 0, never, error), /a fault/)
  assert.equal(await other, 5)
})

test('those who wait for the end of a turn continue together, step by step', async () => {
  const seen: string[] = []
  const work = async (name: string): Promise<void> => {
    await atEndOfTurn()
    seen.push(`${name} reads`)
    await Promise.resolve()
    seen.push(`${name} sends`)
  }
  const running = [work('one'), work('two')]
  setImmediate(() => seen.push('another'))
  await Promise.all(running)
  assert.deepEqual(seen.slice(0, 4), ['one reads', 'two reads', 'one sends', 'two sends'])
  await work('three')
  assert.deepEqual(seen.slice(4), ['another', 'three reads', 'three sends'])
})

test('background work runs in the order of arrival, with turns for everything else in between', async () => {
  using counter = countTurns()
  for (let round = 0; round < 2; round++) {
    const done: number[] = []
    const turns: number[] = []
    await Promise.all(
      Array.from({ length: 5 }, async (_, n) => {
        await atLeisure()
        done.push(n)
        turns.push(counter.turn)
      })
    )
    assert.deepEqual(done, [0, 1, 2, 3, 4])
    assert.ok(leastBetween(turns) >= 8, turns.join(' '))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
})
