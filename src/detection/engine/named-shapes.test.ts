import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Detector } from '../detector.ts'
import { createScanner } from '../scanner.ts'

/** Reports whatever it is called for. */
const detector = (id: string, anchors: Detector['anchors'], context: readonly string[] = []): Detector => ({
  id,
  label: id.toUpperCase(),
  title: id,
  group: 'national_id',
  tier: 'high',
  anchors,
  context,
  match: (_, at, { number }) => ({ start: at, end: number.end, confidence: 'strong' }),
  hits: () => [],
  misses: () => [],
  source: ''
})
const named = detector('named', [{ shapes: ['3 3 3'], named: true }], ['tax number'])
const kindsIn = (text: string): string[] =>
  createScanner([named, detector('other', [{ shapes: ['3-3-3'] }], ['code'])])
    .scan(text)
    .map(({ kind }) => kind)

describe('a kind that needs a name is called for numbers in groups', () => {
  const value = ['130', '692', '544'].join(' ')
  for (const text of [
    `tax number: ${value}`,
    `the tax number that was sent is ${value}`,
    `name,tax number\nAnna,${value}\nBo,${value}`,
    `${value} (tax number)`,
    `${value} is my tax number`
  ])
    it(`in ${JSON.stringify(text)}`, () => assert.ok(kindsIn(text).includes('named')))
  for (const text of [
    value,
    `code: ${value}`,
    `tax number: ${'x '.repeat(40)}${value}`,
    `name,code\nAnna,${value}`,
    `tax number: ${['111', '111', '111'].join(' ')}`
  ])
    it(`but not in ${JSON.stringify(text)}`, () => assert.deepEqual(kindsIn(text), []))
  it('and one that needs none everywhere', () => assert.deepEqual(kindsIn(value.replaceAll(' ', '-')), ['other']))
})
