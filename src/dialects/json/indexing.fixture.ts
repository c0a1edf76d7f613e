/** Runs stepwise functions to their end, for tests. */
import { indexJson, type IndexOptions, type JsonIndex } from './json-index.ts'

export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
}

/** @returns the result of a generator, and how often it yielded */
export function finish<Result>(steps: Generator<void, Result, void>): {
  readonly value: Result
  readonly yields: number
} {
  let yields = 0
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { value: step.value, yields }
    yields++
  }
}

export function bytesOf(body: unknown): Uint8Array {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

export function indexOf(body: unknown, options: Partial<IndexOptions> = {}): JsonIndex {
  const bytes = body instanceof Uint8Array ? body : bytesOf(body)
  return finish(indexJson(bytes, { depthMax: 1000, valuesMax: 100_000, decodeUtf8, ...options })).value
}
