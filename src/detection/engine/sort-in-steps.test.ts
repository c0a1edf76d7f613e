import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { Pace } from './pace.ts'
import { sortInSteps } from './sort-in-steps.ts'

/** Sorts, and counts the comparisons of the longest step. */
function sorted(items: [number, number][]) {
  const pace = new Pace()
  let comparisons = 0
  let longest = 0
  const compare = ([a]: readonly [number, number], [b]: readonly [number, number]): number => (comparisons++, a - b)
  for (const work = sortInSteps(items, compare, pace); ;) {
    pace.until = pace.done + 1
    comparisons = 0
    const { done, value } = work.next()
    longest = Math.max(longest, comparisons)
    if (done === true) return { value, longest }
  }
}

test('sorts as the platform does, with equal elements in their order', () => {
  const list = fc.array(fc.nat({ max: 40 }), { maxLength: 3000, size: 'max' })
  fc.assert(
    fc.property(list, (numbers) => {
      const items = numbers.map((number, index): [number, number] => [number, index])
      assert.deepEqual(
        sorted(items).value,
        items.toSorted(([a], [b]) => a - b)
      )
    }),
    { numRuns: 50 }
  )
})

test('a step of it does not grow with the list', () => {
  for (const order of [(i: number) => i, (i: number) => -i, (i: number) => (i * 7919) % 100_003])
    assert.ok(sorted(Array.from({ length: 60_000 }, (_, i) => [order(i), i])).longest < 8000)
})

test('what is sorted already is not copied', () => {
  const items: [number, number][] = Array.from({ length: 5000 }, (_, i) => [i, i])
  assert.equal(sorted(items).value, items)
})
