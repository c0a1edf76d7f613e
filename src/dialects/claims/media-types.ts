/** Classifies a payload for the scan, by its media type and its first bytes. */

/** Readable text, unreadable media, or something that has to be tried. */
export type MediaClass = 'text' | 'media' | 'unknown'

const mediaFamilies = ['image/', 'audio/', 'video/', 'font/']
const textTypes = new Set([
  'image/svg',
  ...[
    'json',
    'xml',
    'csv',
    'yaml',
    'x-yaml',
    'yml',
    'toml',
    'x-toml',
    'javascript',
    'x-javascript',
    'typescript',
    'x-typescript',
    'ecmascript',
    'sql',
    'graphql',
    'x-sh',
    'x-ndjson',
    'ndjson',
    'jsonl',
    'x-jsonlines',
    'rtf',
    'x-www-form-urlencoded',
    'x-httpd-php',
    'x-python'
  ].map((name) => `application/${name}`)
])

/** @param type a media type, in any case; parameters do not matter */
export function mediaClassOf(type: string): MediaClass {
  const name = type.split(';', 1)[0]!.trim().toLowerCase()
  if (name.startsWith('text/') || textTypes.has(name)) return 'text'
  if (name.endsWith('+json') || name.endsWith('+xml') || name.endsWith('+yaml')) return 'text'
  const isPdf = name === 'application/pdf' || name === 'application/x-pdf'
  return isPdf || mediaFamilies.some((family) => name.startsWith(family)) ? 'media' : 'unknown'
}

/** What the first bytes of a payload look like. `binary`: neither text nor a known format. */
export type Look = 'pdf' | 'media' | 'text' | 'binary'

/** Bytes that {@link lookOf} needs. */
export const lookBytes = 24

/**
 * First bytes of media formats, one character per byte, `?` for any. As long as the format defines them, since text may
 * begin with `BM` or `ID3`. Sources: the formats' specifications, and WHATWG MIME Sniffing, section 6.
 */
const signatures = [
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff', // JPEG
  'GIF87a',
  'GIF89a',
  'RIFF????WEBP',
  'RIFF????WAVE',
  'RIFF????AVI ',
  'BM????\0\0\0\0',
  'II*\0', // TIFF, both byte orders, then BigTIFF
  'MM\0*',
  'II+\0',
  'MM\0+',
  '\0\0\0?ftyp', // MP4, M4A, HEIC, AVIF: a first box of less than 256 bytes
  '\0\0\x01\0', // ICO
  '\0\0\0\x0cJXL ',
  '\xff\x0a', // JPEG XL without a container
  'ID3\x02',
  'ID3\x03',
  'ID3\x04',
  'OggS\0',
  'fLaC\0',
  'fLaC\x80',
  'FORM????AIFF',
  'FORM????AIFC',
  'caff\0\x01',
  '#!AMR',
  '\x1aE\xdf\xa3' // Matroska, WebM
]

function beginsWith(head: Uint8Array, signature: string): boolean {
  if (head.length < signature.length) return false
  for (let i = 0; i < signature.length; i++) {
    const code = signature.charCodeAt(i)
    if (code !== 0x3f && code !== head[i]) return false
  }
  return true
}

/** @param head the first {@link lookBytes} bytes, or all if there are fewer */
export function lookOf(head: Uint8Array): Look {
  if (beginsWith(head, '%PDF')) return 'pdf'
  if (signatures.some((signature) => beginsWith(head, signature))) return 'media'
  // Before MP3 and AAC frames, since one of the byte order marks looks like one.
  if (isUtf8Text(head) || isUtf16Text(head)) return 'text'
  // The frames of MP3 and of AAC (ADTS) begin with eleven set bits.
  return head[0] === 0xff && head[1]! >= 0xe0 ? 'media' : 'binary'
}

/** Printable UTF-8, whose last character may be cut off. */
function isUtf8Text(head: Uint8Array): boolean {
  for (let at = 0; at < head.length;) {
    const length = characterLength(head[at]!)
    if (length === 0) return false
    for (let i = at + 1; i < Math.min(at + length, head.length); i++) if ((head[i]! & 0xc0) !== 0x80) return false
    at += length
  }
  return true
}

/** Fewer bytes with a zero in every other position may be anything. */
const utf16BytesMin = 8

/** Printable ASCII in UTF-16 of either byte order, with or without a byte order mark. */
function isUtf16Text(head: Uint8Array): boolean {
  if (head.length < utf16BytesMin) return false
  const hasMark = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  const from = hasMark ? 2 : 0
  const high = head[from] === 0 ? 0 : 1
  for (let at = from; at < head.length; at++) {
    const byte = head[at]!
    if (at % 2 === high ? byte !== 0 : characterLength(byte) !== 1) return false
  }
  return true
}

/** Length in bytes of the character that begins with `byte`; 0 if no printable one does. */
function characterLength(byte: number): number {
  if (byte < 0x80) return byte === 0x7f || (byte < 0x20 && !isTextControl(byte)) ? 0 : 1
  if (byte < 0xc2 || byte > 0xf4) return 0
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
}

/** Tab, line feed, form feed, carriage return, escape. */
function isTextControl(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b
}
