import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/property.ts'
import { compileGlob, covers, globSchema } from './glob.ts'

test('a star matches any run of characters, every other character itself', () => {
  const table: [glob: string, yes: string[], no: string[]][] = [
    ['get', ['get'], ['get_', 'Get', '']],
    ['*', ['', 'x', '*'], []],
    ['get_*', ['get_', 'get_x'], ['xget_', 'get']],
    ['*_x', ['_x', 'a_x'], ['_xy']],
    ['a*a', ['aa', 'aba'], ['a', 'ab']],
    ['a*b*c', ['abc', 'axbxc', 'abbcc'], ['acb', 'ab', 'ac']],
    ['a.b[c]?', ['a.b[c]?'], ['axb[c]?', 'a.bcx']],
    ['a**b', ['ab', 'axb'], ['a']]
  ]
  for (const [glob, yes, no] of table) {
    const { matches } = compileGlob(glob)
    for (const name of yes) assert.equal(matches(name), true, `${glob} ${name}`)
    for (const name of no) assert.equal(matches(name), false, `${glob} ${name}`)
  }
})

test('a glob that covers another matches everything that the other matches', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 6 })
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
  let covered = 0
  fc.assert(
    fc.property(text, text, fc.array(name, { minLength: 10, maxLength: 20 }), (wide, narrow, tried) => {
      const [one, other] = [compileGlob(wide), compileGlob(narrow)]
      if (!covers(one, other)) return
      covered++
      for (const each of tried)
        if (other.matches(each)) assert.equal(one.matches(each), true, `${wide} ${narrow} ${each}`)
    }),
    { numRuns: 2000 }
  )
  assert.ok(covered > 50)
  assert.equal(covers(compileGlob('get_*'), compileGlob('get_file_*')), true)
  assert.equal(covers(compileGlob('get_*'), compileGlob('*')), false)
})

test('the number of stars and the length are limited', () => {
  assert.equal(globSchema.safeParse('*a'.repeat(8)).success, true)
  assert.equal(globSchema.safeParse('*a'.repeat(9)).success, false)
  assert.equal(globSchema.safeParse('a'.repeat(201)).success, false)
  assert.equal(globSchema.safeParse('').success, false)
})
