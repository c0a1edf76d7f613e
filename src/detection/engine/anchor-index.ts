/**
 * Tells at the cost of one look-up a unit where a literal of any detector may stand, however many there are.
 *
 * Of each literal the three characters in a row are taken that are rarest in ordinary text. A table tells whose three
 * characters are somebody's; nearly none are, so the pass over a text seldom does more than ask it. Where it says yes
 * the literals behind them are compared. An automaton, which knows at each unit how far every literal has come, reads a
 * table that no cache holds, and has to wait for each answer before it can put the next question.
 */
import type { Guard } from './anchor-guard.ts'
import { classCount, gramClasses, gramCount } from './gram-classes.ts'
import { noGram, rarestGrams } from './gram-surprise.ts'
import type { LiteralList } from './literal-list.ts'
import { byteOf, signByte } from '../text/text-block.ts'
import { placedTable, type PlacedTable } from '../wasm/search-table.ts'

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
  /** Whether runs of digits and dotted groups are looked for. */
  readonly withNumbers: boolean
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
  readonly digitRules?: Uint8Array | undefined
  /** The first number past those of all literals, where others stand in another index. */
  readonly numbersFrom?: number
  /** Whether all literals are looked for by characters beyond ASCII, which each of them must have. */
  readonly byWide?: boolean
  /** Whether the search may run in WebAssembly. */
  readonly forMachine?: boolean
}

/**
 * Builds the index of literals, which are matched without regard to case unless the list says how they are written.
 * @throws RangeError for more literals than numbers
 */
export function buildAnchorIndex(
  list: LiteralList,
  {
    withNumbers = false,
    withSigns = false,
    digitRules,
    numbersFrom = list.texts.length,
    byWide = false,
    forMachine = false
  }: IndexOptions = {}
): AnchorIndex {
  const { texts } = list
  if (texts.length > literalsMax) throw new RangeError('There are more literals than an index can tell apart.')
  const codesFrom = new Int32Array(list.from)
  const { bytes, lowers, uppers, used, wides } = spellingsOf(texts.join(''))
  const classOf = gramClasses({ literals: texts, lowers, uppers, used, wides, withNumbers, withSigns })
  const table = new GramTable()
  if (withSigns) table.add(gramsEndingOn(classOf[signByte] as number, 1), signGram)
  const { grams, tails } = rarestGrams(list, bytes, classOf, byWide)
  addShort(table, list, bytes, classOf)
  table.addLiterals(grams)
  for (const [id, written] of list.cases) writeCase(written, codesFrom[id] as number, lowers, uppers)
  const index: AnchorIndex = {
    classOf,
    ...table.lists(),
    tails,
    codesFrom,
    lowers,
    uppers,
    guards: list.guards,
    withNumbers,
    digitRules,
    count: texts.length,
    runId: numbersFrom,
    quadId: numbersFrom + 1,
    signId: numbersFrom + 2
  }
  const placed = forMachine ? placedTable(index) : undefined
  if (!withNumbers) return { ...index, table: placed }
  // The machine looks for numbers by other means.
  addNumbers(table, classOf)
  return { ...index, ...table.lists(), table: placed }
}

/** Places and numbers of literals are 16 bits wide. */
const literalsMax = 60_000

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
  /** As a block has their small letters. */
  readonly bytes: Uint8Array
  readonly lowers: Uint16Array
  readonly uppers: Uint16Array
  /** By code in ASCII, whether it is used; and where the others stand. */
  readonly used: Uint8Array
  readonly wides: readonly number[]
}

const encoder = new TextEncoder()

/** What is all ASCII is read by what the platform brings: this is done at each start, by code that is not compiled yet. */
function spellingsOf(joined: string): Spellings {
  const encoded = encoder.encode(joined)
  const wides: number[] = []
  const used = new Uint8Array(128)
  for (let code = 0; code < 128; code++) used[code] = Number(joined.includes(String.fromCharCode(code)))
  const isPlain = encoded.length === joined.length
  const lowers = isPlain ? new Uint16Array(encoded) : new Uint16Array(joined.length)
  const uppers = isPlain ? new Uint16Array(encoder.encode(joined.toUpperCase())) : new Uint16Array(joined.length)
  if (isPlain) return { bytes: encoded, lowers, uppers, used, wides }
  const bytes = new Uint8Array(joined.length)
  for (let i = 0; i < joined.length; i++) {
    const code = joined.charCodeAt(i)
    lowers[i] = code
    uppers[i] = code > 96 && code < 123 ? code - 32 : code
    bytes[i] = byteOf(code)
    if (code > 127) wides.push(i)
  }
  for (const i of wides) uppers[i] = capitalOf(joined.charAt(i))
  return { bytes, lowers, uppers, used, wides }
}

/** The code of a letter beyond ASCII in capitals; its own where that has two units, or stands in ASCII. */
function capitalOf(unit: string): number {
  const capital = unit.toUpperCase()
  const code = capital.charCodeAt(0)
  return capital.length === 1 && code > 127 ? code : unit.charCodeAt(0)
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
  table.add(three, digitsGram)
  table.add(dotted, dottedGram)
}

/** Adds the literals of one or two characters, which any others may stand before. */
function addShort(table: GramTable, { from, short }: LiteralList, bytes: Uint8Array, classOf: Uint8Array): void {
  for (const id of short) {
    const to = from[id + 1] as number
    let tail = 0
    for (let at = from[id] as number; at < to; at++) tail = tail * classCount + (classOf[bytes[at] as number] as number)
    table.add(gramsEndingOn(tail, to - (from[id] as number)), plainGram, id)
  }
}

/** All three classes that end with `count` given ones. */
function gramsEndingOn(tail: number, count: number): number[] {
  const step = classCount ** count
  return Array.from({ length: gramCount / step }, (_, i) => tail + i * step)
}

/** Writes a literal whose case matters as it is. */
function writeCase(written: string, from: number, lowers: Uint16Array, uppers: Uint16Array): void {
  for (let i = 0; i < written.length; i++) lowers[from + i] = uppers[from + i] = written.charCodeAt(i)
}

/** What grams lead to. It is filled at each start, by code that is not compiled yet: see decision 16. */
class GramTable {
  readonly placeOf = new Uint16Array(gramCount)
  readonly marks = new Int32Array(gramCount >> 5)
  /** By place the sort, and where its literals begin in `ids`, up to those of the next; nothing stands at the first. */
  readonly sorts: GramSort[] = [plainGram]
  readonly idsFrom: number[] = [0]
  readonly ids: number[] = []

  /** Adds a literal, if there is one, and a sort to some grams. What led to the same before leads to the same again. */
  add(grams: readonly number[], sort: GramSort, id?: number): void {
    const { placeOf, marks } = this
    const leads = new Map<number, number>()
    let before = -1
    let place = 0
    grams.forEach((gram) => {
      if (placeOf[gram] !== before) {
        before = placeOf[gram] as number
        place = leads.get(before) ?? this.#placeWith(before, sort, id)
        leads.set(before, place)
      }
      placeOf[gram] = place
      marks[gram >> 5] = (marks[gram >> 5] as number) | (1 << (gram & 31))
    })
  }

  /** Adds the literals of three characters and more by their grams, those of one together. */
  addLiterals(grams: Int32Array): void {
    const { ids } = this
    const sorted = Float64Array.from(grams, (gram, id) => gram * idSpread + id).sort()
    let last = noGram
    sorted.forEach((key) => {
      // Whole numbers of 32 bits, to V8 as well.
      const gram = Math.floor(key / idSpread) | 0
      if (gram === noGram) return
      if (gram !== last) {
        last = gram
        this.#open(gram)
      }
      ids.push((key - gram * idSpread) | 0)
    })
  }

  /** Makes a gram lead to a place of its own, the last one, to which literals may then be added. */
  #open(gram: number): void {
    const { placeOf, marks } = this
    placeOf[gram] = this.#placeAfter(placeOf[gram] as number)
    marks[gram >> 5] = (marks[gram >> 5] as number) | (1 << (gram & 31))
  }

  lists(): Pick<AnchorIndex, 'marks' | 'placeOf' | 'sorts' | 'idsFrom' | 'ids'> {
    const { marks, placeOf } = this
    return {
      marks,
      placeOf,
      sorts: new Uint8Array(this.sorts),
      idsFrom: new Int32Array([...this.idsFrom, this.ids.length]),
      ids: new Uint16Array(this.ids)
    }
  }

  #placeWith(before: number, sort: GramSort, id: number | undefined): number {
    const place = this.#placeAfter(before)
    if (sort !== plainGram) this.sorts[place] = sort
    if (id !== undefined) this.ids.push(id)
    return place
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
}
const idSpread = 65_536
