import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/property.ts'
import { jsonLine } from './json-line.ts'

/** What Python's `str.splitlines` ends a line at. */
const pythonLineEnds = /[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/

test('is one line to every reader, and the same value', () => {
  const unit = fc.oneof(fc.nat(0xffff), fc.constantFrom(0x0a, 0x0b, 0x1c, 0x85, 0x2028, 0x2029))
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const value = { [String.fromCharCode(...units)]: String.fromCharCode(...units) }
      const line = jsonLine(value)
      assert.doesNotMatch(line, pythonLineEnds)
      assert.deepEqual(JSON.parse(line), JSON.parse(JSON.stringify(value)))
    })
  )
  assert.equal(jsonLine({ a: 'é\u2028\u0085' }), '{"a":"é\\u2028\\u0085"}')
})
