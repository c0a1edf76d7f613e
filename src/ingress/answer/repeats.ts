/** Whether an upstream's error repeats the credential with which it was called. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer

/**
 * Many servers send `deflate` without the header of zlib that the name stands for (RFC 9110, 8.4.1.2), and clients read
 * both. A header of zlib says method 8 and is a multiple of 31 (RFC 1950, 2.2).
 */
const inflateEither: Decode = (bytes, options) => {
  const head = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  return ((head >> 8) & 15) === 8 && head % 31 === 0 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
}

const decoders = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync]
])

/** Most bytes of a decompressed error; decompressing so many takes less than a millisecond. */
const decodedBytesMax = 262_144

/**
 * Decompresses an error: some gateways compress every answer, although an upstream is asked for plain ones.
 * @param encoding the answer's `content-encoding`
 * @returns undefined if the error is cut, too long, or compressed in another way, so that nobody can tell what it says
 */
export function decodedError(body: Buffer, encoding: string | string[] = 'identity'): Buffer | undefined {
  const name = String(encoding).toLowerCase()
  if (name === 'identity' || name === '' || body.length === 0) return body
  try {
    return decoders.get(name)?.(body, { maxOutputLength: decodedBytesMax })
  } catch {
    return undefined
  }
}

/**
 * Looks for a credential as it is, in JSON with whatever escapes (PHP writes `\/`, Go `\u0026`), and in a URL.
 * @param body the beginning of an answer
 * @param credential visible ASCII
 */
export function repeatsCredential(body: Buffer, credential: string): boolean {
  const text = body.toString('latin1')
  if (text.includes(credential) || text.includes(encodeURIComponent(credential))) return true
  return text.includes('\\') && unescaped(text).includes(credential)
}

/** Without a regular expression: V8 would keep its last subject, which may quote a client's text. */
function unescaped(text: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
    parts.push(text.slice(from, at))
    const isCode = text.charAt(at + 1) === 'u'
    from = at + (isCode ? 6 : 2)
    parts.push(isCode ? String.fromCharCode(Number.parseInt(text.slice(at + 2, from), 16)) : text.charAt(at + 1))
  }
  parts.push(text.slice(from))
  return parts.join('')
}
