import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../../scanner.ts'
import { dateOfBirth } from './birth-dates.ts'

const scanner = createScanner([dateOfBirth])

test('a date before the Chinese sign for birth may be followed by a sex, and not by another word', () => {
  const found = (text: string) => scanner.scan(text).map(({ start, end }) => text.slice(start, end))
  for (const text of ['1985年3月12日生男', '1985年3月12日生女，汉族'])
    assert.deepEqual(found(text), ['1985年3月12日'], text)
  assert.deepEqual(found('1985年3月12日生产'), [])
})

test('of a date before the word and one behind it, both are found', () => {
  for (const text of [
    'gestorben 01.02.2010, geboren 12.03.1985',
    'Stand 01.02.2010 geboren am 12.03.1985',
    'am 12.03.1985 geboren, hier seit 01.02.2010'
  ]) {
    const found = scanner.scan(text).map(({ start, end }) => text.slice(start, end))
    assert.deepEqual(found.sort(), ['01.02.2010', '12.03.1985'], text)
  }
})
