import assert from 'node:assert/strict'
import { it } from 'node:test'
import { binaryArray } from './arrays.ts'

const hex = (text: string): string => text.replaceAll(' ', '')

it('writes texts with their lengths in bytes, and nulls', () => {
  assert.equal(
    binaryArray('text', ['aé', null, '']).toString('hex'),
    hex('00000001 00000001 00000019 00000003 00000001 00000003 61c3a9 ffffffff 00000000')
  )
})

it('writes integers as eight bytes, whatever their size and sign', () => {
  const numbers = [0, 1, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 62]
  const array = binaryArray('bigint', numbers)
  assert.equal(array.toString('hex', 0, 12), hex('00000001 00000000 00000014'))
  const read = numbers.map((_, index) => Number(array.readBigInt64BE(20 + index * 12 + 4)))
  assert.deepEqual(read, numbers)
  assert.equal(array.length, 20 + numbers.length * 12)
})

it('writes an empty array without a dimension', () => {
  assert.equal(binaryArray('text', []).toString('hex'), hex('00000000 00000000 00000019'))
})
