/** The charset of a content type. */

const charsetParameters = /;\s*charset\s*=\s*"?([^";\s]*)/gi
const readableCharsets = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/**
 * Whether a body with this content type can be read as UTF-8. JSON's only charset is UTF-8 (RFC 8259), but a client
 * that names another has most likely used it, and its characters would be misread.
 */
export function isUtf8(contentType: string): boolean {
  return [...contentType.matchAll(charsetParameters)].every(([, name = '']) => readableCharsets.has(name.toLowerCase()))
}
