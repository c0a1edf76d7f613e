import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { finish, indexOf } from '../../../dialects/json/indexing.fixture.ts'
import { foldedKey, keysBelow, membersMax, membersOf } from './members.ts'

/** An object with so many other members, whose keys look like nothing. */
const crowd = (count: number, key = 'Key'): string =>
  Array.from({ length: count }, (_, at) => `"${key}${at.toString(36)}":0`).join()

test('an object with more members than any message has can be read in two ways', () => {
  const of = (count: number) => membersOf(indexOf(`{${crowd(count)},"name":1}`), 0, ['name', 'id'])
  assert.ok((of(membersMax - 1)?.[0] ?? -1) > 0)
  assert.equal(of(membersMax), undefined)
})

test('many keys are compared in steps, and a repeated one is found wherever it is', () => {
  for (const key of ['Key', 'key', 'ké']) {
    const index = indexOf(`{"a":{${crowd(40_000, key)}}}`)
    const { value, yields } = finish(keysBelow(index, 0))
    assert.deepEqual(value, { isDoubled: false, hasTwins: false }, key)
    assert.ok(yields >= 9, String(yields))
    const doubled = indexOf(`{"a":{${crowd(40_000, key)},"${key}7":1}}`)
    assert.equal(finish(keysBelow(doubled, 0)).value.isDoubled, true, key)
  }
})

const keys = fc.array(fc.constantFrom('a', 'A', 'ａ', 'b', 'K', 'K', 'k', 'ſ', 's', 'S', 'x\u200b', 'x'), {
  maxLength: 9
})

test('twins and repeated keys are those of a plain comparison', () => {
  fc.assert(
    fc.property(keys, (names) => {
      const object = `{${names.map((name) => `${JSON.stringify(name)}:0`).join()}}`
      const isDoubled = new Set(names).size < names.length
      const hasTwins = new Set(names.map(foldedKey)).size < names.length
      assert.deepEqual(finish(keysBelow(indexOf(object), 0)).value, { isDoubled, hasTwins })
    })
  )
})
