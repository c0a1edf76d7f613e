import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lookBytes, lookOf, mediaClassOf, type Look, type MediaClass } from './media-types.ts'

const types: readonly (readonly [type: string, media: MediaClass])[] = [
  ['text/plain', 'text'],
  ['TEXT/Markdown', 'text'],
  ['text/plain; charset=utf-8', 'text'],
  ['application/json', 'text'],
  ['application/vnd.api+json', 'text'],
  ['image/svg+xml', 'text'],
  ['image/svg', 'text'],
  ['image/png', 'media'],
  [' image/jpeg ;q=1', 'media'],
  ['audio/mpeg', 'media'],
  ['video/mp4', 'media'],
  ['application/pdf', 'media'],
  ['application/x-pdf', 'media'],
  ['font/woff2', 'media'],
  ['application/vnd.oai.openapi+yaml', 'text'],
  ['application/atom+xml;type=entry;charset=utf-8', 'text'],
  ...[
    ...['xml', 'csv', 'yaml', 'x-yaml', 'yml', 'toml', 'x-toml', 'javascript', 'x-javascript', 'typescript'],
    ...['x-typescript', 'ecmascript', 'sql', 'graphql', 'x-sh', 'x-ndjson', 'ndjson', 'jsonl', 'x-jsonlines', 'rtf'],
    ...['x-www-form-urlencoded', 'x-httpd-php', 'x-python']
  ].map((name) => [`application/${name}`, 'text'] as const),
  ['application/octet-stream', 'unknown'],
  ['application/xmlish', 'unknown'],
  ['application/zip', 'unknown'],
  ['', 'unknown'],
  ['nonsense', 'unknown']
]

const looks: readonly (readonly [name: string, head: string, look: Look])[] = [
  ['PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'media'],
  ['JPEG', '\xff\xd8\xff\xe0\0\x10JFIF\0', 'media'],
  ['GIF', 'GIF89a\x01\0\x01\0\x80\0\0', 'media'],
  ['WEBP', 'RIFF\x24\0\0\0WEBPVP8 ', 'media'],
  ['BMP', 'BM\x36\0\x0c\0\0\0\0\0\x36\0', 'media'],
  ['TIFF', 'II*\0\x08\0\0\0', 'media'],
  ['TIFF, big endian', 'MM\0*\0\0\0\x08', 'media'],
  ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0', 'media'],
  ['AVIF', '\0\0\0\x20ftypavif\0\0\0\0', 'media'],
  ['MP4', '\0\0\0\x1cftypisom\0\0\x02\0', 'media'],
  ['ICO', '\0\0\x01\0\x01\0\x10\x10', 'media'],
  ['GIF of 1987', 'GIF87a\x01\0\x01\0\x80\0\0', 'media'],
  ['AVI', 'RIFF\x24\0\0\0AVI LIST', 'media'],
  ['BigTIFF', 'II+\0\x08\0\0\0', 'media'],
  ['BigTIFF, big endian', 'MM\0+\0\x08\0\0', 'media'],
  ['JPEG XL', '\0\0\0\x0cJXL \r\n\x87\n', 'media'],
  ['JPEG XL without a container', '\xff\x0a\x7a\x3f\0\0', 'media'],
  ['MP3 with tags of version 2', 'ID3\x02\0\0\0\0\0\x23', 'media'],
  ['MP3 with tags of version 3', 'ID3\x03\0\0\0\0\0\x23', 'media'],
  ['FLAC of one block', 'fLaC\x80\0\0\x22', 'media'],
  ['AIFF', 'FORM\0\0\x10\0AIFFCOMM', 'media'],
  ['AIFC', 'FORM\0\0\x10\0AIFCFVER', 'media'],
  ['CAF', 'caff\0\x01\0\0desc', 'media'],
  ['AMR', '#!AMR\n\x3c\0\x11', 'media'],
  ['all but the first byte of a PNG', '\x88PNG\r\n\x1a\n\0\0\0\rIHDR', 'binary'],
  ['all but the last byte of a PNG', '\x89PNG\r\n\x1a', 'binary'],
  ['eleven set bits', '\xff\xe0\x90\x64', 'media'],
  ['ten set bits', '\xff\xdf\x90\x64', 'binary'],
  ['set bits that come late', '\xfe\xfb\x90\x64', 'binary'],
  ['MP3 with tags', 'ID3\x04\0\0\0\0\0\x23', 'media'],
  ['MP3', '\xff\xfb\x90\x64', 'media'],
  ['AAC', '\xff\xf1\x50\x80', 'media'],
  ['WAV', 'RIFF\x24\x08\0\0WAVEfmt ', 'media'],
  ['OGG', 'OggS\0\x02\0\0', 'media'],
  ['FLAC', 'fLaC\0\0\0\x22', 'media'],
  ['WebM', '\x1aE\xdf\xa3\x01\0', 'media'],
  ['PDF', '%PDF-1.7\n1 0 obj\n<<', 'pdf'],
  ['SVG', '<svg xmlns="http://www.w', 'text'],
  ['words', 'Dear reader, these are 2', 'text'],
  ['words that begin as BMP does', 'BM is what we call them ', 'text'],
  ['words that begin as MP3 does', 'ID3 is a tag for music.', 'text'],
  ['words that begin as WAV does', 'RIFF files hold chunks.', 'text'],
  ['lines', 'a,b\r\n\t1,2\f\x1b[0m', 'text'],
  ['words with a byte order mark', '\xef\xbb\xbfGr\xc3\xbc\xc3\x9fe', 'text'],
  ['a character cut off', 'aaaaaaaaaaaaaaaaaaaaaaa\xe2', 'text'],
  ['an emoji cut off', 'aaaaaaaaaaaaaaaaaaaaa\xf0\x9f\x98', 'text'],
  ['UTF-16', 'H\0e\0l\0l\0o\0', 'text'],
  ['UTF-16, big endian', '\0H\0e\0l\0l\0o', 'text'],
  ['UTF-16 with a byte order mark', '\xff\xfeH\0e\0l\0l\0o\0', 'text'],
  ['UTF-16 with the other mark', '\xfe\xff\0H\0e\0l\0l\0o', 'text'],
  ['half a mark', '\xfe\x41\0H\0e\0l\0l\0o', 'binary'],
  ['half of the other mark', '\xff\x41H\0e\0l\0l\0o\0', 'binary'],
  ['the second half of a mark', 'A\xfeH\0e\0l\0l\0', 'binary'],
  ['the second half of the other mark', 'A\xff\0H\0e\0l\0l', 'binary'],
  ['UTF-16 behind a control character', '\x01\0H\0e\0l\0l\0o\0', 'binary'],
  ['UTF-16 of the least length', 'H\0e\0l\0l\0', 'text'],
  ['UTF-16 that is shorter', 'H\0e\0l\0', 'binary'],
  ['UTF-16 that is a byte shorter', 'H\0e\0l\0l', 'binary'],
  ['zeros', '\0\0\0\0\0\0\0\0\0\0', 'binary'],
  ['a zero too many', 'H\0e\0l\0\0\0o\0', 'binary'],
  ['too little to tell', 'H\0e\0', 'binary'],
  ['nothing', '', 'text'],
  ['samples of sound', '\x01\0\xfe\xff\x02\0\xfd\xff', 'binary'],
  ['broken UTF-8', 'abc\xc3(', 'binary'],
  ['Latin-1', 'Gr\xfc\xdfe', 'binary'],
  ['an overlong form', '\xc0\xafabc', 'binary'],
  ['a control character', 'abc\x01', 'binary'],
  ['a zero', 'abc\0', 'binary'],
  ['DEL', 'abc\x7f', 'binary']
]

describe('mediaClassOf', () => {
  for (const [type, media] of types) it(`${type} is ${media}`, () => assert.equal(mediaClassOf(type), media))
})

describe('lookOf', () => {
  for (const [name, head, look] of looks) {
    it(`${name}: ${look}`, () => {
      assert.ok(head.length <= lookBytes)
      assert.equal(lookOf(Buffer.from(head, 'latin1')), look)
    })
  }

  it('recognises text by bytes that begin, and continue, as characters of UTF-8', () => {
    for (let first = 0; first <= 0xff; first++) {
      // RFC 3629, section 3: 110xxxxx begins two bytes, 1110xxxx three, 11110xxx four; C0, C1 and F5 to FF never occur.
      const length = first < 0x80 ? 1 : first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
      const isControl = first === 0x7f || (first < 0x20 && !'\t\n\f\r\x1b'.includes(String.fromCharCode(first)))
      for (let more = 0; more < 4; more++) {
        const head = Buffer.of(first, ...[0x90, 0x90, 0x90].slice(0, more), 0x61, 0x61)
        assert.equal(lookOf(head) === 'text', length === more + 1 && !isControl, head.toString('hex'))
      }
    }
  })
})
