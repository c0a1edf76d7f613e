import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../../sample-text.ts'
import { createScanner } from '../../scanner.ts'

const scanner = createScanner()
const found = (text: string) =>
  scanner
    .scan(text)
    .filter(({ confidence }) => confidence !== 'weak')
    .map(({ start, end }) => text.slice(start, end))

test('a token in base64 is masked whole or not at all', () => {
  const value = `${filler(26)}+${filler(16, undefined, 3)}/${filler(30, undefined, 9)}=`
  assert.deepEqual(found(`I set the line token (${value}) in the config`), [value])
  const plain = value.replace('/', '')
  assert.deepEqual(found(`please use token ${plain} for it`), [plain])
})

test('a path ends a token that no brackets frame', () => {
  const token = filler(24, '0123456789abcdef')
  assert.deepEqual(found(`with token ${token}/files/latest`), [token])
})
