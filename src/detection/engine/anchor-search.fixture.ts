import { AnchorSearch } from './anchor-search.ts'
import type { AnchorTables } from './anchor-tables.ts'
import type { TextBlock } from './text-block.ts'

/** All finds in a text as `end:id`, in the order in which they are returned; the text is read in blocks of a given size. */
export function searchIn(block: TextBlock, index: AnchorTables, text: string, blockUnits: number): string[] {
  const run = new AnchorSearch(index, text)
  const found: string[] = []
  for (let from = 0; from < text.length; from += blockUnits) {
    block.load(text, from, Math.min(text.length, from + blockUnits))
    run.read(block)
    while (run.next(block.to)) found.push(`${run.end}:${run.id}`)
  }
  return found
}
