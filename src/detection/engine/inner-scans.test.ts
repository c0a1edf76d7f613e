import assert from 'node:assert/strict'
import test from 'node:test'
import { InnerScans, type InnerScan } from './inner-scans.ts'

const scanOf = (): InnerScan => ({ findings: [], byContext: undefined })

test('the scan of a text is found again for the same text at the same depth, and for no other', () => {
  const scans = new InnerScans()
  const [text, scan] = ['a'.repeat(200), scanOf()]
  scans.keep(text, 1, scan)
  assert.equal(scans.find('a'.repeat(200), 1), scan)
  assert.equal(scans.find(text, 2), undefined)
  // A text differs at one place. Where that is none of the places by which texts are told apart, both have one number.
  const others = Array.from(text, (_, at) => text.slice(0, at) + 'b' + text.slice(at + 1))
  for (const other of others) assert.equal(scans.find(other, 1), undefined)
  const other = scanOf()
  scans.keep(others[1] as string, 1, other)
  assert.equal(scans.find(others[1] as string, 1), other)
})

test('what is kept is bounded: after many texts the first is read again', () => {
  const scans = new InnerScans()
  scans.keep('first', 1, scanOf())
  for (let count = 0; count < 8; count++) scans.keep(`${count}`.repeat(40_000), 1, scanOf())
  scans.keep('last', 1, scanOf())
  assert.equal(scans.find('first', 1), undefined)
  assert.notEqual(scans.find('last', 1), undefined)
})

test('texts do not displace each other, whatever their number and depth', () => {
  const scans = new InnerScans()
  const texts = Array.from({ length: 2000 }, (_, i) => `field ${i}`)
  const kept = texts.map((text) => [1, 2, 3].map((depth) => ({ text, depth, scan: scanOf() }))).flat()
  for (const { text, depth, scan } of kept) scans.keep(text, depth, scan)
  const found = kept.filter(({ text, depth, scan }) => scans.find(text, depth) === scan)
  assert.ok(found.length > 0.99 * kept.length, `${found.length} of ${kept.length}`)
})
