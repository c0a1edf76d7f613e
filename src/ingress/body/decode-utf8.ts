/** Decoding for an index over a buffer. */
import type { DecodeUtf8 } from '../../dialects/json/json-index.ts'

/** Decodes parts of `bytes`, which are those that are indexed, without a view for each of them. */
export function decoderOver(bytes: Buffer): DecodeUtf8 {
  return (_, start, end) => bytes.toString('utf8', start, end)
}
