/** Literals of one index, side by side, with what is known of each when it is added: they are listed at each start. */
import type { Guard } from './anchor-guard.ts'

export class LiteralList {
  /** In small letters. */
  readonly texts: string[] = []
  /** Where each begins when they stand one behind the other, and where the last one ends. */
  readonly from: number[] = [0]
  /** By number, the first one with the same text, where that is another one. */
  readonly like: (number | undefined)[] = []
  readonly guards: (Guard | undefined)[] = []
  /** How some must be written, whose case matters. */
  readonly cases: (readonly [id: number, written: string])[] = []
  /** The numbers of those that have fewer than three characters. */
  readonly short: number[] = []

  /**
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
