import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filler } from '../../detection/sample-text.ts'
import { repeatsCredential } from './repeats.ts'

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
