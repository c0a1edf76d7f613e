import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEndOfTurn, runInSteps } from './cooperative.ts'

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

test('work without a pause ends within the same turn', async () => {
  let isDone = false
  const running = runInSteps(
    counting(0, () => void (isDone = true)),
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
      never,
      error
    ),
    20
  )
  clearInterval(timer)
  assert.ok(turns >= 19, `${turns} turns`)
})

test('the rest is dropped when the client is gone, and the work is told', async () => {
  let ended = false
  let asked = 0
  const running = runInSteps(
    counting(1000, () => void (ended = true)),
    () => ++asked === 3,
    error
  )
  await assert.rejects(running, /gone/)
  assert.equal(ended, true)
})

test('those who wait for the end of a turn go on together, step by step', async () => {
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
