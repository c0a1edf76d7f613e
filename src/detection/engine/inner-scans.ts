/**
 * What was found in texts within a text that was read last. The same text is often reached in several ways: a value of
 * a URL through its escapes and as a parameter, a string in a string by decoding one of them first or the other. Read
 * once for each way, texts that were made to be slow cost fifteen times their length.
 */
import type { Finding } from '../findings.ts'

/** The value of a finding that is to be remembered, and where it stands in the text that it was found in. */
export interface ContextValue {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The outcome of scanning a text within a text. */
export interface InnerScan {
  readonly findings: readonly Finding[]
  /** The values of findings that their context revealed. */
  readonly byContext: ReadonlyMap<Finding, ContextValue> | undefined
}

interface Kept {
  readonly text: string
  readonly depth: number
  readonly scan: InnerScan
}

/** How much is kept at a time: the code units of a few blocks, and for each text what keeping it costs besides. */
const unitsMax = 262_144
const unitsPerText = 32

/** The texts within one outermost text. Lives as long as its scan. */
export class InnerScans {
  readonly #kept = new Map<number, Kept>()
  #units = 0

  /**
   * @param depth how deep the text is nested. What is nested in it is read only down to some depth, so it counts only
   *   for texts as deep.
   */
  find(text: string, depth: number): InnerScan | undefined {
    const kept = this.#kept.get(keyOf(text, depth))
    return kept !== undefined && kept.depth === depth && kept.text === text ? kept.scan : undefined
  }

  keep(text: string, depth: number, scan: InnerScan): void {
    if (this.#units > unitsMax) {
      this.#kept.clear()
      this.#units = 0
    }
    this.#units += text.length + unitsPerText
    this.#kept.set(keyOf(text, depth), { text, depth, scan })
  }
}

/**
 * A number by the depth and some of the characters, apart for most texts: of two that share one, the later is kept. No
 * map has the texts as keys, since it would make them permanent.
 */
function keyOf(text: string, depth: number): number {
  const { length } = text
  const step = Math.max(1, Math.ceil(length / sampledUnits))
  let hash = length * 4 + depth
  for (let i = 0; i < length; i += step) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) & 0x3fffffff
  return hash
}
const sampledUnits = 64
