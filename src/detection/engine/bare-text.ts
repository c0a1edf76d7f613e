/**
 * Short texts without anything that would call a matcher. Most texts of a body are such: names of tools and of their
 * parameters, ids, single words. A scan of one takes longer to set up than to run.
 */
import { runUnitsMin } from '../normalise/encoded-run.ts'
import { blockOfDepth } from '../text/text-block.ts'
import type { Engine } from './engine.ts'
import type { ScanRun } from '../findings.ts'
import { findsNothing } from './index-search.ts'

/** Whether an engine finds nothing in a text, as far as that can be told at once. Not to be called within a step. */
export function isBare(text: string, { anchors }: Engine): boolean {
  // A longer one may hold a run of base64 letters.
  if (text.length >= runUnitsMin) return false
  const block = blockOfDepth(0)
  block.load(text, 0, text.length)
  // Other characters are searched for with another index.
  const isBare = block.wideBits === 0 && findsNothing(anchors.plain.index, block)
  block.clear()
  return isBare
}

/** The scan of such a text. */
export const bareRun: ScanRun = { step: () => true, work: runUnitsMin, findings: () => [] }
