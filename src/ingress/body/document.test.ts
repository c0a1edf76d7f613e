import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish } from '../../detection/engine/pace.ts'
import { decodeDocument as decoding, encodeDocument as encoding, type DecodedDocument } from './document.ts'

const decodeDocument = (encoded: string, form: 'base64' | 'data-uri'): DecodedDocument =>
  finish(decoding(encoded, form))
const encodeDocument = (document: DecodedDocument, content: string): string => finish(encoding(document, content))

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

test('what follows the padding of a first run is decoded as well', () => {
  const runs = [base64('first line.\n'), base64('second'), Buffer.from('third').toString('base64').replace('=', '')]
  assert.ok(runs[1]?.endsWith('=') === false && runs[0]?.endsWith('=') === false)
  assert.equal(decodeDocument(`${base64('a')}${runs.join('\n')}`, 'base64').content, 'afirst line.\nsecondthird')
})

const large = 200_000
const pieces = ['a', 'é', '漢', '😀', '\n', 'password ']
const textOf = (units: number, sign: string): string => `x${sign.repeat(units / sign.length)}`

test('a large document is decoded and encoded as a small one is, in any charset', () => {
  for (const charset of ['utf8', 'utf16le'] as const)
    for (const sign of pieces)
      for (const shift of ['', 'b', 'bc']) {
        const content = (charset === 'utf8' ? '' : '\ufeff') + shift + textOf(large, sign)
        const encoded = Buffer.from(content, charset).toString('base64')
        const document = decodeDocument(encoded, 'base64')
        assert.ok(document.content === content, `${charset} ${sign}`)
        assert.ok(encodeDocument(document, content) === encoded, `${charset} ${sign}`)
      }
  const old = Buffer.from(textOf(large, '\xe9 caf\xe9 '), 'latin1')
  const document = decodeDocument(old.toString('base64'), 'base64')
  assert.equal(document.charset, 'latin1')
  assert.ok(encodeDocument(document, document.content) === old.toString('base64'))
})

test('line breaks, padding and percent-encoding may stand anywhere in a large document', () => {
  const content = textOf(large, 'password ')
  const encoded = base64(content)
  for (const units of [1, 3, 61, 76]) {
    const lines = encoded.match(new RegExp(`.{1,${units}}`, 'g')) ?? []
    assert.ok(decodeDocument(lines.join('\r\n'), 'base64').content === content, `lines of ${units}`)
  }
  const padded = Array.from({ length: 9000 }, (_, i) => `line ${i}\n`)
  assert.ok(decodeDocument(padded.map(base64).join(''), 'base64').content === padded.join(''))
  for (const units of [0, 1, 2]) {
    const escaped = Array.from(encoded.slice(units), (sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')
    const uri = `data:text/plain;base64,${encoded.slice(0, units)}${escaped}`
    assert.ok(decodeDocument(uri, 'data-uri').content === content)
  }
})

test('neither decoding nor encoding handles more than a part of a large document in one go', () => {
  const content = textOf(10 * large, 'é')
  const steps = (work: Generator<void, unknown, void>): number => {
    let count = 1
    while (work.next().done !== true) count++
    return count
  }
  const encoded = base64(content)
  assert.ok(steps(decoding(encoded, 'base64')) > 1.5 * (encoded.length / 50_000))
  assert.ok(steps(encoding(decodeDocument(encoded, 'base64'), content)) > content.length / 50_000)
  const escaped = encoded.replaceAll(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  assert.ok(steps(decoding(`data:text/plain;base64,${escaped}`, 'data-uri')) > escaped.length / 50_000)
})
