import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import test from 'node:test'
import { createScanner } from '../../scanner.ts'

const scanner = createScanner()
const found = (text: string) => scanner.scan(text).map(({ start, end }) => text.slice(start, end))

/** Keys whose base64 ends in no, one and two characters of padding. */
const keys = ['', '\n', '\n\n'].map((end) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'sec1', format: 'pem' })
  return Buffer.from(pem.trim() + end).toString('base64')
})

test('a framed key in base64 ends with its frame, whatever follows', () => {
  assert.deepEqual(new Set(keys.map((key) => key.length - key.replace(/=+$/, '').length)).size, 3)
  const texts = [
    'the key is ? and the region is eu',
    'ENV TLS_KEY=?\nENV PORT=3000\nRUN make\n',
    'TLS_KEY=?\nTZ=UTC\n',
    'id,tls_key,created\n1,?,2026-01-02\n',
    'tls_key=? attempt=1',
    'please use\n?\nthanks'
  ]
  for (const key of keys) for (const text of texts) assert.deepEqual(found(text.replace('?', key)), [key], text)
})

test('it is masked whole where it is wrapped', () => {
  for (const key of keys) {
    const wrapped = key.replace(/(.{64})/g, '$1\n')
    assert.deepEqual(found(`data:\n${wrapped}\nnext line\n`), [wrapped])
  }
})
