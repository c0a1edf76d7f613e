import assert from 'node:assert/strict'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import { WordList } from './word-list.ts'

const word = fc.string({ unit: fc.constantFrom(...'ab-'), minLength: 3, maxLength: 5 })
const text = fc.string({ unit: fc.constantFrom(...'aAbBé-M'), minLength: 30, maxLength: 90 })

test('agrees with a search for each word in lower case, on any part of a text', () => {
  let found = 0
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 8 }),
      text,
      fc.nat(12),
      fc.nat(45),
      (words, all, from, to) => {
        const list = new WordList(words)
        const part = all.slice(from, to).toLowerCase()
        const isThere = words.some((one) => part.includes(one))
        if (isThere) found++
        assert.equal(list.standsIn(all, from, to), isThere)
        assert.equal(
          list.beginsAt(all, from, to),
          words.some((one) => part.startsWith(one))
        )
      }
    )
  )
  assert.ok(found > 10, `${found} of the texts hold a word`)
})

test('refuses a word shorter than the characters it is searched by', () => {
  assert.throws(() => new WordList(['abc', 'ab']), RangeError)
})
