/**
 * All anchors of an engine in two indexes: ASCII literals with the numbers, and literals beyond ASCII with the signs of
 * hard text. Few texts have such characters; if they shared classes with ASCII, all literals would be compared more
 * often (decision 136).
 */
import type { Guard } from '../anchor-guard.ts'
import { isAscii } from '../text/chars.ts'
import { buildAnchorIndex, type AnchorIndex, type IndexOptions } from './anchor-index.ts'
import { LiteralList } from './literal-list.ts'

/** One index, and the overall numbers of its literals. */
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
  /** Built when a text first needs it; undefined if nothing beyond ASCII is searched for. */
  readonly wide: () => WideIndex | undefined
  /** The numbers of a run's third digit, a fourth dotted group and a sign; see {@link AnchorIndex}. */
  readonly runId: number
  readonly quadId: number
  readonly signId: number
}

/** What the indexes find besides literals, and what is known of the literals. */
export interface TableOptions extends Omit<IndexOptions, 'numbersFrom' | 'byWide'> {
  /** The spelling of each literal whose case matters. The same literal may then occur several times. */
  readonly cases?: readonly (string | undefined)[]
  readonly guards?: readonly (Guard | undefined)[]
  /** For each literal, the first one with the same text, if that is another one. */
  readonly like?: readonly (number | undefined)[]
}

/**
 * Builds the index of ASCII literals at once, and the other one on demand.
 * @param literals in lower case; a literal's number is its index
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

/** The literals of one index, and their overall numbers. */
interface Part {
  readonly list: LiteralList
  readonly numbers: number[]
}

/** How many literals are checked for ASCII in one call of the platform. */
const askedTogether = 32

function partsOf(literals: readonly string[], { cases, guards, like }: TableOptions): Record<'plain' | 'wide', Part> {
  const plain: Part = { list: new LiteralList(), numbers: [] }
  const wide: Part = { list: new LiteralList(), numbers: [] }
  /** For each literal, its number within its part. */
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
