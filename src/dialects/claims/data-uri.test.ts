/**
 * How much is read of a head that never ends, and of a value without one; the contents of heads are covered by the
 * tests of claims.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish, indexOf } from '../json/indexing.fixture.ts'
import { bytesPerStepDefault } from '../json/json-index.ts'
import { dataUri } from './data-uri.ts'

const read = (text: string) => finish(dataUri(indexOf(JSON.stringify(text)), 0))

test('a head of any length is read in a limited number of steps', () => {
  const steps = 40
  const length = (steps * bytesPerStepDefault) / 8
  for (const [text, isOne] of [
    [`data:text/plain;name=${'n'.repeat(length)};base64,QUJD`, true],
    [`data:text/plain;name=${'n'.repeat(length)}`, false],
    [`data:${' '.repeat(length)}text/plain;base64,QUJD`, true]
  ] as const) {
    const { value, yields } = read(text)
    assert.equal(value !== undefined, isOne)
    assert.ok(yields >= steps - 1 && yields <= steps + 1, `${yields} of ${steps}`)
  }
})

test('a value that is not a data URI is not read to its end', () => {
  for (const beginning of ['x', 'https://a.example/', 'dat', 'data', 'datA;', 'base64,']) {
    const { value, yields } = read(beginning + 'n'.repeat(bytesPerStepDefault))
    assert.deepEqual([value, yields], [undefined, 0], beginning)
  }
})

test('the base64 begins after the comma, and its type is that of the head', () => {
  assert.deepEqual(read('data:image/png;base64,QUJD').value, { from: 23, media: 'media' })
  assert.deepEqual(read(' data:;BASE64,QUJD').value, { from: 15, media: 'text' })
  assert.deepEqual(read('data:x/y;base64,').value, { from: 17, media: 'unknown' })
})
