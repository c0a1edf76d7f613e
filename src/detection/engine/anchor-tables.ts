/**
 * All anchors of an engine in two indexes: the literals in ASCII with the numbers, and the literals beyond ASCII with the
 * signs of hard text. Few texts have such characters, and where classes had to be shared with them, all literals were
 * compared more often.
 */
import { isAscii } from '../text/chars.ts'
import { buildAnchorIndex, type AnchorIndex, type IndexOptions } from './anchor-index.ts'

/** One index, and the numbers that its literals have among those of both. */
interface NumberedIndex {
  readonly index: AnchorIndex
  readonly numbers: Uint16Array
  /** The length of its longest literal. */
  readonly unitsMax: number
}

export interface AnchorTables {
  readonly plain: NumberedIndex
  /** Built when a text first asks for it; undefined where nothing is looked for beyond ASCII. */
  readonly wide: () => NumberedIndex | undefined
  /** The numbers of a run's third digit, a fourth dotted group and a sign; see {@link AnchorIndex}. */
  readonly runId: number
  readonly quadId: number
  readonly signId: number
}

/**
 * Builds the index of literals in ASCII, and the other one when it is asked for.
 * @param literals and options as {@link buildAnchorIndex} has them; a literal's number is its place
 * @throws RangeError as that does
 */
export function buildAnchorTables(literals: readonly string[], options: IndexOptions = {}): AnchorTables {
  const plain: number[] = []
  const wide: number[] = []
  for (let id = 0; id < literals.length; id++) (isAscii(literals[id] as string) ? plain : wide).push(id)
  const { withSigns = false, withNumbers, digitRules, ...shared } = options
  const build = (numbers: readonly number[], own: IndexOptions): NumberedIndex => ({
    index: buildAnchorIndex(
      numbers.map((id) => literals[id] as string),
      {
        ...shared,
        ...own,
        cases: numbers.map((id) => options.cases?.[id]),
        guards: numbers.map((id) => options.guards?.[id]),
        numbersFrom: literals.length
      }
    ),
    numbers: Uint16Array.from(numbers),
    unitsMax: numbers.reduce((most, id) => Math.max(most, (literals[id] as string).length), 3)
  })
  const first = build(plain, { withNumbers: withNumbers === true, digitRules })
  const { runId, quadId, signId } = first.index
  let built: NumberedIndex | undefined
  return {
    plain: first,
    wide: () => (wide.length === 0 && !withSigns ? undefined : (built ??= build(wide, { withSigns, byWide: true }))),
    runId,
    quadId,
    signId
  }
}
