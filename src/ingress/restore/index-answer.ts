/** Indexes the JSON of an answer, whose size is limited by the caller. */
import { indexJson, type JsonIndex } from '../../dialects/json/json-index.ts'

const bounds = { depthMax: 256, valuesMax: 1_000_000 }

/**
 * @param bytes valid UTF-8
 * @returns undefined for what is not JSON, such as the `[DONE]` at the end of a stream
 */
export function indexAnswer(bytes: Uint8Array): JsonIndex | undefined {
  const indexed = indexAnswerInSteps(bytes, Infinity).next()
  return indexed.done === true ? indexed.value : undefined
}

/** The same for long answers, with a yield about every `bytesPerStep` bytes. */
export function* indexAnswerInSteps(
  bytes: Uint8Array,
  bytesPerStep?: number
): Generator<void, JsonIndex | undefined, void> {
  try {
    return yield* indexJson(bytes, { ...bounds, decodeUtf8, ...(bytesPerStep !== undefined && { bytesPerStep }) })
  } catch {
    return undefined
  }
}

const decodeUtf8 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
