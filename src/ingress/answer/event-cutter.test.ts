import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEventCutter } from './event-cutter.ts'

/** What the cutter lets pass of each chunk, and whether a frame may follow it. */
function passed(...chunks: readonly string[]): (readonly [text: string | undefined, isBetween: boolean])[] {
  const cutter = createEventCutter()
  return chunks.map((chunk) => [cutter.push(Buffer.from(chunk))?.toString(), cutter.isBetweenEvents] as const)
}

describe('a cutter of events', () => {
  it('holds the fields after a comment until their event ends, however they are divided', () => {
    assert.deepEqual(passed(': hello\n', ': hello\ndata: a', 'b\n', '\n'), [
      [': hello\n', true],
      [undefined, true],
      [undefined, true],
      [': hello\ndata: ab\n\n', true]
    ])
  })

  it('holds no more than a mebibyte of an event that arrives in small pieces', () => {
    const piece = 'x'.repeat(65_536)
    const sent = passed('data: ', ...Array.from({ length: 16 }, () => piece), ':x\n', '\n')
    assert.deepEqual(
      sent.map(([text]) => text?.length),
      [...Array.from({ length: 16 }, () => undefined), 6 + 16 * piece.length, undefined, 4]
    )
    const isBetween = sent.slice(-3).map((one) => one[1])
    assert.deepEqual(isBetween, [false, false, true], 'no frame may follow the middle of an event')
  })
})
