/** What an index of literals holds, which its form for WebAssembly is made from. */
import type { Guard } from '../anchor-guard.ts'

/** All lists are typed and flat: looking at an object per part would be most of the cost of a hit. */
export interface IndexLists {
  /** The class of each byte of a block. */
  readonly classOf: Uint8Array
  /** One bit per gram, set if it leads to something: 32 kB, which stay in a core's cache. */
  readonly marks: Int32Array
  /** The place that each gram leads to; 0 for none. */
  readonly placeOf: Uint16Array
  /** For each place, its sort, and where its literals begin in `ids`; they end where those of the next place begin. */
  readonly sorts: Uint8Array
  readonly idsFrom: Int32Array
  readonly ids: Uint16Array
  /**
   * For each literal, how many characters follow its gram, and where its codes begin; they end where those of the next
   * one begin.
   */
  readonly tails: Uint16Array
  readonly codesFrom: Int32Array
  /**
   * The codes in lower case, and in upper case if that is one unit; a text may contain either at each place. For a
   * literal matched in one case both are the same.
   */
  readonly lowers: Uint16Array
  readonly uppers: Uint16Array
  /** The guard of each literal. */
  readonly guards: readonly (Guard | undefined)[]
  /** Whether runs of digits and dotted groups are searched for. */
  readonly withNumbers: boolean
  /** What runs of digits trigger, for the search in WebAssembly; without it all of them are reported. */
  readonly digitRules?: Uint8Array | undefined
  /** The number of literals. A literal's number is its index. */
  readonly count: number
  /** Numbers behind those of all literals: the third digit of a run, a fourth dotted group, a sign of hard text. */
  readonly runId: number
  readonly quadId: number
  readonly signId: number
}
