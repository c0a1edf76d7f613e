import assert from 'node:assert/strict'
import test from 'node:test'
import { charSet, lowerHexSet, wordSet } from '../text/chars.ts'
import { isInsideBase64, matchShapes, partsEnd, sampleOf, uuidParts, type ShapedForm } from './key-shape.ts'
import { filler, hexLetters } from '../sample-text.ts'

const form: ShapedForm = { prefix: 'ab.', parts: [[lowerHexSet, 8], '_', [lowerHexSet, 4, 6]] }
const match = matchShapes([form])
const key = (first: number, second: number) => `ab.${filler(first, hexLetters)}_${filler(second, hexLetters)}`

test('each part has its length, and no word continues on either side', () => {
  assert.deepEqual(match(key(8, 5), 0), { start: 0, end: 17, confidence: 'strong' })
  assert.equal(match(key(8, 4) + '.', 0)?.end, 16)
  for (const text of [key(7, 5), key(9, 5), key(8, 3), key(8, 7), key(8, 4) + 'z', key(8, 4) + '_'])
    assert.equal(match(text, 0), undefined, text)
  assert.equal(match('x' + key(8, 5), 1), undefined)
  assert.equal(match('\\n' + key(8, 5), 2)?.start, 2)
})

test('a part ends where it has its length, also if words do not continue there', () => {
  const dashes = charSet('0-9', 'a-f', '-')
  for (const part of [[dashes, 8] as const, [dashes, 4, 8] as const]) {
    assert.equal(partsEnd('1a2-3b4c', 0, [part]), 8)
    assert.equal(partsEnd('1a2-3b4c-', 0, [part]), -1)
  }
})

test('a digest in base64url is no key, whatever it begins with', () => {
  for (const before of ['sha256-', 'SHA512=', 'h1:', 'go.sum h1:']) {
    const text = before + key(8, 5)
    assert.equal(match(text, before.length), undefined, text)
  }
  for (const before of ['key=', 'sha256 ', 'hash:', 'n1:']) {
    const text = before + key(8, 5)
    assert.equal(match(text, before.length)?.end, text.length, text)
  }
})

test('base64 before a key tells that it is part of a longer value, and the sign of a changed line does not', () => {
  const blob = filler(48)
  for (const before of [blob, `${blob}&#10;`, 'a+', '\\n a+'])
    assert.ok(isInsideBase64(`${before}EAA`, before.length), before)
  for (const before of ['', ' ', '=', blob.slice(1), '+', 'x\n+', 'x\\n+'])
    assert.ok(!isInsideBase64(`${before}EAA`, before.length), before)
})

test('a made-up value is found and does not block', () => {
  assert.equal(match('ab.aaaaaaaa_1234', 0)?.confidence, 'medium')
})

test('a part may contain the separator that follows it', () => {
  const dashed = new Uint8Array(128).fill(1, 45, 46) // The dash alone.
  assert.equal(partsEnd('---x', 0, [[dashed, 2], '-', 'x']), 4)
  assert.equal(partsEnd('a_b_c', 0, [[wordSet, 1], '_', [wordSet, 3]]), 5)
})

test('a sample fits its form', () => {
  assert.equal(match(sampleOf(form), 0)?.end, sampleOf(form).length)
  const uuid = sampleOf({ prefix: '', parts: uuidParts(lowerHexSet) })
  assert.ok(uuid.length === 36 && partsEnd(uuid, 0, uuidParts(lowerHexSet)) === 36)
})
