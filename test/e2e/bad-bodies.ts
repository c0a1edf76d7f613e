/** Bodies that are invalid in every way, and bodies that only look invalid. */
import { deflateSync, brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** Limits of the service under test for {@link badBodies}. */
export const bodyBytesMax = 1_048_576
export const inflatedBytesMax = 2_097_152

interface BadBody {
  readonly name: string
  /** The body, with a planted e-mail address where a lenient parser would forward it. */
  body(email: string): string | Uint8Array
  readonly headers?: Record<string, string>
  readonly status: number
  /** Any of these codes, where several describe the error equally well. */
  readonly codes: readonly string[]
}

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
export const message = (content: string): string => `{"role":"user","content":${content}}`
export const conversation = (...messages: string[]): string =>
  `{"model":"m","max_tokens":9,"messages":[${messages.join(',')}]}`
const invalid = ['invalid_body', 'invalid_type', 'missing_field', 'invalid_value']
const repeated = ['duplicate_key']

export const badBodies: readonly BadBody[] = [
  { name: 'empty', body: () => '', status: 400, codes: ['invalid_json', 'invalid_body'] },
  { name: 'white space alone', body: () => ' \n\t ', status: 400, codes: ['invalid_json', 'invalid_body'] },
  { name: 'not JSON', body: (v) => `hello ${v}`, status: 400, codes: ['invalid_json'] },
  {
    name: 'cut short',
    body: (v) => conversation(message(`"${v}"`)).slice(0, -2),
    status: 400,
    codes: ['invalid_json']
  },
  { name: 'junk behind', body: (v) => `${conversation(message(`"${v}"`))}x`, status: 400, codes: ['invalid_json'] },
  {
    name: 'two documents',
    body: (v) => conversation(message(`"${v}"`)).repeat(2),
    status: 400,
    codes: ['invalid_json']
  },
  { name: 'trailing comma', body: (v) => `{"messages":[${message(`"${v}"`)},]}`, status: 400, codes: ['invalid_json'] },
  {
    name: 'single quotes',
    body: (v) => `{'messages':[{'role':'user','content':'${v}'}]}`,
    status: 400,
    codes: ['invalid_json']
  },
  { name: 'bad escape', body: (v) => conversation(message(`"${v} \\x41"`)), status: 400, codes: ['invalid_json'] },
  {
    name: 'line break in a string',
    body: (v) => conversation(message(`"${v}\n"`)),
    status: 400,
    codes: ['invalid_json']
  },
  { name: 'raw NUL in a string', body: (v) => conversation(message(`"${v}\0"`)), status: 400, codes: ['invalid_json'] },
  { name: 'raw NUL behind', body: (v) => `${conversation(message(`"${v}"`))}\0`, status: 400, codes: ['invalid_json'] },
  {
    name: 'byte order mark',
    body: (v) => `\ufeff${conversation(message(`"${v}"`))}`,
    status: 400,
    codes: ['invalid_json']
  },
  {
    name: 'UTF-16',
    body: (v) => Buffer.from(conversation(message(`"${v}"`)), 'utf16le'),
    status: 400,
    codes: ['invalid_json', 'invalid_utf8']
  },
  {
    name: 'invalid UTF-8',
    body: (v) => bytes(`{"messages":[{"role":"user","content":"${v} `, [0xff, 0xfe], '"}]}'),
    status: 400,
    codes: ['invalid_utf8']
  },
  {
    name: 'overlong UTF-8',
    body: (v) => bytes(`{"messages":[{"role":"user","content":"${v} `, [0xc0, 0xaf], '"}]}'),
    status: 400,
    codes: ['invalid_utf8']
  },
  {
    name: 'surrogate in UTF-8',
    body: (v) => bytes(`{"messages":[{"role":"user","content":"${v} `, [0xed, 0xa0, 0x80], '"}]}'),
    status: 400,
    codes: ['invalid_utf8']
  },
  { name: 'an array', body: (v) => `[${message(`"${v}"`)}]`, status: 400, codes: invalid },
  { name: 'a string', body: (v) => `"${v}"`, status: 400, codes: invalid },
  { name: 'a number', body: () => '7', status: 400, codes: invalid },
  { name: 'null', body: () => 'null', status: 400, codes: invalid },
  { name: 'no messages', body: (v) => `{"model":"m","prompt":"${v}"}`, status: 400, codes: invalid },
  { name: 'messages a string', body: (v) => `{"messages":"${v}"}`, status: 400, codes: invalid },
  { name: 'messages null', body: () => '{"messages":null}', status: 400, codes: invalid },
  { name: 'messages an object', body: (v) => `{"messages":{"0":${message(`"${v}"`)}}}`, status: 400, codes: invalid },
  { name: 'a message a string', body: (v) => conversation(`"${v}"`), status: 400, codes: invalid },
  { name: 'a message without a role', body: (v) => conversation(`{"content":"${v}"}`), status: 400, codes: invalid },
  {
    name: 'a role that is a number',
    body: (v) => conversation(`{"role":5,"content":"${v}"}`),
    status: 400,
    codes: invalid
  },
  { name: 'content a number', body: () => conversation(message('5')), status: 400, codes: invalid },
  { name: 'content a boolean', body: () => conversation(message('true')), status: 400, codes: invalid },
  { name: 'model a number', body: (v) => `{"model":5,"messages":[${message(`"${v}"`)}]}`, status: 400, codes: invalid },
  {
    name: 'stream a string',
    body: (v) => `{"stream":"yes","messages":[${message(`"${v}"`)}]}`,
    status: 400,
    codes: invalid
  },
  {
    name: 'role twice',
    body: (v) => conversation(`{"role":"user","role":"assistant","content":"${v}"}`),
    status: 400,
    codes: repeated
  },
  {
    name: 'content twice',
    body: (v) => conversation(`{"role":"user","content":"${v}","content":"b"}`),
    status: 400,
    codes: repeated
  },
  {
    name: 'content twice, once escaped',
    body: (v) => conversation(String.raw`{"role":"user","content":"a","\u0063ontent":"${v}"}`),
    status: 400,
    codes: repeated
  },
  {
    name: 'type twice',
    body: (v) => conversation(`{"role":"user","content":[{"type":"text","type":"image","text":"${v}"}]}`),
    status: 400,
    codes: repeated
  },
  {
    name: 'messages twice',
    body: (v) => `{"messages":[],"messages":[${message(`"${v}"`)}]}`,
    status: 400,
    codes: repeated
  },
  {
    name: 'messages twice, once escaped',
    body: (v) => String.raw`{"messages":[],"m\u0065ssages":[${message(`"${v}"`)}]}`,
    status: 400,
    codes: repeated
  },
  {
    name: 'too deep',
    body: (v) => conversation(`{"role":"user","content":"${v}","x":${'['.repeat(300)}${']'.repeat(300)}}`),
    status: 400,
    codes: ['too_deep']
  },
  { name: 'far too deep', body: () => '['.repeat(200_000), status: 400, codes: ['too_deep', 'invalid_json'] },
  {
    name: 'too many values',
    body: (v) => `{"x":[${'0,'.repeat(60_000)}0],"messages":[${message(`"${v}"`)}]}`,
    status: 400,
    codes: ['too_many_values']
  },
  {
    name: 'too large',
    body: (v) => conversation(message(`"${v}${' '.repeat(bodyBytesMax)}"`)),
    status: 413,
    codes: ['body_too_large']
  },
  {
    name: 'too large once inflated',
    body: (v) => gzipSync(conversation(message(`"${v}${' '.repeat(inflatedBytesMax)}"`))),
    headers: { 'content-encoding': 'gzip' },
    status: 413,
    codes: ['inflated_too_large']
  },
  {
    name: 'unknown encoding',
    body: (v) => conversation(message(`"${v}"`)),
    headers: { 'content-encoding': 'compress' },
    status: 415,
    codes: ['unsupported_encoding']
  },
  {
    name: 'two encodings',
    body: (v) => gzipSync(gzipSync(conversation(message(`"${v}"`)))),
    headers: { 'content-encoding': 'gzip, gzip' },
    status: 415,
    codes: ['unsupported_encoding']
  },
  {
    name: 'gzip that is none',
    body: (v) => conversation(message(`"${v}"`)),
    headers: { 'content-encoding': 'gzip' },
    status: 400,
    codes: ['invalid_encoding']
  },
  {
    name: 'gzip cut short',
    body: (v) => gzipSync(conversation(message(`"${v}"`))).subarray(0, -6),
    headers: { 'content-encoding': 'gzip' },
    status: 400,
    codes: ['invalid_encoding']
  },
  {
    name: 'gzip with a wrong checksum',
    body: (v) => brokenChecksum(gzipSync(conversation(message(`"${v}"`)))),
    headers: { 'content-encoding': 'gzip' },
    status: 400,
    codes: ['invalid_encoding']
  },
  {
    name: 'gzip of what is not JSON',
    body: (v) => gzipSync(`hello ${v}`),
    headers: { 'content-encoding': 'gzip' },
    status: 400,
    codes: ['invalid_json']
  }
]

function brokenChecksum(zipped: Buffer): Buffer {
  const at = zipped.length - 8
  zipped.writeUInt8(zipped.readUInt8(at) ^ 0xff, at)
  return zipped
}

interface OddBody {
  readonly name: string
  body(email: string): string | Uint8Array
  readonly headers?: Record<string, string>
}

/** Odd but valid: forwarded, with the planted value masked. */
export const oddBodies: readonly OddBody[] = [
  { name: 'lone surrogate escapes', body: (v) => conversation(message(String.raw`"\ud800 ${v} \udc00\ud83d"`)) },
  { name: 'escaped NUL', body: (v) => conversation(message(String.raw`"\u0000${v} \u0000"`)) },
  {
    name: 'every character escaped',
    body: (v) =>
      conversation(message(`"${[...v].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`))
  },
  {
    name: '100,000 messages',
    body: (v) => conversation(...Array.from({ length: 100_000 }, (_, i) => message(i === 50_000 ? `"${v}"` : '""')))
  },
  { name: 'a doubled unknown key', body: (v) => `{"x":1,"x":2,"messages":[${message(`"${v}"`)}]}` },
  { name: 'white space around', body: (v) => `\r\n\t ${conversation(message(`"${v}"`))} \n` },
  { name: 'gzip', body: (v) => gzipSync(conversation(message(`"${v}"`))), headers: { 'content-encoding': 'gzip' } },
  {
    name: 'deflate',
    body: (v) => deflateSync(conversation(message(`"${v}"`))),
    headers: { 'content-encoding': 'deflate' }
  },
  {
    name: 'brotli',
    body: (v) => brotliCompressSync(conversation(message(`"${v}"`))),
    headers: { 'content-encoding': 'br' }
  },
  {
    name: 'zstd',
    body: (v) => zstdCompressSync(conversation(message(`"${v}"`))),
    headers: { 'content-encoding': 'zstd' }
  },
  { name: 'identity', body: (v) => conversation(message(`"${v}"`)), headers: { 'content-encoding': 'identity' } }
]
