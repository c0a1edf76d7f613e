import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasMoreValues } from './json-size.ts'

const has = (text: string, max: number): boolean => hasMoreValues(new TextEncoder().encode(text), max)

test('counts values by commas and brackets outside strings', () => {
  assert.equal(has('{"a":[1,2,3],"b":{}}', 6), false)
  assert.equal(has('{"a":[1,2,3],"b":{}}', 5), true)
  assert.equal(has(JSON.stringify({ a: ',[{"\\",[{' }), 1), false)
  assert.equal(has(JSON.stringify('é,[{\\'), 0), false)
})

test('limits deep and wide documents', () => {
  assert.equal(has('['.repeat(1001), 1000), true)
  assert.equal(has(`[${'0,'.repeat(1000)}0]`, 1000), true)
  assert.equal(has(`[${'0,'.repeat(999)}0]`, 1000), false)
})

test('finds the end of a long string, whatever it holds', () => {
  const fillings = ['', ',', '\\', '"', '\\"', ',"', '\\\\', '[{,', '\\n', '"'.repeat(40), '\\'.repeat(41)]
  for (let before = 55; before < 75; before++) {
    for (const filling of fillings) {
      for (const text of [`${'x'.repeat(before)}${filling}`, `${'x'.repeat(before)}${filling}${'y'.repeat(200)},`]) {
        const json = JSON.stringify([text, 1])
        assert.deepEqual([has(json, 1), has(json, 2)], [true, false], json)
      }
    }
  }
  assert.equal(has(`"${','.repeat(500)}`, 0), false, 'one without an end')
})
