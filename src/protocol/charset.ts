/** What a content type says of how its text is written. */

const charsetParameters = /;\s*charset\s*=\s*"?([^";\s]*)/gi
const readableCharsets = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/**
 * Whether reading a body as UTF-8 is reading what its content type says. JSON knows no charset but UTF-8 (RFC 8259); who
 * names another one has most likely written in it, and its letters would become others.
 */
export function isUtf8(contentType: string): boolean {
  return [...contentType.matchAll(charsetParameters)].every(([, name = '']) => readableCharsets.has(name.toLowerCase()))
}
