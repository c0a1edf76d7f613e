import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { filler } from '../../detection/sample-text.ts'
import { decodedError, repeatsCredential } from './repeats.ts'

const key = `gw/${filler(12, undefined, 41)}+&"${filler(12, undefined, 42)}==`
const isRepeated = (text: string): boolean => repeatsCredential(Buffer.from(text), key)

test('a credential is recognised however the error writes it', () => {
  const json = JSON.stringify({ error: { message: `The key ${key} is over its quota — or expired.` } })
  for (const text of [
    key,
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll('&', '\\u0026').replaceAll('+', '\\u002B'),
    `<a href="/keys?key=${encodeURIComponent(key)}">`
  ])
    assert.ok(isRepeated(text), text)
})

test('an error that names another key, or none, passes', () => {
  const other = JSON.stringify({ error: { message: `The key ${key.slice(0, -4)} is\n\\${'u00'} unknown.` } })
  for (const text of ['', '{"error":{"message":"Too many requests."}}', other]) assert.ok(!isRepeated(text), text)
})

test('an error is read however it is compressed, up to a limit', () => {
  const error = Buffer.from(JSON.stringify({ error: { message: `The key ${key} is unknown.` } }))
  const compressed: readonly (readonly [string | undefined, Buffer])[] = [
    [undefined, error],
    ['identity', error],
    ['', error],
    ['gzip', gzipSync(error)],
    ['X-GZIP', gzipSync(error)],
    ['deflate', deflateSync(error)],
    ['deflate', deflateRawSync(error)],
    ['br', brotliCompressSync(error)],
    ['zstd', zstdCompressSync(error)]
  ]
  for (const [encoding, bytes] of compressed) assert.deepEqual(decodedError(bytes, encoding), error, encoding ?? 'none')
  assert.deepEqual(decodedError(Buffer.alloc(0), 'gzip'), Buffer.alloc(0))
  const unreadable: readonly (readonly [string | string[], Buffer])[] = [
    ['gzip', error],
    ['gzip', gzipSync(error).subarray(0, -9)],
    ['gzip', gzipSync(Buffer.alloc(1_000_000))],
    ['compress', error],
    ['constructor', error],
    [['gzip', 'gzip'], gzipSync(gzipSync(error))]
  ]
  for (const [encoding, bytes] of unreadable) assert.equal(decodedError(bytes, encoding), undefined, String(encoding))
})
