/**
 * The literals of one index, with what is known of each when it is added. The lists are built at each start, so they
 * are flat.
 */
import type { Guard } from '../anchor-guard.ts'

export class LiteralList {
  /** In lower case. */
  readonly texts: string[] = []
  /** Where each literal begins in their concatenation, and where the last one ends. */
  readonly from: number[] = [0]
  /** By number, the first literal with the same text, if that is another one. */
  readonly like: (number | undefined)[] = []
  readonly guards: (Guard | undefined)[] = []
  /** The spelling of those whose case matters. */
  readonly cases: (readonly [id: number, written: string])[] = []
  /** The numbers of those with fewer than three characters. */
  readonly short: number[] = []

  /**
   * Adds a literal.
   * @returns its number
   * @throws RangeError for an empty literal
   */
  add(text: string, written?: string, guard?: Guard, like?: number): number {
    const units = text.length
    if (units === 0) throw new RangeError('An anchor literal is empty.')
    const id = this.texts.length
    this.texts.push(text)
    this.from.push((this.from[id] as number) + units)
    this.like.push(like)
    this.guards.push(guard)
    if (written !== undefined) this.cases.push([id, written])
    if (units < 3) this.short.push(id)
    return id
  }
}
