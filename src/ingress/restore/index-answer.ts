/** Indexes the JSON of an answer in one step: its size is limited by the caller. */
import { indexJson, type JsonIndex } from '../../dialects/json/json-index.ts'

const bounds = { depthMax: 256, valuesMax: 1_000_000 }

/**
 * @param bytes valid UTF-8
 * @returns undefined for what is not JSON, such as the `[DONE]` at the end of a stream
 */
export function indexAnswer(bytes: Uint8Array): JsonIndex | undefined {
  try {
    const options = { ...bounds, decodeUtf8, bytesPerStep: Infinity }
    const indexed = indexJson(bytes, options).next()
    return indexed.done === true ? indexed.value : undefined
  } catch {
    return undefined
  }
}

const decodeUtf8 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
