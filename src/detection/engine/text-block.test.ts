import assert from 'node:assert/strict'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import { blockOfDepth, blockUnits, byteOf, TextBlock } from './text-block.ts'

function assertRead(text: string, from: number, to: number): void {
  for (const block of [new TextBlock(), blockOfDepth(0)]) assertReadBy(block, text, from, to)
}

function assertReadBy(block: TextBlock, text: string, from: number, to: number): void {
  block.load(text, from, to)
  const codes = Array.from({ length: to - from }, (_, i) => text.charCodeAt(from + i))
  assert.deepEqual([...block.bytes.subarray(0, to - from)], codes.map(byteOf))
  assert.equal(
    block.wideBits & ~0x7f,
    codes.filter((code) => code > 127).reduce((bits, code) => bits | code, 0) & ~0x7f
  )
  block.clear()
  assert.ok(block.bytes.every((byte) => byte === 0))
}

test('reads any part of any text, one byte per unit', () => {
  const unit = fc.constantFrom('a', 'Z', '0', '\n', '\u0000', '\u007f', '\u0080', 'é', '—', '密', '\ud83d', '\ude00')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300, size: 'max' }), fc.nat(300), fc.nat(300), (text, a, b) => {
      const [from, to] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)]
      assertRead(text, from, to)
    })
  )
})

test('reads whole blocks, with a letter beyond ASCII anywhere in them', () => {
  const ascii = 'const a = 1;\n'.repeat(blockUnits).slice(0, blockUnits)
  for (const at of [0, 1, 2047, 2048, 5000, blockUnits - 1]) {
    for (const letter of ['é', '—', '\ud800', '\ufffd', '密'.repeat(40), '\ud83d\ude00'])
      assertRead((ascii.slice(0, at) + letter + ascii.slice(at + 1)).slice(0, blockUnits), 0, blockUnits)
  }
  assertRead(ascii, 0, blockUnits)
})
