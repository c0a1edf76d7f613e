/** Where a password without quotes ends: in settings with its line, in a sentence before its full stop. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../../scanner.ts'
import { filler } from '../../sample-text.ts'

const scanner = createScanner()
const found = (text: string) => scanner.scan(text).map(({ start, end }) => text.slice(start, end))
const password = filler(12)

test('a full stop or comma that ends a line of settings belongs to the password', () => {
  for (const sign of ['.', ','])
    for (const text of [
      `enable secret ${password}${sign}`,
      `hostname edge\n  enable secret ${password}${sign}\r\nline vty 0 4\n`,
      `username ops password 0 ${password}${sign}\n`
    ])
      assert.deepEqual(found(text), [password + sign], text)
})

test('in a sentence it ends the sentence', () => {
  for (const text of [
    `then run enable secret ${password}.\n`,
    `The SNMP community is ${password}.`,
    `snmp-server community ${password}, which is read-only`
  ])
    assert.deepEqual(found(text), [password], text)
})
