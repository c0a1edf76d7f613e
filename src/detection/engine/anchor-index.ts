/**
 * Finds candidates for any number of literals at the cost of one table lookup per unit (decision 8).
 * - Of each literal, the three successive characters (the gram) are used that are rarest in ordinary text.
 * - A table marks the grams of all literals. Hardly any gram in a text is marked, so the pass seldom does more than
 *   look it up. Where one is marked, its literals are compared.
 * - An automaton, which knows at each unit how far every literal has come, reads a table that fits no cache, and must
 *   wait for each lookup before the next one.
 */
import { classCount, gramClasses, gramCount } from './gram-classes.ts'
import { noGram, rarestGrams } from './gram-surprise.ts'
import type { IndexLists } from './index-lists.ts'
import type { LiteralList } from './literal-list.ts'
import { byteOf, signByte } from './text-block.ts'
import type { Placed } from '../wasm/machine.ts'
import { placedTable } from '../wasm/search-table.ts'

/** What a gram may be besides part of literals. */
export const plainGram = 0
const digitsGram = 1
const dottedGram = 2
const signGram = 3
type GramSort = typeof plainGram | typeof digitsGram | typeof dottedGram | typeof signGram

/** An index, and its form for WebAssembly if that is available and was asked for. */
export interface AnchorIndex extends IndexLists {
  readonly table?: Placed | undefined
}

/** What an index finds besides literals. */
export interface IndexOptions {
  /** Also finds runs of digits and dotted groups. */
  readonly withNumbers?: boolean
  /** Also finds characters beyond ASCII that may hide something. */
  readonly withSigns?: boolean
  readonly digitRules?: Uint8Array | undefined
  /** The first number behind those of all literals, if others are in another index. */
  readonly numbersFrom?: number
  /** Whether all literals are found by their characters beyond ASCII, which each of them must have. */
  readonly byWide?: boolean
  /** Whether the search may run in WebAssembly. */
  readonly forMachine?: boolean
}

/**
 * Builds the index of literals. They match in any case unless the list gives their spelling.
 * @throws RangeError for more literals than there are numbers
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
  const classOf = gramClasses({ literals: texts, lowers, used, wides, withNumbers, withSigns })
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
  // The machine finds numbers in another way.
  addNumbers(table, classOf)
  return { ...index, ...table.lists(), table: placed }
}

/** Places and numbers of literals are 16 bits wide. */
const literalsMax = 60_000

/** A text in lower case, unit by unit: a letter with two units in lower case stays as it is. */
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

/** The spellings of literals, concatenated. */
interface Spellings {
  /** The bytes of their lower-case form, as in a block. */
  readonly bytes: Uint8Array
  readonly lowers: Uint16Array
  readonly uppers: Uint16Array
  /** Which ASCII codes occur, and where the other codes are. */
  readonly used: Uint8Array
  readonly wides: readonly number[]
}

const encoder = new TextEncoder()

/** Uses the platform's encoder for ASCII: this runs at each start, before any code is compiled. */
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

/** The upper-case code of a letter beyond ASCII; its own if that has two units or is ASCII. */
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

/** Adds the literals of one or two characters, which any others may precede. */
function addShort(table: GramTable, { from, short }: LiteralList, bytes: Uint8Array, classOf: Uint8Array): void {
  for (const id of short) {
    const to = from[id + 1] as number
    let tail = 0
    for (let at = from[id] as number; at < to; at++) tail = tail * classCount + (classOf[bytes[at] as number] as number)
    table.add(gramsEndingOn(tail, to - (from[id] as number)), plainGram, id)
  }
}

/** All grams that end in `count` given classes. */
function gramsEndingOn(tail: number, count: number): number[] {
  const step = classCount ** count
  return Array.from({ length: gramCount / step }, (_, i) => tail + i * step)
}

/** Writes a literal whose case matters as it is. */
function writeCase(written: string, from: number, lowers: Uint16Array, uppers: Uint16Array): void {
  for (let i = 0; i < written.length; i++) lowers[from + i] = uppers[from + i] = written.charCodeAt(i)
}

/** What grams lead to. It is filled at each start, before any code is compiled; see decision 16. */
class GramTable {
  readonly placeOf = new Uint16Array(gramCount)
  readonly marks = new Int32Array(gramCount >> 5)
  /** For each place, its sort, and where its literals begin in `ids`, up to those of the next. Place 0 is empty. */
  readonly sorts: GramSort[] = [plainGram]
  readonly idsFrom: number[] = [0]
  readonly ids: number[] = []

  /**
   * Adds a sort, and a literal if there is one, to some grams. Grams that led to the same place before lead to the same
   * place again.
   */
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

  /** Adds the literals of three and more characters, those of one gram together. */
  addLiterals(grams: Int32Array): void {
    const { ids } = this
    const sorted = Float64Array.from(grams, (gram, id) => gram * idSpread + id).sort()
    let last = noGram
    sorted.forEach((key) => {
      // Keeps the number a 32-bit integer for V8.
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

  /** A new place with everything that another one has. */
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
