import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasMoreValues } from './json-size.ts'

const has = (text: string, max: number): boolean => hasMoreValues(new TextEncoder().encode(text), max)

test('counts values by their commas and brackets, and none in strings', () => {
  assert.equal(has('{"a":[1,2,3],"b":{}}', 6), false)
  assert.equal(has('{"a":[1,2,3],"b":{}}', 5), true)
  assert.equal(has(JSON.stringify({ a: ',[{"\\",[{' }), 1), false)
  assert.equal(has(JSON.stringify('é,[{\\'), 0), false)
})

test('bounds the deep and the wide', () => {
  assert.equal(has('['.repeat(1001), 1000), true)
  assert.equal(has(`[${'0,'.repeat(1000)}0]`, 1000), true)
  assert.equal(has(`[${'0,'.repeat(999)}0]`, 1000), false)
})
