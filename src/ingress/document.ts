/** Documents that carry their text in base64: decoded to be scanned, and encoded again where something was masked. */
import { isUtf8 } from 'node:buffer'
import type { TextEncoding } from '../dialects/dialect.ts'

export interface DecodedDocument {
  readonly content: string
  /** What stands before the base64 in a data URI, `data:text/plain;base64,`; empty otherwise. */
  readonly prefix: string
  readonly charset: 'utf8' | 'latin1'
  /** Whether the bytes are no text in any 8-bit encoding: a medium, which must not be changed. */
  readonly isBinary: boolean
}

/** Control characters other than tab, line feed, form feed, carriage return and escape, which texts do not have. */
// oxlint-disable-next-line no-control-regex
const control = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/**
 * Decodes a base64 text. Bytes that are not UTF-8 are read as Latin-1, which loses none of them, so that a document in
 * an old encoding is still scanned and comes out unharmed.
 */
export function decodeDocument(encoded: string, encoding: Exclude<TextEncoding, 'plain'>): DecodedDocument {
  const prefix = encoding === 'data-uri' ? encoded.slice(0, encoded.indexOf(',') + 1) : ''
  const bytes = Buffer.from(encoded.slice(prefix.length), 'base64')
  const charset = isUtf8(bytes) ? 'utf8' : 'latin1'
  const content = bytes.toString(charset)
  return { content, prefix, charset, isBinary: charset === 'latin1' && control.test(content) }
}

/** The masked text in the form in which it came. */
export function encodeDocument(document: DecodedDocument, content: string): string {
  return document.prefix + Buffer.from(content, document.charset).toString('base64')
}
