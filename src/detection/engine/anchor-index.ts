/**
 * Tells at the cost of one look-up a unit where a literal of any detector may stand, however many there are.
 *
 * Of each literal the three characters in a row are taken that are rarest in ordinary text. A table tells whose three
 * characters are somebody's; nearly none are, so the pass over a text seldom does more than ask it. Where it says yes
 * the literals behind them are compared. An automaton, which knows at each unit how far every literal has come, reads a
 * table that no cache holds, and has to wait for each answer before it can put the next question.
 */
import type { Guard } from './anchor-guard.ts'
import { classBits, classCount, gramClasses } from './gram-classes.ts'
import { gramSurprises, levelsOfBit } from './gram-surprise.ts'
import { byteOf, signByte } from '../text/text-block.ts'
import { placedTable, type PlacedTable } from '../wasm/search-table.ts'

export const gramCount = classCount ** 3

/** What three characters in a row are beside a part of literals. */
export const plainGram = 0
const digitsGram = 1
const dottedGram = 2
const signGram = 3
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
  /** How many literals there are, whose numbers are their places. */
  readonly count: number
  /** Numbers past those of all literals: the third digit of a run, a fourth dotted group, a sign of hard text. */
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
  /** The first number past those of all literals, where others stand in another index. */
  readonly numbersFrom?: number
  /** Whether all literals are looked for by characters beyond ASCII, which each of them must have. */
  readonly byWide?: boolean
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
  {
    withNumbers = false,
    withSigns = false,
    cases = [],
    guards = [],
    digitRules,
    numbersFrom = literals.length,
    byWide = false,
    forMachine = false
  }: IndexOptions = {}
): AnchorIndex {
  if (literals.length > literalsMax) throw new RangeError('There are more literals than an index can tell apart.')
  if (literals.includes('')) throw new RangeError('An anchor literal is empty.')
  const codesFrom = startsOf(literals)
  const { lowers, uppers, used, wides } = spellingsOf(literals)
  const classOf = gramClasses({ literals, lowers, uppers, used, wides, withNumbers, withSigns })
  const table = new GramTable()
  if (withSigns) table.addTail(classOf[signByte] as number, 1, undefined, signGram)
  if (withNumbers) addNumbers(table, classOf)
  const { grams, tails } = rarestGrams(literals, lowers, classOf, byWide)
  addShort(table, literals, classOf)
  addGrams(table, grams)
  writeCases(cases, codesFrom, lowers, uppers)
  const index: AnchorIndex = {
    classOf,
    marks: table.marks,
    placeOf: table.placeOf,
    sorts: Uint8Array.from(table.sorts),
    idsFrom: Int32Array.from([...table.idsFrom, table.ids.length]),
    ids: Uint16Array.from(table.ids),
    tails,
    codesFrom,
    lowers,
    uppers,
    guards,
    digitRules,
    count: literals.length,
    runId: numbersFrom,
    quadId: numbersFrom + 1,
    signId: numbersFrom + 2
  }
  return forMachine ? { ...index, table: placedTable(index) } : index
}

/** Places and numbers of literals are 16 bits wide. */
const literalsMax = 60_000

/** Where each literal begins when they stand one behind the other, and where the last one ends. */
function startsOf(literals: readonly string[]): Int32Array {
  const from = new Int32Array(literals.length + 1)
  let to = 0
  for (let i = 0; i < literals.length; i++) from[i + 1] = to += (literals[i] as string).length
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
    uppers[i] = code > 96 && code < 123 ? code - 32 : code
    if (code > 127) wides.push(i)
    else used[code] = 1
  }
  for (const i of wides) uppers[i] = capitalOf(joined.charAt(i))
  return { lowers, uppers, used, wides }
}

/** The code of a letter beyond ASCII in capitals; its own where that has two units, or stands in ASCII. */
function capitalOf(unit: string): number {
  const capital = unit.toUpperCase()
  const code = capital.charCodeAt(0)
  return capital.length === 1 && code > 127 ? code : unit.charCodeAt(0)
}

/** Of a literal that is too short for three characters. */
const noGram = -1

/**
 * Of each literal the three characters that tell most, less what the others that have them would cost.
 * @returns by literal, their classes, and how many characters stand behind the three
 */
function rarestGrams(
  literals: readonly string[],
  lowers: Uint16Array,
  classOf: Uint8Array,
  byWide: boolean
): { readonly grams: Int32Array; readonly tails: Uint16Array } {
  const gramsAt = gramsOf(lowers, classOf)
  const surprises = gramSurprises(lowers)
  if (byWide) barPlainGrams(lowers, surprises)
  const grams = new Int32Array(literals.length).fill(noGram)
  const tails = new Uint16Array(literals.length)
  const taken = new Uint16Array(gramCount)
  // One literal that stands several times is looked for at one place.
  const offsetOf = new Map<string, number>()
  for (let id = 0, from = 0; id < literals.length; id++) {
    const literal = literals[id] as string
    const last = literal.length - 3
    if (last >= 0) {
      const offset = offsetOf.get(literal) ?? rarestAt(from, from + last, gramsAt, surprises, taken) - from
      offsetOf.set(literal, offset)
      const gram = gramsAt[from + offset] as number
      taken[gram] = (taken[gram] as number) + levelsOfBit
      grams[id] = gram
      tails[id] = last - offset
    }
    from += literal.length
  }
  return { grams, tails }
}

/** Makes three characters in ASCII the last choice. */
function barPlainGrams(codes: Uint16Array, surprises: Int16Array): void {
  for (let i = 0; i + 2 < codes.length; i++)
    if ((codes[i] as number) < 128 && (codes[i + 1] as number) < 128 && (codes[i + 2] as number) < 128)
      surprises[i] = -barredLevels
}
const barredLevels = 10_000

/** By the place of each code, the classes of it and of the two behind it, as one number. */
function gramsOf(codes: Uint16Array, classOf: Uint8Array): Int32Array {
  const grams = new Int32Array(codes.length)
  let gram = 0
  for (let i = 0; i < codes.length; i++) {
    gram = ((gram << classBits) | classOfCode(classOf, codes[i] as number)) & (gramCount - 1)
    if (i > 1) grams[i - 2] = gram
  }
  return grams
}

/**
 * So much more three characters tell that have another one of the literal before them: where they stand, the search asks
 * for all four before it compares anything. With two bits the places to ask at grow faster than what is compared falls.
 */
const fourLevels = levelsOfBit

function rarestAt(from: number, last: number, grams: Int32Array, surprises: Int16Array, taken: Uint16Array): number {
  let best = from
  let most = -Infinity
  for (let at = from; at <= last; at++) {
    const worth = (surprises[at] as number) - (taken[grams[at] as number] as number) + (at > from ? fourLevels : 0)
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
  table.addAll(three, digitsGram)
  table.addAll(dotted, dottedGram)
}

/** Adds the literals of one or two characters, which any others may stand before. */
function addShort(table: GramTable, literals: readonly string[], classOf: Uint8Array): void {
  const short: number[] = []
  for (let id = 0; id < literals.length; id++) if ((literals[id] as string).length < 3) short.push(id)
  for (const id of short) {
    const literal = literals[id] as string
    let tail = 0
    for (let i = 0; i < literal.length; i++) tail = tail * classCount + classOfCode(classOf, literal.charCodeAt(i))
    table.addTail(tail, literal.length, id, plainGram)
  }
}

function classOfCode(classOf: Uint8Array, code: number): number {
  return classOf[code < 128 ? code : byteOf(code)] as number
}

/** Adds the literals of three characters and more, those of one gram together. */
function addGrams(table: GramTable, grams: Int32Array): void {
  const sorted = new Float64Array(grams.length)
  for (let id = 0; id < grams.length; id++) sorted[id] = (grams[id] as number) * idSpread + id
  sorted.sort()
  let last = noGram
  for (let i = 0; i < sorted.length; i++) {
    const gram = Math.floor((sorted[i] as number) / idSpread)
    if (gram === noGram) continue
    if (gram !== last) table.open(gram)
    last = gram
    table.ids.push((sorted[i] as number) - gram * idSpread)
  }
}
const idSpread = 65_536

/** Writes the literals whose case matters as they are. */
function writeCases(
  cases: readonly (string | undefined)[],
  codesFrom: Int32Array,
  lowers: Uint16Array,
  uppers: Uint16Array
): void {
  for (let id = 0; id < cases.length; id++) {
    const written = cases[id]
    if (written === undefined) continue
    const from = codesFrom[id] as number
    for (let i = 0; i < written.length; i++) lowers[from + i] = uppers[from + i] = written.charCodeAt(i)
  }
}

/** What grams lead to. It is filled at each start, by code that is not compiled yet: see decision 16. */
class GramTable {
  readonly placeOf = new Uint16Array(gramCount)
  readonly marks = new Int32Array(gramCount >> 5)
  /** By place the sort, and where its literals begin in `ids`, up to those of the next; nothing stands at the first. */
  readonly sorts: GramSort[] = [plainGram]
  readonly idsFrom: number[] = [0]
  readonly ids: number[] = []

  /** Adds a literal, if there is one, and a sort to all three classes that end with `count` given ones. */
  addTail(tail: number, count: number, id: number | undefined, sort: GramSort): void {
    const leads = new Map<number, number>()
    for (let gram = tail; gram < gramCount; gram += classCount ** count) this.#addTo(gram, id, sort, leads)
  }

  addAll(grams: readonly number[], sort: GramSort): void {
    const leads = new Map<number, number>()
    for (const gram of grams) this.#addTo(gram, undefined, sort, leads)
  }

  /** Makes a gram lead to a place of its own, the last one, to which literals may then be added. */
  open(gram: number): void {
    this.#lead(gram, this.#placeAfter(this.placeOf[gram] as number))
  }

  /** What led to the same before leads to the same again. */
  #addTo(gram: number, id: number | undefined, sort: GramSort, leads: Map<number, number>): void {
    const before = this.placeOf[gram] as number
    let place = leads.get(before)
    if (place === undefined) {
      place = this.#placeAfter(before)
      if (sort !== plainGram) this.sorts[place] = sort
      if (id !== undefined) this.ids.push(id)
      leads.set(before, place)
    }
    this.#lead(gram, place)
  }

  /** A new place that has all that another one has. */
  #placeAfter(before: number): number {
    const { ids, idsFrom, sorts } = this
    const to = idsFrom[before + 1] ?? ids.length
    const from = idsFrom[before] as number
    idsFrom.push(ids.length)
    for (let i = from; i < to; i++) ids.push(ids[i] as number)
    return sorts.push(sorts[before] as GramSort) - 1
  }

  #lead(gram: number, place: number): void {
    this.placeOf[gram] = place
    this.marks[gram >> 5] = (this.marks[gram >> 5] as number) | (1 << (gram & 31))
  }
}
