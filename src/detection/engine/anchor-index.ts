/**
 * Tells at the cost of one look-up a unit where a literal of any detector may stand, however many there are.
 *
 * Of each literal the three characters in a row are taken that are rarest in ordinary text. A table tells whose three
 * characters are somebody's; nearly none are, so the pass over a text seldom does more than ask it. Where it says yes
 * the literals behind them are compared. An automaton, which knows at each unit how far every literal has come, reads a
 * table that no cache holds, and has to wait for each answer before it can put the next question.
 */
import type { Guard } from './anchor-guard.ts'
import { classCount, gramClasses } from './gram-classes.ts'
import { gramSurprises } from './gram-surprise.ts'
import { byteOf, signByte } from '../text/text-block.ts'
import { placedTable, type PlacedTable } from '../wasm/search-table.ts'

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
  /** Whom runs of digits call, for the search in WebAssembly; without them it tells of all. */
  readonly digitRules?: Uint8Array | undefined
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
  readonly digitRules?: Uint8Array | undefined
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
  { withNumbers = false, withSigns = false, cases = [], guards = [], digitRules, forMachine = false }: IndexOptions = {}
): AnchorIndex {
  if (literals.length > literalsMax) throw new RangeError('There are more literals than an index can tell apart.')
  const codesFrom = bounds(literals)
  const { lowers, uppers, used, wides } = spellingsOf(literals)
  const classOf = gramClasses({ literals, lowers, uppers, used, wides, withNumbers, withSigns })
  const table = new GramTable()
  if (withSigns) table.add(classOf[signByte] as number, 1, [], signGram)
  if (withNumbers) addNumbers(table, classOf)
  const classes = new Uint8Array(lowers.length)
  for (let i = 0; i < lowers.length; i++) {
    const code = lowers[i] as number
    classes[i] = classOf[code < 128 ? code : byteOf(code)] as number
  }
  const surprises = gramSurprises(lowers)
  const byTail = new Map<number, number[]>()
  const startOf = new Map<string, number>()
  const tails = new Uint16Array(literals.length)
  for (let id = 0; id < literals.length; id++) {
    const literal = literals[id] as string
    if (literal === '') throw new RangeError('An anchor literal is empty.')
    const from = codesFrom[id] as number
    const to = codesFrom[id + 1] as number
    const start = startOf.get(literal) ?? rarestGram(lowers, surprises, classes, from, to, byTail)
    startOf.set(literal, start)
    tails[id] = Math.max(0, to - from - start - 3)
    const tail = tailAt(classes, from + start, to)
    const known = byTail.get(tail)
    if (known === undefined) byTail.set(tail, [id])
    else known.push(id)
  }
  for (const [tail, ids] of byTail) table.add(tail % gramCount, Math.floor(tail / gramCount), ids, plainGram)
  for (let id = 0; id < cases.length; id++) {
    const written = cases[id]
    if (written === undefined) continue
    const from = codesFrom[id] as number
    for (let i = 0; i < written.length; i++) lowers[from + i] = uppers[from + i] = written.charCodeAt(i)
  }
  const index: AnchorIndex = {
    classOf,
    marks: table.marks,
    placeOf: table.placeOf,
    sorts: Uint8Array.from(table.sorts),
    idsFrom: bounds(table.lists),
    ids: Uint16Array.from(table.lists.flat()),
    tails,
    codesFrom,
    lowers,
    uppers,
    guards,
    digitRules,
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
  let to = 0
  for (let i = 0; i < lists.length; i++) from[i + 1] = to += (lists[i] as { readonly length: number }).length
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

/** How literals are written, one behind the other. */
interface Spellings {
  readonly lowers: Uint16Array
  readonly uppers: Uint16Array
  /** By code in ASCII, whether it is used; and where the others stand. */
  readonly used: Uint8Array
  readonly wides: readonly number[]
}

/** One look at each unit: this is done at each start, by code that is not compiled yet. */
function spellingsOf(literals: readonly string[]): Spellings {
  const joined = literals.join('')
  const lowers = new Uint16Array(joined.length)
  const uppers = new Uint16Array(joined.length)
  const used = new Uint8Array(128)
  const wides: number[] = []
  for (let i = 0; i < joined.length; i++) {
    const code = joined.charCodeAt(i)
    lowers[i] = code
    if (code > 127) {
      uppers[i] = capitalOf(joined.charAt(i))
      wides.push(i)
    } else {
      uppers[i] = code > 96 && code < 123 ? code - 32 : code
      used[code] = 1
    }
  }
  return { lowers, uppers, used, wides }
}

/** The code of a letter beyond ASCII in capitals; its own where that has two units, or stands in ASCII. */
function capitalOf(unit: string): number {
  const capital = unit.toUpperCase()
  const code = capital.charCodeAt(0)
  return capital.length === 1 && code > 127 ? code : unit.charCodeAt(0)
}

/** Three classes from `start` on, or as many as there are before `to`, and how many they are, as a key. */
function tailAt(classes: Uint8Array, start: number, to: number): number {
  const end = Math.min(to, start + 3)
  let gram = 0
  for (let i = start; i < end; i++) gram = gram * classCount + (classes[i] as number)
  return (end - start) * gramCount + gram
}

/** Bits by which a digit tells less than the model says: identifiers and times are full of them. */
const digitCost = 2

/**
 * Where in a literal the three characters stand that tell most, less what the others that have them would cost.
 * @param surprises what three codes in a row tell, by the place of the first
 * @param from where its codes and classes stand, up to `to`
 */
function rarestGram(
  codes: Uint16Array,
  surprises: Float64Array,
  classes: Uint8Array,
  from: number,
  to: number,
  taken: ReadonlyMap<number, readonly number[]>
): number {
  let best = 0
  let most = -Infinity
  for (let at = from; at + 3 <= to; at++) {
    // Digits only make it less.
    const told = surprises[at] as number
    if (told <= most) continue
    const alone = told - digitCost * digitsIn(codes, at)
    if (alone <= most) continue
    const worth = alone - (taken.get(tailAt(classes, at, classes.length))?.length ?? 0)
    if (worth <= most) continue
    most = worth
    best = at - from
  }
  return best
}

/** How many of three codes are digits. */
function digitsIn(codes: Uint16Array, at: number): number {
  let digits = 0
  for (let i = at; i < at + 3; i++) if (codes[i]! > 47 && codes[i]! < 58) digits++
  return digits
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
  readonly #leads = new Map<number, number>()
  #before = -1
  #place = 0

  /** Adds literals, or a sort, to all three classes that end with `count` given ones. */
  add(tail: number, count: number, ids: readonly number[], sort: GramSort): void {
    const step = classCount ** count
    this.#begin()
    for (let gram = tail; gram < gramCount; gram += step) this.#addOne(gram, ids, sort)
  }

  addAll(grams: readonly number[], ids: readonly number[], sort: GramSort): void {
    this.#begin()
    for (const gram of grams) this.#addOne(gram, ids, sort)
  }

  /** What led to the same before leads to the same again, within one addition. */
  #begin(): void {
    if (this.#leads.size > 0) this.#leads.clear()
    this.#before = -1
  }

  #addOne(gram: number, ids: readonly number[], sort: GramSort): void {
    const before = this.placeOf[gram] as number
    // Most grams led to nothing, as the one before.
    if (before !== this.#before) {
      this.#before = before
      this.#place = this.#leads.get(before) ?? this.#newPlace(before, ids, sort)
    }
    this.placeOf[gram] = this.#place
    this.marks[gram >> 5] = (this.marks[gram >> 5] as number) | (1 << (gram & 31))
  }

  #newPlace(before: number, ids: readonly number[], sort: GramSort): number {
    const place = this.lists.push(before === 0 ? ids : [...(this.lists[before] as readonly number[]), ...ids]) - 1
    this.sorts.push(sort === plainGram ? (this.sorts[before] as GramSort) : sort)
    this.#leads.set(before, place)
    return place
  }
}
