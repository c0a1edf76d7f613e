import assert from 'node:assert/strict'
import test from 'node:test'
import { type ByteList, isEscapedBytes, readByteList } from './byte-list.ts'

const bytes = [83, 119, 213, 109, 63, 75, 145, 17, 195, 173, 213, 4, 122, 52, 40, 86]
const decimal = bytes.join(', ')
const hex = bytes.map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ')

/** The list behind the word `key` and its operator, as it is written there. */
function listOf(text: string): string | undefined {
  const list: ByteList = { start: 0, end: 0, count: 0 }
  const at = text.indexOf('key')
  return readByteList(text, at, text.slice(at).search(/[:=]/) + at + 1, list)
    ? text.slice(list.start, list.end)
    : undefined
}

test('a list of bytes is read in the syntax of any language', () => {
  assert.equal(listOf(`key := []byte{${decimal}}`), decimal)
  assert.equal(listOf(`key = bytes([${decimal}])`), decimal)
  assert.equal(listOf(`let key: [u8; 16] = [${decimal}];`), decimal)
  assert.equal(listOf(`const key = new Uint8Array([${decimal},\n]);`), decimal)
  assert.equal(listOf(`unsigned char key[16] = {\n  ${hex}\n};`), hex)
  assert.equal(listOf(`key = (${hex})`), hex)
  const casts = bytes.map((byte) => (byte > 127 ? `(byte)${String(byte)}` : String(byte))).join(', ')
  assert.equal(listOf(`key = new byte[] { ${casts} };`), casts)
  const signed = bytes.map((byte) => (byte > 127 ? byte - 256 : byte)).join(', ')
  assert.equal(listOf(`byte[] key = { ${signed} };`), signed)
  const converted = bytes.map((byte) => `${String(byte)}.toByte()`).join(', ')
  assert.equal(listOf(`val key = byteArrayOf(${converted})`), converted)
})

test('numbers that no word or notation calls bytes, and what is too short, too large or regular, are left alone', () => {
  assert.equal(listOf(`key = [${decimal}]`), undefined)
  assert.equal(listOf(`key = bytes([${bytes.slice(0, 8).join(', ')}])`), undefined)
  assert.equal(listOf(`key = bytes([${decimal}, 256])`), undefined)
  assert.equal(listOf(`key = bytes([${decimal}`), undefined)
  assert.equal(listOf(`key = bytes([${Array.from({ length: 16 }, (_, i) => i * 3).join(', ')}])`), undefined)
  assert.equal(listOf(`key = bytes([${Array.from({ length: 16 }, (_, i) => i % 4).join(', ')}])`), undefined)
  assert.equal(listOf(`key = bytes([43, 126, 21, 22, ${decimal}])`), undefined)
  assert.equal(listOf(`key = open("key", bytes([${decimal}]))`), undefined)
})

test('behind the name of a secret, as many numbers as a key has bytes need no sign', () => {
  const list: ByteList = { start: 0, end: 0, count: 0 }
  assert.ok(readByteList(`secretKey: [${decimal}]`, 0, 10, list, true))
  assert.ok(!readByteList(`secretKey: [${decimal}, 7]`, 0, 10, list, true))
})

test('a string of escapes is a list of bytes if nothing else is in it', () => {
  const escaped = bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  assert.ok(isEscapedBytes(escaped, 0, escaped.length))
  assert.ok(!isEscapedBytes(escaped, 0, escaped.length - 1))
  assert.ok(!isEscapedBytes(`${escaped}beef`, 0, escaped.length + 4))
  assert.ok(!isEscapedBytes('\\x00'.repeat(16), 0, 64))
})
