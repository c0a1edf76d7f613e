import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { shallowMembers } from './shallow.ts'

/** Texts with characters that escape and end strings, around the length at which the search method changes. */
const odd = fc
  .array(fc.constantFrom('\\', '"', 'a', 'é', '\n', '{', '}', ']', ',', ':', 'x'.repeat(40), '\\\\\\'), {
    maxLength: 12
  })
  .map((parts) => parts.join(''))
const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
const object = fc.dictionary(odd, fc.oneof(value, odd, fc.array(odd)), { maxKeys: 8, noNullPrototype: true })

const read = (text: string): unknown => {
  const bytes = Buffer.from(text)
  return shallowMembers(bytes)?.map(({ key, start, end }) => [key, JSON.parse(bytes.toString('utf8', start, end))])
}

describe('the outermost members of a message', () => {
  it('are those that JSON.parse finds', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 1, '\t'), (given, space) => {
        const text = ` ${JSON.stringify(given, undefined, space)}\r\n`
        assert.deepEqual(read(text), Object.entries(JSON.parse(text) as object))
      }),
      { numRuns: 1000 }
    )
  })

  it('do not exist unless the message is exactly one object', () => {
    const cases = [
      '',
      ' ',
      '[]',
      '"a"',
      '1',
      '{',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,',
      '{"a":1,}',
      '{,}',
      '{a:1}',
      "{'a':1}",
      '{"a" 1}',
      '{"a":1}{}',
      '{"a":1} x',
      '{"a":}',
      '{"a":"',
      '{"a":[}',
      '{"a":"\\"}',
      '\ufeff{"a":1}',
      '{"a":1 "b":2}',
      '{"a":1}\u00a0',
      '{"a":/**/1}'
    ]
    for (const text of cases) assert.equal(shallowMembers(Buffer.from(text)), undefined, text)
  })

  it('are limited in number and in the length of their keys', () => {
    const many = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`
    assert.equal(shallowMembers(Buffer.from(many(64)))?.length, 64)
    assert.equal(shallowMembers(Buffer.from(many(65))), undefined)
    assert.equal(shallowMembers(Buffer.from(`{"${'k'.repeat(600)}":1}`)), undefined)
  })

  it('take time in proportion to their bytes, however many backslashes there are', () => {
    const hard = `{"a":"${'\\\\'.repeat(200_000)}${'\\"'.repeat(200_000)}"}`
    assert.equal(shallowMembers(Buffer.from(hard))?.length, 1)
  })
})
