/** Token counts of an answer that is one JSON object. */
import type { TokenUsage, UsageReader } from '../dialect.ts'
import { UsageTally, Window, type UsageFields } from './usage.ts'

const quote = 0x22
const backslash = 0x5c
const usageKey = 'usage'
/** 1 for the bytes that matter between strings; all others there are numbers, words and blanks. */
const means = Uint8Array.from({ length: 256 }, (_, byte) => ('"{}[]:,'.includes(String.fromCharCode(byte)) ? 1 : 0))

/**
 * Reads usage from an answer that is one JSON object, of any length: follows strings and nesting byte by byte, and
 * keeps only the value of the top-level `usage`.
 */
export function jsonUsageReader(fields: UsageFields): UsageReader {
  return new JsonUsageReader(fields)
}

class JsonUsageReader implements UsageReader {
  readonly #tally: UsageTally
  readonly #value = new Window()
  #depth = 0
  #inString = false
  #escaped = false
  /** Whether the next string is a key of the top-level object. */
  #keyNext = false
  /** Characters of `usage` that the current top-level key has matched; -1 for another key. */
  #matched = -1
  /** The current top-level value belongs to `usage`. */
  #capturing = false

  constructor(fields: UsageFields) {
    this.#tally = new UsageTally(fields)
  }

  push(chunk: Uint8Array): void {
    let from = 0
    let at = 0
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#string(chunk, at)
        continue
      }
      const byte = chunk[at++]!
      if (means[byte] === 0) continue
      const captured = this.#capturing
      this.#structure(byte)
      if (!captured && this.#capturing) from = at
      else if (captured && !this.#capturing) this.#finish(chunk, from, at - 1)
    }
    if (this.#capturing) this.#value.append(chunk, from, chunk.length)
  }

  /** Consumes what `chunk` holds of the current string. @returns the byte to continue at */
  #string(chunk: Uint8Array, start: number): number {
    let at = start
    if (this.#escaped) {
      this.#escaped = false
      at++
    }
    for (; this.#matched >= 0 && at < chunk.length; at++) {
      const byte = chunk[at]!
      if (byte === quote || byte === backslash) break
      this.#matched = usageKey.charCodeAt(this.#matched) === byte ? this.#matched + 1 : -1
    }
    while (at < chunk.length && chunk[at] !== quote && chunk[at] !== backslash) at++
    if (at >= chunk.length) return at
    if (chunk[at] === quote) this.#inString = false
    else {
      this.#escaped = true
      this.#matched = -1
    }
    return at + 1
  }

  #structure(byte: number): void {
    if (byte === quote) {
      this.#inString = true
      this.#matched = this.#keyNext ? 0 : -1
    } else if (byte === 0x7b || byte === 0x5b) {
      this.#depth++
      this.#keyNext = this.#depth === 1 && byte === 0x7b
    } else if (byte === 0x7d || byte === 0x5d) {
      this.#depth--
      if (this.#depth === 0) this.#capturing = false
    } else if (byte === 0x3a && this.#depth === 1) {
      this.#keyNext = false
      this.#capturing = this.#matched === usageKey.length
      this.#matched = -1
    } else if (byte === 0x2c && this.#depth === 1) {
      this.#keyNext = true
      this.#capturing = false
    }
  }

  #finish(chunk: Uint8Array, from: number, to: number): void {
    this.#value.append(chunk, from, to)
    if (!this.#value.overflown) this.#tally.read(this.#value.view(), [[]])
    this.#value.clear()
  }

  result(): TokenUsage {
    return this.#tally.result()
  }
}
