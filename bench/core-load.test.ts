import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCoreBusyMs, readCoreBusyMs } from './core-load.ts'

const stat = 'cpu  30 0 12 900 1 2 3 4 0 0\ncpu0 10 1 5 400 1 2 3 4 0 0\ncpu10 20 0 7 500 0 0 0 0 0 0\nintr 1\n'

test('the busy time of a core is the sum of user, nice, system and steal', () => {
  assert.equal(parseCoreBusyMs(stat, 0), 200)
  assert.equal(parseCoreBusyMs(stat, 10), 270)
  assert.equal(parseCoreBusyMs(stat, 1), undefined)
})

test('without a core to look at, the load is undefined', () => {
  assert.equal(readCoreBusyMs(undefined), undefined)
})
