import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStreamPlaces } from './stream-places.ts'

test('a token has its share, a process its bound, and a place that is given back can be taken', () => {
  const places = createStreamPlaces(3, 2)
  const giveBack = places.take('a')
  places.take('a')
  assert.throws(() => places.take('a'), { code: 'too_many_streams' })
  places.take('b')
  assert.throws(() => places.take('c'), { code: 'overloaded' })
  giveBack()
  places.take('a')
  assert.equal(places.taken, 3)
})
