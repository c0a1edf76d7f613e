/** Removes members and items from a message, and inserts values, without touching any other byte. */
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'

/** Replaces bytes `from..to` (half-open) by a text. */
export interface ByteEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** @param edits in any order; they must not overlap */
export function applyEdits(bytes: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  if (edits.length === 0) return bytes
  const parts: Uint8Array[] = []
  let at = 0
  for (const { from, to, text } of edits.toSorted((a, b) => a.from - b.from)) {
    if (from < at) throw new RangeError('Edits overlap.')
    parts.push(bytes.subarray(at, from), Buffer.from(text))
    at = to
  }
  return Buffer.concat([...parts, bytes.subarray(at)])
}

/**
 * The edits that remove entries from an object or array, including their commas.
 * @param isRemoved called with the node of each entry's value
 */
export function removeEntries(index: JsonIndex, container: number, isRemoved: (value: number) => boolean): ByteEdit[] {
  const edits: ByteEdit[] = []
  const isObject = index.kind(container) === nodeKind.object
  const end = index.nexts[container] as number
  /** Where the current run of removed entries began and ended, and where the last kept entry ended; -1 for none. */
  let [runFrom, runTo, keptTo] = [-1, -1, -1]
  for (let node = container + 1; node < end;) {
    const value = isObject ? node + 1 : node
    const from = index.starts[node] as number
    if (isRemoved(value)) {
      if (runFrom < 0) runFrom = from
      runTo = index.ends[value] as number
    } else {
      if (runFrom >= 0) edits.push({ from: runFrom, to: from, text: '' })
      runFrom = -1
      keptTo = index.ends[value] as number
    }
    node = index.nexts[value] as number
  }
  if (runFrom >= 0) edits.push({ from: keptTo < 0 ? runFrom : keptTo, to: runTo, text: '' })
  return edits
}

/** The edit that replaces a value by another (JSON). */
export function replaceValue(index: JsonIndex, node: number, text: string): ByteEdit {
  return { from: index.starts[node] as number, to: index.ends[node] as number, text }
}

/** The edit that appends a member to an object. The text is JSON with the key. */
export function addMember(index: JsonIndex, object: number, text: string): ByteEdit {
  const at = (index.ends[object] as number) - 1
  const isEmpty = (index.nexts[object] as number) === object + 1
  return { from: at, to: at, text: isEmpty ? text : `,${text}` }
}
