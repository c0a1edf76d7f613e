/**
 * Tells at the cost of one look-up a unit where a literal of any detector may stand, however many there are.
 *
 * Of each literal the three characters in a row are taken that are rarest in ordinary text. A table tells whose three
 * characters are somebody's; nearly none are, so the pass over a text seldom does more than ask it. Where it says yes
 * the literals behind them are compared. An automaton, which knows at each unit how far every literal has come, reads a
 * table that no cache holds, and has to wait for each answer before it can put the next question.
 */
import type { Guard } from './anchor-guard.ts'
import { countOf, digitSet } from './chars.ts'
import { classCount, gramClasses } from './gram-classes.ts'
import { gramSurprise } from './gram-surprise.ts'
import { byteOf, signByte } from './text-block.ts'
import { placedTable, type PlacedTable } from './wasm/search-table.ts'

export const gramCount = classCount ** 3

/** What three characters in a row are beside a part of literals. */
export const plainGram = 0
export const digitsGram = 1
export const dottedGram = 2
export const signGram = 3
type GramSort = typeof plainGram | typeof digitsGram | typeof dottedGram | typeof signGram

/** All lists are typed and flat: a look at an object for each of its parts is most of what a hit costs. */
export interface AnchorIndex {
  /** The class of each byte of a block. */
  readonly classOf: Uint8Array
  /** For three classes in a row one bit, set where they lead to something; 32 kB, which a core keeps at hand. */
  readonly marks: Int32Array
  /** For three classes in a row the place of what they lead to; 0 for nothing. */
  readonly placeOf: Uint16Array
  /** By place: the sort, and where its literals stand in `ids`, which go on to those of the next place. */
  readonly sorts: Uint8Array
  readonly idsFrom: Int32Array
  readonly ids: Uint16Array
  /** By literal: how many of its characters stand behind the three, and where its codes stand, up to those of the next. */
  readonly tails: Uint16Array
  readonly codesFrom: Int32Array
  /**
   * The codes in small letters, and in capitals as far as each is one unit; a text may have either at each place. Of a
   * literal that is wanted in one case both are the same.
   */
  readonly lowers: Uint16Array
  readonly uppers: Uint16Array
  /** By literal, what must stand around it. */
  readonly guards: readonly (Guard | undefined)[]
  /** Numbers past those of the literals: the third digit of a run, a fourth dotted group, a sign of hard text. */
  readonly runId: number
  readonly quadId: number
  readonly signId: number
  /** The same for a search in WebAssembly, where there is one and it was asked for. */
  readonly table?: PlacedTable | undefined
}

/** What an index is asked for beside literals. */
export interface IndexOptions {
  /** Also find runs of digits and dotted groups. */
  readonly withNumbers?: boolean
  /** Also find the characters beyond ASCII that may hide something. */
  readonly withSigns?: boolean
  /** By literal, how it must be written where its case matters. One literal may then stand several times. */
  readonly cases?: readonly (string | undefined)[]
  readonly guards?: readonly (Guard | undefined)[]
  /** Whether the search may run in WebAssembly. */
  readonly forMachine?: boolean
}

/**
 * Builds the index.
 * @param literals in small letters, matched without regard to case unless an option says how they are written
 * @throws RangeError for an empty literal
 */
export function buildAnchorIndex(
  literals: readonly string[],
  { withNumbers = false, withSigns = false, cases = [], guards = [], forMachine = false }: IndexOptions = {}
): AnchorIndex {
  if (literals.length > literalsMax) throw new RangeError('There are more literals than an index can tell apart.')
  const uppers = literals.map(capitalsOf)
  const lowerCodes = codesOf(literals)
  const upperCodes = codesOf(uppers)
  const classOf = gramClasses({ literals, lowers: lowerCodes, uppers: upperCodes, withNumbers, withSigns })
  const table = new GramTable()
  if (withSigns) table.add(classOf[signByte] as number, 1, [], signGram)
  if (withNumbers) addNumbers(table, classOf)
  const codesFrom = bounds(literals)
  const classes = lowerCodes.map((code) => classOf[byteOf(code)] as number)
  const byTail = new Map<number, number[]>()
  const startOf = new Map<string, number>()
  const starts = literals.map((literal, id) => {
    if (literal === '') throw new RangeError('An anchor literal is empty.')
    const from = codesFrom[id] as number
    const start = startOf.get(literal) ?? rarestGram(literal, classes, from, byTail)
    startOf.set(literal, start)
    const tail = tailAt(classes, from + start, codesFrom[id + 1] as number)
    const known = byTail.get(tail)
    if (known === undefined) byTail.set(tail, [id])
    else known.push(id)
    return start
  })
  for (const [tail, ids] of byTail) table.add(tail % gramCount, Math.floor(tail / gramCount), ids, plainGram)
  literals.forEach((_, id) => {
    const written = cases[id]
    if (written === undefined) return
    const codes = codesOf([written])
    lowerCodes.set(codes, codesFrom[id])
    upperCodes.set(codes, codesFrom[id])
  })
  const index: AnchorIndex = {
    classOf,
    marks: table.marks,
    placeOf: table.placeOf,
    sorts: Uint8Array.from(table.sorts),
    idsFrom: bounds(table.lists),
    ids: Uint16Array.from(table.lists.flat()),
    tails: Uint16Array.from(literals, ({ length }, id) => Math.max(0, length - (starts[id] as number) - 3)),
    codesFrom,
    lowers: lowerCodes,
    uppers: upperCodes,
    guards,
    runId: literals.length,
    quadId: literals.length + 1,
    signId: literals.length + 2
  }
  return forMachine ? { ...index, table: placedTable(index) } : index
}

/** Places and numbers of literals are 16 bits wide. */
const literalsMax = 60_000

/** How long a literal is, in units. */
export function literalUnits({ codesFrom }: AnchorIndex, id: number): number {
  return (codesFrom[id + 1] as number) - (codesFrom[id] as number)
}

/** Where each of some lists begins when they stand one behind the other, and where the last one ends. */
function bounds(lists: readonly { readonly length: number }[]): Int32Array {
  const from = new Int32Array(lists.length + 1)
  lists.forEach(({ length }, i) => {
    from[i + 1] = (from[i] as number) + length
  })
  return from
}

/** A text in small letters, unit for unit: a letter that has two units in small letters stays as it is. */
export function smallLettersOf(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const small = text.charAt(i).toLowerCase()
    out += small.length === 1 ? small : text.charAt(i)
  }
  return out
}

function capitalsOf(lower: string): string {
  let codeMax = 0
  for (let i = 0; i < lower.length; i++) codeMax = Math.max(codeMax, lower.charCodeAt(i))
  if (codeMax < 128) return lower.toUpperCase()
  let upper = ''
  for (let i = 0; i < lower.length; i++) {
    const unit = lower.charAt(i)
    const capital = unit.toUpperCase()
    // A few letters beyond ASCII have their other case within it; they are not taken for that one.
    const isFit = capital.length === 1 && capital.charCodeAt(0) > 127 === unit.charCodeAt(0) > 127
    upper += isFit ? capital : unit
  }
  return upper
}

/** The codes of all texts, one behind the other. */
function codesOf(texts: readonly string[]): Uint16Array {
  const joined = texts.join('')
  const codes = new Uint16Array(joined.length)
  for (let i = 0; i < codes.length; i++) codes[i] = joined.charCodeAt(i)
  return codes
}

/** Three classes from `start` on, or as many as there are before `to`, and how many they are, as a key. */
function tailAt(classes: Uint16Array, start: number, to: number): number {
  const end = Math.min(to, start + 3)
  let gram = 0
  for (let i = start; i < end; i++) gram = gram * classCount + (classes[i] as number)
  return (end - start) * gramCount + gram
}

/** Bits by which a digit tells less than the model says: identifiers and times are full of them. */
const digitCost = 2

/**
 * Where in a literal the three characters stand that tell most, less what the others that have them would cost.
 * @param from where its classes stand
 */
function rarestGram(
  literal: string,
  classes: Uint16Array,
  from: number,
  taken: ReadonlyMap<number, readonly number[]>
): number {
  let best = 0
  let most = -Infinity
  for (let at = 0; at + 3 <= literal.length; at++) {
    const alone = gramSurprise(literal, at) - digitCost * countOf(literal, at, at + 3, digitSet)
    if (alone <= most) continue
    const worth = alone - (taken.get(tailAt(classes, from + at, classes.length))?.length ?? 0)
    if (worth <= most) continue
    most = worth
    best = at
  }
  return best
}

function addNumbers(table: GramTable, classOf: Uint8Array): void {
  const digits = classOf.subarray(48, 58)
  const dot = classOf[46] as number
  const three: number[] = []
  const dotted: number[] = []
  for (const a of digits)
    for (const c of digits) {
      dotted.push((a * classCount + dot) * classCount + c)
      for (const b of digits) three.push((a * classCount + b) * classCount + c)
    }
  table.addAll(three, [], digitsGram)
  table.addAll(dotted, [], dottedGram)
}

class GramTable {
  readonly placeOf = new Uint16Array(gramCount)
  readonly marks = new Int32Array(gramCount >> 5)
  /** By place; nothing stands at the first. */
  readonly lists: (readonly number[])[] = [[]]
  readonly sorts: GramSort[] = [plainGram]

  /** Adds literals, or a sort, to all three classes that end with `count` given ones. */
  add(tail: number, count: number, ids: readonly number[], sort: GramSort): void {
    const grams: number[] = []
    for (let gram = tail; gram < gramCount; gram += classCount ** count) grams.push(gram)
    this.addAll(grams, ids, sort)
  }

  addAll(grams: readonly number[], ids: readonly number[], sort: GramSort): void {
    // What led to the same before leads to the same again.
    const places = new Map<number, number>()
    for (const gram of grams) {
      const before = this.placeOf[gram] as number
      let place = places.get(before)
      if (place === undefined) {
        place = this.lists.push([...(this.lists[before] as readonly number[]), ...ids]) - 1
        this.sorts.push(sort === plainGram ? (this.sorts[before] as GramSort) : sort)
        places.set(before, place)
      }
      this.placeOf[gram] = place
      this.marks[gram >> 5] = (this.marks[gram >> 5] as number) | (1 << (gram & 31))
    }
  }
}
