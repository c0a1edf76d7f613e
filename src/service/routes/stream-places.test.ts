import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStreamPlaces, inPlace } from './stream-places.ts'

test('a token has its share, a process its limit, and a place that is given back can be taken again', () => {
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

test('work that fails gives its place back, and the refusal has the configured code', async () => {
  const places = createStreamPlaces(2, 1, 'too_many_judgements')
  const work = Promise.withResolvers<never>()
  const first = inPlace(places, 'a', () => work.promise)
  await assert.rejects(
    inPlace(places, 'a', async () => 1),
    { code: 'too_many_judgements' }
  )
  work.reject(new Error('no'))
  await assert.rejects(first, /no/)
  assert.equal(await inPlace(places, 'a', async () => 1), 1)
  assert.equal(places.taken, 0)
})
