/** Strings are walked the same with the window as byte by byte, wherever the document is cut, and nothing is left in it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { BodyError } from './body-error.ts'
import { decodeUtf8, finish, indexOf } from './indexing.fixture.ts'
import { escapedFlag, indexJson, nonAsciiFlag } from './json-index.ts'
import { stringWindow, windowBytes } from './string-window.ts'

const window = stringWindow()
assert.ok(window)

/** What a walk finds, or its error. The document is indexed in one step. */
function outcome(bytes: Uint8Array): unknown {
  const { length } = bytes
  try {
    const steps = indexJson(bytes, { depthMax: 8, valuesMax: 10_000, decodeUtf8, bytesPerStep: length + 1 })
    const { kinds, starts, ends, count } = finish(steps).value
    return { kinds: kinds.slice(0, count), starts: starts.slice(0, count), ends: ends.slice(0, count) }
  } catch (error) {
    assert.ok(error instanceof BodyError)
    return error.message
  }
}

/** The same for a document that is too short for the window, moved to where it stands behind the blanks. */
function outcomeByBytes(document: Uint8Array, blanks: number): unknown {
  const found = outcome(document)
  if (typeof found === 'string') return found.replace(/(?<=at byte )\d+/, (at) => String(Number(at) + blanks))
  const { kinds, starts, ends } = found as { kinds: Uint8Array; starts: Int32Array; ends: Int32Array }
  return { kinds, starts: starts.map((at) => at + blanks), ends: ends.map((at) => at + blanks) }
}

const behindBlanks = (document: Uint8Array, blanks: number): Buffer =>
  Buffer.concat([Buffer.alloc(blanks, ' '), document])

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[ -!#-[\]-~]{1,40}$/) },
  fc.constantFrom('é', '語', '😀', '\u007f', '\\n', '\\"', '\\\\', '\\/', '\\t', '\\u00e9', '\\ud83d'),
  { weight: 1, arbitrary: fc.constantFrom('"', '\\x', '\\u00g1', '\\', '\n', '\u0001', '\u001f', '","', '":"') }
)
const document = fc
  .array(piece, { maxLength: 6 })
  .map((pieces) => Buffer.from(`["${pieces.join('')}"]`))
  .filter(({ length }) => length < 190)

describe('StringWindow', () => {
  it('finds in any string what reading byte by byte finds', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 200, max: 232 }), (bytes, blanks) => {
        assert.deepEqual(outcome(behindBlanks(bytes, blanks)), outcomeByBytes(bytes, blanks))
      }),
      { numRuns: 3000 }
    )
  })

  it('finds the same wherever a window ends', () => {
    const documents = [
      String.raw`["tab\tquote\"é\u00e9語\\","key"]`,
      String.raw`["bad \x escape"]`,
      String.raw`["bad \u00g1 escape"]`,
      '["a control character\n"]',
      '["never closed',
      String.raw`["never closed \u00`
    ].map((text) => Buffer.from(text))
    for (const bytes of documents)
      for (let before = 0; before <= bytes.length; before++) {
        const blanks = windowBytes - before
        assert.deepEqual(outcome(behindBlanks(bytes, blanks)), outcomeByBytes(bytes, blanks), `${bytes}, ${before}`)
      }
  })

  it('tells escapes and characters beyond ASCII of one string from those of the next', () => {
    const plain = 'x'.repeat(70)
    const index = indexOf([plain, `${plain}é`, plain, `${plain}\n`, `é${plain}\n${plain}`, plain, plain, plain])
    const flags = Array.from(index.kinds.subarray(1, index.count), (kind) => kind & (escapedFlag | nonAsciiFlag))
    assert.deepEqual(flags, [0, nonAsciiFlag, 0, escapedFlag, escapedFlag | nonAsciiFlag, 0, 0, 0])
  })

  it('keeps nothing of a document, whether it was read or refused', () => {
    const text = 'a client wrote this '.repeat(3 * 1024)
    for (const body of [JSON.stringify([text]), JSON.stringify([text]).replace(/"\]$/, '\n"]'), `["${text}`]) {
      outcome(Buffer.from(body))
      for (const at of [0, 1, windowBytes / 2, windowBytes - 1]) {
        window.load(new Uint8Array(at), 0, 0)
        assert.equal(window.pass(at), at, 'a byte is left')
      }
    }
  })
})
