import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segmentsOf } from './bar-segments.ts'

test('a bar is as long as its value, also where nothing was decided', () => {
  const decided = (block: number, mask: number) =>
    [
      { part: 'block', value: block },
      { part: 'mask', value: mask }
    ] as const
  assert.deepEqual(segmentsOf(7, decided(0, 0)), [{ part: 'other', value: 7 }])
  assert.deepEqual(segmentsOf(7, decided(2, 1)), [...decided(2, 1), { part: 'other', value: 4 }])
  assert.deepEqual(segmentsOf(3, decided(2, 1)), decided(2, 1))
  assert.deepEqual(segmentsOf(3, decided(3, 0)), [{ part: 'block', value: 3 }])
  assert.deepEqual(segmentsOf(5), [{ part: 'other', value: 5 }])
})
