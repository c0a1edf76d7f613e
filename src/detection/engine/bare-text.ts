/**
 * Short texts without anything that would call a matcher. Most texts of a body are such: roles, types, names of tools
 * and of their parameters, ids. To set up a scan of one takes longer than the search.
 */
import { runUnitsMin } from '../normalise/encoded-run.ts'
import { blockOfDepth, type TextBlock } from './text-block.ts'
import type { Engine } from './engine.ts'
import type { ScanRun } from '../findings.ts'
import { findsNothing } from './index-search.ts'

/**
 * Whether an engine finds nothing in a text, as far as that can be told at once.
 * @param depth how deep the text is nested; no text of this depth may be in the middle of a step
 */
export function isBare(text: string, engine: Engine, depth = 0): boolean {
  if (!isShort(text.length)) return false
  const block = blockOfDepth(depth)
  block.load(text, 0, text.length)
  return isBareIn(block, engine)
}

/** The same for `[from, to)` of bytes that are ASCII. */
export function isBareAscii(bytes: Uint8Array, from: number, to: number, engine: Engine): boolean {
  if (!isShort(to - from)) return false
  const block = blockOfDepth(0)
  block.loadAscii(bytes, from, to)
  return isBareIn(block, engine)
}

/**
 * Whether the search of an engine finds nothing in a text that is read within the scan of another. Runs of base64 letters
 * are not looked for.
 */
export function isBareInner(text: string, engine: Engine, depth: number): boolean {
  if (text.length > innerUnitsMax) return false
  const block = blockOfDepth(depth)
  block.load(text, 0, text.length)
  return isBareIn(block, engine)
}
/** Nearly all longer texts have a find, and would be searched twice. */
const innerUnitsMax = 256

/** A longer text may hold a run of base64 letters. */
const isShort = (units: number): boolean => units < runUnitsMin

function isBareIn(block: TextBlock, { anchors }: Engine): boolean {
  // Other characters are searched for with another index.
  const isBare = block.wideBits === 0 && findsNothing(anchors.plain.index, block)
  block.clear()
  return isBare
}

/** The scan of such a text. */
export const bareRun: ScanRun = { step: () => true, work: runUnitsMin, findings: () => [], own: () => [] }
