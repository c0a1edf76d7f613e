/** Searches one text for the literals and numbers of an engine, block by block. */
import type { AnchorTables } from './anchor-tables.ts'
import { IndexSearch } from './index-search.ts'
import type { TextBlock } from './text-block.ts'

/** Returns findings in the order of their ends; of those with the same end, the longest first. */
export class AnchorSearch {
  /** The start and number of the current finding. */
  start = 0
  end = 0
  id = 0
  readonly #tables: AnchorTables
  readonly #text: string
  readonly #plain: IndexSearch
  #wide: IndexSearch | undefined
  /**
   * What began next to a character beyond ASCII in an earlier block may continue up to here, however short the blocks
   * are.
   */
  #wideTo = 0

  constructor(tables: AnchorTables, text: string) {
    this.#tables = tables
    this.#text = text
    this.#plain = new IndexSearch(tables.plain.index, text)
  }

  /** Reads the next block of the text. */
  read(block: TextBlock): void {
    this.#plain.read(block)
    if (block.wideBits !== 0 || block.from < this.#wideTo) this.#readWide(block)
  }

  /** Searches around characters beyond ASCII. */
  #readWide(block: TextBlock): void {
    const table = this.#tables.wide()
    if (table === undefined) return
    const search = (this.#wide ??= new IndexSearch(table.index, this.#text))
    const { unitsMax } = table
    let from = block.from
    let to = Math.max(from, this.#wideTo)
    // Characters that follow each other closely are covered by one search.
    for (let at = block.wideAt(from); at < block.to; at = block.wideAt(at + unitsMax)) {
      if (at - unitsMax > to + 1) {
        if (to > from) search.read(block, from, to)
        from = at - unitsMax
      }
      to = at + 2 * unitsMax
    }
    if (to > from) search.read(block, from, Math.min(to, block.to))
    if (block.wideBits !== 0) this.#wideTo = block.to + unitsMax
  }

  /** Makes the next finding that ends at or before `limit` the current one; false if there is none. */
  next(limit: number): boolean {
    const { plain, wide } = this.#tables
    const first = this.#plain
    const other = this.#wide
    if (first.has(limit)) {
      if (other?.has(limit) !== true || !isBefore(other, first)) return this.#take(first, plain.numbers)
    } else if (other?.has(limit) !== true) return false
    return this.#take(other, wide()!.numbers)
  }

  #take(search: IndexSearch, numbers: Uint16Array): true {
    const { end, id, units } = search
    this.start = end - units
    this.end = end
    this.id = units > 0 ? (numbers[id] as number) : id
    search.take()
    return true
  }
}

/** Whether the next finding of one search comes before that of another. */
function isBefore(one: IndexSearch, other: IndexSearch): boolean {
  return one.end < other.end || (one.end === other.end && one.units > other.units)
}
