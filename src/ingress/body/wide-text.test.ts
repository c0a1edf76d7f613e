import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHeapStatistics } from 'node:v8'
import { wideText } from './wide-text.ts'

function read(bytes: Uint8Array | string): string {
  const work = wideText(Buffer.from(bytes as Uint8Array).toString('latin1'))
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value
}

const words = 'a secret of some length'
const wide = (text: string) => Buffer.from(text, 'utf16le')
const wider = (text: string) => Buffer.concat([...text].map((letter) => Buffer.from([letter.charCodeAt(0), 0, 0, 0])))

test('text in wide units is read at any offset and in either byte order', () => {
  for (const encode of [wide, (text: string) => wide(text).swap16(), wider, (text: string) => wider(text).swap32()])
    for (const before of [0, 1, 2, 3])
      for (const after of [0, 1]) {
        const bytes = Buffer.concat([Buffer.alloc(before, 0xe4), encode(words), Buffer.alloc(after, 0xe4)])
        assert.equal(read(bytes).trim(), words)
      }
})

test('each run is on a line of its own, and short runs are left out', () => {
  const bytes = [wide(words), Buffer.from([0xff, 0xfe]), wide('short'), Buffer.from([0xff, 0xfe]), wide(words)]
  assert.equal(read(Buffer.concat(bytes)), `${words}\n${words}`)
})

test('bytes without wide text give nothing', () => {
  for (const bytes of ['', words, `${words}\0`, '\0'.repeat(500), 'ab\0cd\0ef\0gh\0ij\0kl'])
    assert.equal(read(bytes), '', JSON.stringify(bytes))
  assert.equal(read(Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)), '')
})

test('a long text is read with pauses', () => {
  const work = wideText(wide(words.repeat(20_000)).toString('latin1'))
  let pauses = 0
  while (work.next().done !== true) pauses++
  assert.ok(pauses >= 5, String(pauses))
})

test('the buffer has room for the shortest runs, however many', () => {
  const letters = 'letters!'
  for (const end of ['\u0001', '']) {
    const bytes = Buffer.from(`${wide(letters).toString('latin1')}${end}`.repeat(5000), 'latin1')
    const text = read(end === '' ? bytes : Buffer.concat([bytes, wide(letters)]))
    assert.equal(text, end === '' ? letters.repeat(5000) : `${letters}\n`.repeat(5000) + letters)
  }
  const withoutLastZero = wide(letters).subarray(0, -1).toString('latin1')
  assert.equal(read(Buffer.from(`${withoutLastZero}`.repeat(5000), 'latin1')), `${letters}\n`.repeat(4999) + letters)
})

test('reading a long run takes little more memory than its characters', () => {
  const content = wide('a'.repeat(4_000_000)).toString('latin1')
  const before = getHeapStatistics().used_heap_size
  const work = wideText(content)
  let most = 0
  while (work.next().done !== true) most = Math.max(most, getHeapStatistics().used_heap_size - before)
  assert.ok(most < 32_000_000, String(most))
})
