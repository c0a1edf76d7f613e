import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { messages } from '../messages/messages.ts'
import { Window, windowBytesMax } from './usage.ts'

const endBytes = 8 * 1024

/** The bytes that are copied during some work. */
function copied(work: () => void): number {
  const { set, copyWithin } = Uint8Array.prototype
  let bytes = 0
  const watched = [
    mock.method(Uint8Array.prototype, 'set', function (this: Uint8Array, from: ArrayLike<number>, at?: number) {
      bytes += from.length
      set.call(this, from, at)
    }),
    mock.method(
      Uint8Array.prototype,
      'copyWithin',
      function (this: Uint8Array, to: number, from: number, end = this.length) {
        bytes += end - from
        return copyWithin.call(this, to, from, end)
      }
    )
  ]
  try {
    work()
  } finally {
    for (const { mock: one } of watched) one.restore()
  }
  return bytes
}

test('what is too long is kept by its end, in whatever pieces it arrives', () => {
  const sizes = fc.array(fc.oneof(fc.nat(9), fc.nat(3 * endBytes)), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(sizes, (pieces) => {
      const window = new Window()
      const all = Buffer.alloc(windowBytesMax + pieces.reduce((sum, size) => sum + size + 1, 0))
      for (let at = 0; at < all.length; at++) all[at] = at % 251
      window.append(all, 0, windowBytesMax)
      let at = windowBytesMax
      for (const size of pieces) window.append(all, at, (at += size + 1))
      assert.ok(window.overflown)
      assert.deepEqual(Buffer.from(window.end()), all.subarray(-endBytes))
    })
  )
})

test('an event of many lines, or a line in many chunks, is copied no more than a few times', () => {
  const lines = Buffer.from(`data: ${'x'.repeat(40)}\r`.repeat(6000))
  const piece = Buffer.from('a'.repeat(40))
  const works = [
    () => messages.createUsageReader(true).push(lines),
    () => {
      const reader = messages.createUsageReader(true)
      for (let at = 0; at < 6000; at++) reader.push(piece)
    }
  ]
  for (const work of works) {
    const bytes = copied(work)
    assert.ok(bytes <= 2_000_000, String(bytes))
  }
})
