import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allOf, anyOf, judge, maybe, negate, no, yes, type Judgement } from './three-valued.ts'

const all: readonly Judgement[] = [no, maybe, yes]
const constant = (judgement: Judgement) => (): Judgement => judgement

test('allOf is the minimum and anyOf the maximum, in any order', () => {
  for (const one of all)
    for (const other of all)
      for (const third of all) {
        const tests = [one, other, third].map(constant)
        assert.equal(allOf(tests)(0), Math.min(one, other, third))
        assert.equal(anyOf(tests)(0), Math.max(one, other, third))
      }
})

test('one test is itself; of no tests, all are met and none is', () => {
  for (const one of all) {
    assert.equal(allOf([constant(one)])(0), one)
    assert.equal(anyOf([constant(one)])(0), one)
  }
  assert.equal(allOf([])(0), yes)
  assert.equal(anyOf([])(0), no)
})

test('what cannot be judged stays so when negated', () => {
  assert.deepEqual(
    all.map((one) => negate(constant(one))(0)),
    [yes, maybe, no]
  )
  assert.deepEqual([judge(true), judge(false)], [yes, no])
})

test('tests that cannot change the result are not run', () => {
  const fails = (): Judgement => assert.fail('asked')
  assert.equal(allOf([constant(no), fails])(0), no)
  assert.equal(anyOf([constant(yes), fails])(0), yes)
})
