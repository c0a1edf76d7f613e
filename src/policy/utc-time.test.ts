import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/property.ts'
import { utcTimeMs, utcTimeSchema } from './utc-time.ts'

test('converts a time like the runtime does', () => {
  const range = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(range), (date) => {
      const text = date.toISOString()
      assert.equal(utcTimeSchema.safeParse(text).success, true)
      assert.equal(utcTimeMs(text), date.getTime())
    })
  )
  assert.equal(utcTimeMs('2028-02-29T12:30:00Z'), Date.UTC(2028, 1, 29, 12, 30))
  assert.equal(utcTimeMs('2028-02-29T12:30Z'), Date.UTC(2028, 1, 29, 12, 30))
})

test('other forms are refused', () => {
  for (const text of ['2027-01-01', '2027-01-01T00:00:00', '2027-01-01T00:00:00+01:00', '2027-02-30T00:00:00Z', ''])
    assert.equal(utcTimeSchema.safeParse(text).success, false, text)
})
