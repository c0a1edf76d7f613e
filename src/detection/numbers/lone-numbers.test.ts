import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInDetectors } from '../detectors/index.ts'
import { withoutLoneNumbers } from './lone-numbers.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner(withoutLoneNumbers(builtInDetectors))

test('dates, times, sizes and counts alone in a string are nobody', () => {
  const texts =
    '2026-10-21 2023-06-01 11/20/2026 20.11.2026 1795207095 1795207095626 12345678 123456789 1234567890 12345678901 ' +
    '3.14159265 65536 33554432 2147483647 4294967295 100-200 555-1234 192.168.1.1 INC0012345 94107-1234'
  for (const text of texts.split(' ')) {
    const found = scanner.scan(text).filter(({ confidence, tier }) => confidence !== 'weak' && tier !== 'low')
    assert.deepEqual(found, [], text)
  }
})

test('a number that is named is still found', () => {
  const ssn = ['512', '44', '6723'].join('-')
  assert.deepEqual(
    scanner.scan(`ssn: ${ssn}`).map(({ kind }) => kind),
    ['us_ssn']
  )
  assert.deepEqual(
    scanner.scan(ssn, undefined, { key: 'ssn' }).map(({ kind }) => kind),
    ['us_ssn']
  )
})

test('a line that is one of many, a comment or a heading is no value that was sent alone', () => {
  const alone = ['RFC', '1734'].join('')
  const kinds = (text: string) =>
    createScanner()
      .scan(text)
      .filter(({ tier }) => tier !== 'low')
  assert.notDeepEqual(kinds(alone), [])
  for (const text of [
    `${alone}\nRFC4616`,
    `RFC4616\r\n${alone}\r\n`,
    `// ${alone}`,
    `${alone}.`,
    '16383 - 16383',
    '1.0.7 2015-08-30'
  ])
    assert.deepEqual(kinds(text), [], text)
})
