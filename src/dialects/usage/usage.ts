/**
 * Token counts from answers as they pass, in chunks cut at any byte. Keeps one event, or one `usage` object, and never
 * more than {@link windowBytesMax} of it.
 */
import type { TokenUsage } from '../dialect.ts'
import { indexJson, nodeKind, type JsonIndex } from '../json/json-index.ts'

/** Where a dialect has its token counts. A path is a sequence of field names. */
export interface UsageFields {
  /** Paths to the usage object, from the top of an event or of the answer. */
  readonly places: readonly (readonly string[])[]
  readonly inputTokens: readonly string[]
  readonly outputTokens: readonly string[]
  readonly cachedInputTokens: readonly string[]
}

/** A longer event is not kept except for its end, since the last event of some APIs repeats the whole answer. */
export const windowBytesMax = 64 * 1024
/** In such an event, only ids and settings follow the usage. */
const endBytesMax = 8 * 1024

const empty = new Uint8Array(0)

/** The current piece of the answer, up to the limit. */
export class Window {
  /** Allocated when something is kept: most of what passes is not. */
  #bytes = empty
  #length = 0
  /** The last bytes of a piece that is too long, and others before them; undefined while it is not. */
  #end: Uint8Array | undefined
  #endLength = 0

  get overflown(): boolean {
    return this.#end !== undefined
  }

  /** Whether it holds nothing. */
  get isEmpty(): boolean {
    return this.#length === 0 && this.#end === undefined
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    const length = this.#length + end - start
    if (this.overflown || length > windowBytesMax) {
      this.#keepEnd(bytes.subarray(start, end))
      return
    }
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(windowBytesMax, Math.max(length, this.#bytes.length * 2, 512)))
      grown.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = grown
    }
    this.#bytes.set(bytes.subarray(start, end), this.#length)
    this.#length = length
  }

  /** Copies a byte once or twice, however many appends a piece arrives in. */
  #keepEnd(added: Uint8Array): void {
    if (this.#end === undefined) {
      const before = this.view().subarray(-endBytesMax)
      this.#end = new Uint8Array(2 * endBytesMax)
      this.#end.set(before)
      this.#endLength = before.length
    }
    const last = added.subarray(-endBytesMax)
    if (this.#endLength + last.length > this.#end.length) {
      const kept = Math.min(this.#endLength, endBytesMax - last.length)
      this.#end.copyWithin(0, this.#endLength - kept, this.#endLength)
      this.#endLength = kept
    }
    this.#end.set(last, this.#endLength)
    this.#endLength += last.length
  }

  /** Records a piece that was too long to be kept, by its end. */
  overflow(end: Uint8Array): void {
    this.#keepEnd(end)
  }

  /** The last bytes of a piece that was too long to be kept. */
  end(): Uint8Array {
    return this.#end?.subarray(Math.max(0, this.#endLength - endBytesMax), this.#endLength) ?? empty
  }

  get length(): number {
    return this.#length
  }

  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
    this.#end = undefined
    this.#endLength = 0
  }
}

/** Only names and numbers are read here, so ASCII is enough. */
function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]! & 0x7f)
  return text
}

function parsed(bytes: Uint8Array): JsonIndex | undefined {
  try {
    const options = {
      depthMax: 64,
      valuesMax: windowBytesMax,
      decodeUtf8: decodeAscii,
      bytesPerStep: windowBytesMax + 1
    }
    const indexed = indexJson(bytes, options).next()
    return indexed.done === true ? indexed.value : undefined
  } catch {
    // An answer that is not JSON has no usage; it is relayed all the same.
    return undefined
  }
}

function follow(index: JsonIndex, from: number, path: readonly string[]): number {
  let node = from
  for (const name of path) if (node >= 0) node = index.find(node, name)
  return node
}

/** The usage known so far; later values replace earlier ones. */
export class UsageTally {
  readonly #fields: UsageFields
  #usage: TokenUsage = {}

  constructor(fields: UsageFields) {
    this.#fields = fields
  }

  /** @param places where the usage objects are in these bytes */
  read(bytes: Uint8Array, places: UsageFields['places']): void {
    const index = parsed(bytes)
    if (index === undefined) return
    for (const place of places) {
      const usage = follow(index, index.root, place)
      if (usage < 0 || index.kind(usage) !== nodeKind.object) continue
      for (const count of ['inputTokens', 'outputTokens', 'cachedInputTokens'] as const) {
        const tokens = this.#count(index, usage, this.#fields[count])
        if (tokens !== undefined) this.#usage = { ...this.#usage, [count]: tokens }
      }
    }
  }

  #count(index: JsonIndex, usage: number, path: readonly string[]): number | undefined {
    const node = follow(index, usage, path)
    if (node < 0 || index.kind(node) !== nodeKind.number) return undefined
    const tokens = Number(index.raw(node))
    return Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined
  }

  result(): TokenUsage {
    return this.#usage
  }
}
