import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeDocument, encodeDocument } from './document.ts'

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes as string).toString('base64')

test('a UTF-8 document is decoded and encoded again', () => {
  const document = decodeDocument(base64('mail añä@corp.dev'), 'base64')
  assert.equal(document.content, 'mail añä@corp.dev')
  assert.equal(encodeDocument(document, 'mail EMAIL'), base64('mail EMAIL'))
})

test('a data URI keeps its prefix before the base64', () => {
  const document = decodeDocument(`data:text/plain;base64,${base64('a b')}`, 'data-uri')
  assert.equal(document.content, 'a b')
  assert.equal(encodeDocument(document, 'c d'), `data:text/plain;base64,${base64('c d')}`)
})

test('bytes that are not UTF-8 survive unchanged', () => {
  const bytes = Buffer.from([0x61, 0xe9, 0xff, 0x62])
  const document = decodeDocument(bytes.toString('base64'), 'base64')
  assert.equal(encodeDocument(document, document.content), bytes.toString('base64'))
})

test('text in an old encoding is text, media is not', () => {
  assert.equal(decodeDocument(base64(Buffer.from('caf\xe9\r\n\tx', 'latin1')), 'base64').isBinary, false)
  assert.equal(
    decodeDocument(base64(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff])), 'base64').isBinary,
    true
  )
})
