/** The UTF-8 decoder for a JSON index over a buffer. */
import type { DecodeUtf8 } from '../../dialects/json/json-index.ts'

/** Decodes ranges of `bytes`, which must be the indexed ones, without creating a view for each range. */
export function decoderOver(bytes: Buffer): DecodeUtf8 {
  return (_, start, end) => bytes.toString('utf8', start, end)
}
