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
  ['application/octet-stream', 'unknown'],
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
})
