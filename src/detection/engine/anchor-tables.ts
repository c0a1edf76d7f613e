/**
 * All anchors of an engine in two indexes: the literals in ASCII with the numbers, and the literals beyond ASCII with the
 * signs of hard text. Few texts have such characters, and where classes had to be shared with them, all literals were
 * compared more often.
 */
import type { Guard } from './anchor-guard.ts'
import { isAscii } from '../text/chars.ts'
import { buildAnchorIndex, type AnchorIndex, type IndexOptions } from './anchor-index.ts'
import { LiteralList } from './literal-list.ts'

/** One index, and the numbers that its literals have among those of both. */
interface NumberedIndex {
  readonly index: AnchorIndex
  readonly numbers: Uint16Array
}

interface WideIndex extends NumberedIndex {
  /** The length of its longest literal. */
  readonly unitsMax: number
}

export interface AnchorTables {
  readonly plain: NumberedIndex
  /** Built when a text first asks for it; undefined where nothing is looked for beyond ASCII. */
  readonly wide: () => WideIndex | undefined
  /** The numbers of a run's third digit, a fourth dotted group and a sign; see {@link AnchorIndex}. */
  readonly runId: number
  readonly quadId: number
  readonly signId: number
}

/** What the indexes are asked for beside literals, and what is said of those. */
export interface TableOptions extends Omit<IndexOptions, 'numbersFrom' | 'byWide'> {
  /** By literal, how it must be written where its case matters. One literal may then stand several times. */
  readonly cases?: readonly (string | undefined)[]
  readonly guards?: readonly (Guard | undefined)[]
  /** By literal, the first one that is the same, where that is another one. */
  readonly like?: readonly (number | undefined)[]
}

/**
 * Builds the index of literals in ASCII, and the other one when it is asked for.
 * @param literals in small letters; a literal's number is its place
 * @throws RangeError for an empty literal, and as {@link buildAnchorIndex} does
 */
export function buildAnchorTables(literals: readonly string[], options: TableOptions = {}): AnchorTables {
  const { plain, wide } = partsOf(literals, options)
  const { withSigns = false, withNumbers = false, digitRules, forMachine = false } = options
  const build = ({ list, numbers }: Part, own: IndexOptions): NumberedIndex => ({
    index: buildAnchorIndex(list, { ...own, forMachine, numbersFrom: literals.length }),
    numbers: new Uint16Array(numbers)
  })
  const first = build(plain, { withNumbers, digitRules })
  const { runId, quadId, signId } = first.index
  let built: WideIndex | undefined
  const buildWide = (): WideIndex => ({
    ...build(wide, { withSigns, byWide: true }),
    unitsMax: wide.list.texts.reduce((most, literal) => Math.max(most, literal.length), 3)
  })
  return {
    plain: first,
    wide: () => (wide.numbers.length === 0 && !withSigns ? undefined : (built ??= buildWide())),
    runId,
    quadId,
    signId
  }
}

/** The literals of one index, and the numbers that they have among all. */
interface Part {
  readonly list: LiteralList
  readonly numbers: number[]
}

/** So many literals are asked together whether they are ASCII, in one call of the platform. */
const askedTogether = 32

function partsOf(literals: readonly string[], { cases, guards, like }: TableOptions): Record<'plain' | 'wide', Part> {
  const plain: Part = { list: new LiteralList(), numbers: [] }
  const wide: Part = { list: new LiteralList(), numbers: [] }
  /** By literal, its number in its part. */
  const own: number[] = []
  let areAscii = false
  literals.forEach((literal, id) => {
    if (id % askedTogether === 0) areAscii = isEncodedAsIs(literals.slice(id, id + askedTogether).join(''))
    const { list, numbers } = areAscii || isAscii(literal) ? plain : wide
    const first = like?.[id]
    own.push(list.add(literal, cases?.[id], guards?.[id], first === undefined ? undefined : own[first]))
    numbers.push(id)
  })
  return { plain, wide }
}

const encoder = new TextEncoder()
const isEncodedAsIs = (text: string): boolean => encoder.encode(text).length === text.length
