import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { charSet } from '../text/chars.ts'
import { matchForms, valueAfter } from './fixed-key.ts'

const dotted = matchForms([{ prefix: 'zq_', set: charSet('a-z', '0-9', '.'), min: 10, max: 12 }])
const endOf = (text: string): string | undefined => {
  const found = dotted(text, 0)
  return found && text.slice(found.end)
}

test('a key whose alphabet has dots ends before the full stop of its sentence', () => {
  for (const body of ['k3v9x2m7q4', 'k3v9.2m7q4w8']) {
    assert.equal(endOf(`zq_${body}`), '')
    assert.equal(endOf(`zq_${body}.`), '.')
    assert.equal(endOf(`zq_${body}. Next`), '. Next')
  }
  for (const body of ['k3v9x2m7q', 'k3v9x2m7q.', 'k3v9x2m7q4w8x', 'k3v9x2m7q4w8.x', 'k3v9x2m7q4w8..', 'k3v9x2m7q4-'])
    assert.equal(endOf(`zq_${body}`), body.endsWith('-') ? '-' : undefined, body)
})

test('an equals sign before a key is an assignment, also where its alphabet has padding', () => {
  const padded = matchForms([{ prefix: 'ZQ', set: charSet('A-Z', 'a-z', '0-9', '+/=_'), min: 20, max: 40 }])
  const key = `ZQ${filler(30)}`
  assert.equal(padded(`=${key}`, 1)?.end, 33)
  for (const before of ['A', '/', '_']) assert.equal(padded(`${before}${key}`, 1), undefined, before)
  assert.equal(padded(`${key}==`, 0)?.end, 34)
})

test('a value may follow its name on the next line, and not on the one after that', () => {
  const value = filler(40)
  const found = (between: string) => valueAfter(`key${between}${value}`, 3, 40, 44)
  for (const between of [' = "', ':\n  ', ' is ']) assert.equal(found(between)?.start, 3 + between.length, between)
  for (const between of [':\n\n', '\n  =\n', ' '.repeat(40)]) assert.equal(found(between), undefined, between)
  assert.equal(valueAfter(`key=${filler(45)}`, 3, 40, 44), undefined)
  assert.equal(valueAfter(`key=${filler(39)}`, 3, 40, 44), undefined)
  assert.equal(valueAfter(`key=${value}_`, 3, 40, 44), undefined)
})
