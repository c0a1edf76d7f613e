import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScanner } from '../scanner.ts'
import { findKnownSamples } from './known-samples.ts'
import { publishedSamples } from './placeholders.ts'

const card = ['4111', '1111', '1111', '1111']
const shown = (text: string): string[] =>
  findKnownSamples(text, 10).map(({ start, end, reason }) => `${text.slice(start, end)} ${reason}`)

test('every published sample is listed as a whole, and is not a finding', () => {
  const scanner = createScanner()
  for (const sample of publishedSamples) {
    const text = `see "${sample}" there`
    assert.deepEqual(shown(text), [`${sample} published_sample`])
    assert.deepEqual(scanner.scan(text), [], sample)
  }
})

test('groups of a number may stand apart by a blank or a dash', () => {
  assert.deepEqual(shown(`pay with ${card.join(' ')}, or ${card.join('-')}.`), [
    `${card.join(' ')} published_sample`,
    `${card.join('-')} published_sample`
  ])
})

test('addresses at domains for documentation are listed, those at others are not', () => {
  assert.deepEqual(shown('Jane.Roe+x@Mail.Example.com, joe@example.org. bob@quillmark-labs.com @example.com'), [
    'Jane.Roe+x@Mail.Example.com documentation_domain',
    'joe@example.org documentation_domain'
  ])
})

test('a longer number or word that begins like a sample is not listed', () => {
  assert.deepEqual(shown(`${card.join('')}9 x${card.join('')} ${card.join('  ')}`), [])
  assert.deepEqual(shown('joe@example.community'), [])
})

test('no more are listed than requested, in linear time', () => {
  assert.equal(findKnownSamples(`${card.join('')} `.repeat(50), 20).length, 20)
  assert.deepEqual(findKnownSamples('4 1-@'.repeat(200_000), 20), [])
})
