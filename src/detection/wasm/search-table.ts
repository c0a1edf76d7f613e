/** The tables of an index for the search in WebAssembly: one position-independent stretch of bytes. */
import type { IndexLists } from '../engine/index-lists.ts'
import { classBits, gramCount } from '../engine/gram-classes.ts'
import { byteOf } from '../engine/text-block.ts'
import { GuardSets } from './guard-sets.ts'
import { machineOf, type Placed } from './machine.ts'
import {
  findsOfPlaceMax,
  fourHash,
  foursAt,
  headUnitsBefore,
  leadsAt,
  literalBytes,
  marksAt,
  offsetsAt,
  openAt,
  pieceBytes,
  placeBytes,
  placesAt,
  ranksAt,
  sortOfLiteral
} from './search-layout.ts'

/** The largest number in a table. */
const numberMax = 0xffff
const pieceUnits = 8

/** The table of an index, for the machine; undefined if there is no machine, or the table is too large. */
export function placedTable(index: IndexLists): Placed | undefined {
  const machine = machineOf()
  const table = machine && searchTable(index)
  return table && machine.table(table)
}

/** The table of an index; undefined if it is too large. */
function searchTable(index: IndexLists): Uint8Array | undefined {
  const { classOf, marks, sorts, idsFrom, ids, codesFrom, guards, digitRules } = index
  const count = codesFrom.length - 1
  const pieces = piecesOf(codesFrom)
  const ranked = rankPlaces(index, openPlaces(index))
  if (ranked === undefined || pieces === undefined || ids.length > numberMax) return undefined
  if (sorts.some((_, place) => (idsFrom[place + 1] as number) - (idsFrom[place] as number) >= findsOfPlaceMax))
    return undefined
  const sets = new GuardSets()
  const records = new Uint8Array(count * literalBytes)
  guards.forEach((guard, id) => {
    if (guard !== undefined) sets.write(records, id * literalBytes, guard)
  })
  const setBytes = sets.bytes
  const recordsAt = (placesAt + ranked.places.length * 2 + 7) & ~7
  const idsAt = recordsAt + sorts.length * placeBytes
  const literalsAt = (idsAt + ids.length * 2 + 15) & ~15
  const piecesAt = literalsAt + count * literalBytes
  const headsAt = piecesAt + (pieces[count] as number) * pieceBytes
  const setsAt = headsAt + ids.length * pieceBytes
  const rulesAt = setsAt + setBytes.length
  const table = new Uint8Array(rulesAt + (digitRules?.length ?? 0))
  table.set(classOf)
  table.set(bytesOf(marks), marksAt)
  table.set(bytesOf(ranked.leads), leadsAt)
  table.set(bytesOf(ranked.ranks), ranksAt)
  table.set(bytesOf(ranked.openMarks), openAt)
  table.set(
    bytesOf(Uint32Array.of(recordsAt, idsAt, literalsAt, piecesAt, setsAt, digitRules ? rulesAt : 0, headsAt)),
    offsetsAt
  )
  table.set(bytesOf(ranked.places), placesAt)
  table.set(bytesOf(ids), idsAt)
  table.set(setBytes, setsAt)
  if (digitRules !== undefined) table.set(digitRules, rulesAt)
  writePlaces(new Uint16Array(table.buffer, recordsAt), index)
  const literals = new Uint16Array(records.buffer)
  const fours = table.subarray(foursAt)
  index.tails.forEach((tail, id) => {
    const at = (id * literalBytes) / 2
    const piece = pieces[id] as number
    const isPlain = writePieces(table, piecesAt + piece * pieceBytes, index, id)
    literals[at] = piece
    literals[at + 1] = (codesFrom[id + 1] as number) - (codesFrom[id] as number)
    literals[at + 2] = tail
    records[id * literalBytes + sortOfLiteral] = isPlain ? 0 : 1
    markFours(fours, index, id)
  })
  table.set(records, literalsAt)
  writeHeads(table, headsAt, piecesAt, pieces, index)
  return table
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array | Int32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** For each literal, its first piece, and behind the last one the number of pieces; undefined if there are too many. */
function piecesOf(codesFrom: Int32Array): Uint32Array | undefined {
  const pieces = new Uint32Array(codesFrom.length)
  let areShort = true
  codesFrom.forEach((from, id) => {
    if (id === 0) return
    const units = from - (codesFrom[id - 1] as number)
    areShort &&= units <= numberMax
    pieces[id] = (pieces[id - 1] as number) + Math.ceil(units / pieceUnits)
  })
  return !areShort || (pieces.at(-1) as number) > numberMax ? undefined : pieces
}

interface Ranked {
  /** The places of all marks in order. */
  readonly places: Uint16Array
  /** The number of marks before each group of 32. */
  readonly ranks: Uint16Array
  /** The marks that lead to open places. */
  readonly openMarks: Int32Array
  /** All marks, by the classes of the second and the third unit, and then the first. */
  readonly leads: Int32Array
}

/** Ranks the marks; undefined if there are too many. */
function rankPlaces({ marks, placeOf }: IndexLists, open: Uint8Array): Ranked | undefined {
  const places = new Uint16Array(numberMax + 1)
  const ranks = new Uint16Array(marks.length)
  const openMarks = new Int32Array(marks.length)
  const leads = new Int32Array(marks.length)
  let count = 0
  let areMany = false
  marks.forEach((bits, i) => {
    ranks[i] = count
    areMany ||= count > numberMax - 32
    if (bits === 0 || areMany) return
    let openBits = 0
    for (let left = bits; left !== 0; left &= left - 1) {
      const bit = left & -left
      const gram = i * 32 + 31 - Math.clz32(bit)
      const turned = ((gram << classBits) & (gramCount - 1)) | (gram >> (2 * classBits))
      leads[turned >> 5] = (leads[turned >> 5] as number) | (1 << (turned & 31))
      const place = placeOf[gram] as number
      places[count++] = place
      if (open[place] === 1) openBits |= bit
    }
    openMarks[i] = openBits
  })
  if (areMany) return undefined
  return { places: places.subarray(0, count), ranks, openMarks, leads }
}

function writePlaces(records: Uint16Array, { sorts, idsFrom }: IndexLists): void {
  const step = placeBytes / 2
  sorts.forEach((sort, place) => {
    const at = place * step
    records[at] = idsFrom[place] as number
    records[at + 1] = idsFrom[place + 1] as number
    records[at + 2] = sort
  })
}

/** Writes a literal in pieces of eight characters; false if the bytes of a text cannot decide whether it matches. */
function writePieces(table: Uint8Array, piecesAt: number, index: IndexLists, id: number): boolean {
  const { codesFrom, lowers, uppers } = index
  const from = codesFrom[id] as number
  const to = codesFrom[id + 1] as number
  let isPlain = true
  let at = piecesAt
  for (let i = from; i < to; i++, at++) {
    const lower = lowers[i] as number
    const upper = uppers[i] as number
    if (i > from && ((i - from) & (pieceUnits - 1)) === 0) at += pieceBytes - pieceUnits
    if ((lower | upper) > 127) {
      isPlain = false
      table[at] = 255
      table[at + pieceUnits] = byteOf(lower)
    } else {
      // Letters of both cases differ by one bit.
      const mask = lower === upper ? 255 : 223
      table[at] = mask
      table[at + pieceUnits] = lower & mask
    }
  }
  return isPlain
}

/** Writes the head of each number of a literal: characters that are in its pieces already. */
function writeHeads(
  table: Uint8Array,
  headsAt: number,
  piecesAt: number,
  pieces: Uint32Array,
  index: IndexLists
): void {
  const { ids, codesFrom, tails } = index
  ids.forEach((id, i) => {
    const units = (codesFrom[id + 1] as number) - (codesFrom[id] as number)
    const from = units - (tails[id] as number) - 1 - headUnitsBefore
    const first = piecesAt + (pieces[id] as number) * pieceBytes
    const head = headsAt + i * pieceBytes - from
    for (let k = Math.max(0, from); k < Math.min(units, from + pieceUnits); k++) {
      const at = first + (k >> 3) * pieceBytes + (k & (pieceUnits - 1))
      table[head + k] = table[at] as number
      table[head + k + pieceUnits] = table[at + pieceUnits] as number
    }
  })
}

/** Marks the hash of a literal's gram and the character before it. The hash ignores ASCII case. */
function markFours(marks: Uint8Array, { tails, codesFrom, lowers }: IndexLists, id: number): void {
  const first = fourAt(tails, codesFrom, id)
  if (first < 0) return
  let four = 0
  for (let k = 0; k < 4; k++) four |= byteOf(lowers[first + k] as number) << (8 * k)
  const bit = fourHash(four)
  marks[bit >> 3] = (marks[bit >> 3] as number) | (1 << (bit & 7))
}

/** For each place, whether it leads to anything besides literals with four characters to check. */
function openPlaces({ sorts, idsFrom, ids, tails, codesFrom }: IndexLists): Uint8Array {
  return sorts.map((sort, place) => {
    if (place === 0) return 0
    if (sort !== 0) return 1
    const to = idsFrom[place + 1] as number
    for (let i = idsFrom[place] as number; i < to; i++) if (fourAt(tails, codesFrom, ids[i] as number) < 0) return 1
    return 0
  })
}

/** The offset of the character before a literal's gram; -1 if there is none. */
function fourAt(tails: Uint16Array, codesFrom: Int32Array, id: number): number {
  const first = (codesFrom[id + 1] as number) - (tails[id] as number) - 4
  return first < (codesFrom[id] as number) ? -1 : first
}
