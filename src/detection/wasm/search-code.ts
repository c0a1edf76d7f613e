/**
 * The search for literals as WebAssembly. For one block it does what `IndexSearch` does in JavaScript, in three steps,
 * each of which leaves little to the next and needs no unpredictable branch: check for each unit whether its three
 * classes belong to a literal; check for those whether the four characters do; compare the literals behind what
 * remains. The surroundings of literals are checked in a fourth step (`keep-code.ts`). Anything that needs text outside
 * of the block is left to the caller.
 */
import {
  add,
  and,
  and64,
  atLeast,
  below,
  bitCount,
  differ64,
  get,
  i32,
  int,
  isZero,
  leave,
  load16,
  load32,
  load64,
  load8,
  loopWhile,
  multiply,
  or,
  or64,
  set,
  shiftLeft,
  shiftRight,
  shiftRight64,
  store32,
  subtract,
  when,
  whenElse,
  whenElseValue,
  type Code,
  type WasmFunction
} from './assembler.ts'

/** Offsets of the parts of a table, from its start: the classes of bytes, and then these. */
export const marksAt = 256
/**
 * The same marks by the classes of the second and the third unit, and then the first: those of three units and of the
 * three from the next one on are 64 bits at one place of each table.
 */
export const leadsAt = marksAt + 32_768
/** The number of marks before each group of 32. */
export const ranksAt = leadsAt + 32_768
/** Marks of those trigrams whose four characters need not be checked. */
export const openAt = ranksAt + 16_384
/** A bit for each hash of four characters. */
export const foursAt = openAt + 32_768
const fourBits = 17
/**
 * Six offsets: of the records of places, the numbers of literals, their records, their pieces, the sets of guards, and
 * the rules for runs of digits (0 if there are none).
 */
export const offsetsAt = foursAt + (1 << fourBits) / 8
/** Where a table has the offsets of the records of literals, of the sets, and of the rules. */
export const literalsOffsetAt = offsetsAt + 8
export const setsOffsetAt = offsetsAt + 16
export const rulesOffsetAt = offsetsAt + 20
/** For each mark, the place that it leads to. */
export const placesAt = offsetsAt + 32

/** Bytes per record of a place: where its literals begin and end, and its sort. */
export const placeBytes = 8
/**
 * Bytes per record of a literal: its first piece, its length, how many units follow the trigram, its sort, and its
 * guard; see `guard-code.ts`.
 */
export const literalBytes = 16
export const unitsOfLiteral = 2

/**
 * Bytes for eight characters of a literal: a mask that folds the text, a mask of what is compared, and the expected
 * value.
 */
export const pieceBytes = 24

/** The bit of four characters, ignoring case, in the table. */
export function fourHash(four: number): number {
  return Math.imul(four | caseBits, fourFactor) >>> (32 - fourBits)
}
const caseBits = 0x20202020
const fourFactor = 0x9e3779b1 | 0

/** The most finds that one place leads to, and the most that a call returns. */
export const findsOfPlaceMax = 256
export const findsMax = 4096

/** A find: its number, its end in the block, and whether the caller must verify it. */
export const endShift = 16
export const endMask = 0x3fff
export const unsureShift = 30
export const unsureBit = 1 << unsureShift

/** The index of `search` in the module. */
export const searchIndex = 4

/** Where a call finds and leaves the classes that it read last, and leaves how far it came. */
const stateAt = 0
export const searchedToAt = 4
/** Where the byte classes of the current table are. */
export const classesAt = 256

/** Parameters and constants of a call. */
const [bytes, count, from, table, finds, numbersFrom, looks] = [0, 1, 2, 3, 4, 5, 6]
const [places, ids, literals, pieces] = [7, 8, 9, 10]
/** Variables. */
const [
  at,
  gram,
  look,
  looksTo,
  kept,
  word,
  place,
  id,
  idsTo,
  record,
  start,
  end,
  piece,
  pieceTo,
  text,
  out,
  sort,
  last,
  units,
  same,
  first,
  second,
  third,
  fourth
] = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34]
const localCount = 35 - 7

/** A look consists of a place in the block and the classes of the three units that end there. */
const placeBits = 13
const grown = (value: Code, by: number): Code => add(value, int(by))
const wordOf = (gramCode: Code): Code => and(shiftRight(gramCode, int(3)), int(0x7ffc))
const isMarked = (words: Code, gramCode: Code): Code => and(shiftRight(words, gramCode), int(1))
const found = shiftRight(subtract(get(out), get(finds)), int(2))

const classAt = (address: Code, before: number): Code => load8(load8(address, before), classesAt)

/** Handles one unit at `at` and its classes. Its address is always written, and stays if it counts. */
const siftUnit = (behind: number): readonly Code[] => [
  set(gram, or(shiftLeft(get(gram), int(6)), classAt(get(at), behind))),
  store32(get(look), grown(get(at), behind)),
  set(look, add(get(look), shiftLeft(isMarked(load32(add(get(table), wordOf(get(gram))), marksAt), get(gram)), int(2))))
]

/** The bit of one class among the 64 at the place of two others in a table. */
const isMarkedBeside = (offset: number, cls: number): Code =>
  and(shiftRight64(load64(get(word), offset), get(cls)), int(1))

/**
 * The same for two units, behind two others whose classes are `first` and `second`: the classes in the middle say where
 * both look.
 */
const siftTwo = (behind: number): readonly Code[] => [
  set(third, classAt(get(at), behind)),
  set(fourth, classAt(get(at), behind + 1)),
  set(word, add(get(table), shiftLeft(or(shiftLeft(get(second), int(6)), get(third)), int(3)))),
  store32(get(look), grown(get(at), behind)),
  set(look, add(get(look), shiftLeft(isMarkedBeside(leadsAt, first), int(2)))),
  store32(get(look), grown(get(at), behind + 1)),
  set(look, add(get(look), shiftLeft(isMarkedBeside(marksAt, fourth), int(2)))),
  set(first, get(third)),
  set(second, get(fourth))
]
const unitsAtOnce = 4
const sift: readonly Code[] = [
  set(at, add(get(bytes), get(from))),
  set(end, add(get(bytes), get(count))),
  set(look, get(looks)),
  set(first, and(shiftRight(get(gram), int(6)), int(63))),
  set(second, and(get(gram), int(63))),
  loopWhile(
    atLeast(get(end), grown(get(at), unitsAtOnce)),
    ...siftTwo(0),
    ...siftTwo(2),
    set(at, grown(get(at), unitsAtOnce))
  ),
  set(gram, or(shiftLeft(get(first), int(6)), get(second))),
  loopWhile(below(get(at), get(end)), ...siftUnit(0), set(at, grown(get(at), 1))),
  set(looksTo, get(look))
]

/**
 * Keeps the looks whose four characters belong to a literal, or whose three suffice, and writes their classes. The
 * first two units depend on classes before this block.
 */
const narrow: readonly Code[] = [
  set(look, get(looks)),
  set(kept, get(looks)),
  set(text, or(shiftLeft(load32(int(stateAt)), int(6)), classAt(get(bytes), 0))),
  loopWhile(
    below(get(look), get(looksTo)),
    set(at, subtract(load32(get(look)), int(3))),
    set(
      gram,
      or(or(shiftLeft(classAt(get(at), 1), int(12)), shiftLeft(classAt(get(at), 2), int(6))), classAt(get(at), 3))
    ),
    set(word, shiftRight(multiply(or(load32(get(at)), int(caseBits)), int(fourFactor)), int(32 - fourBits))),
    set(at, subtract(grown(get(at), 3), get(bytes))),
    when(
      below(get(at), int(2)),
      set(
        gram,
        and(whenElseValue(get(at), or(shiftLeft(get(text), int(6)), classAt(get(bytes), 1)), get(text)), int(0x3ffff))
      )
    ),
    store32(get(kept), or(shiftLeft(get(gram), int(placeBits)), get(at))),
    set(
      kept,
      add(
        get(kept),
        shiftLeft(
          or(
            or(
              isMarked(load32(add(get(table), wordOf(get(gram))), openAt), get(gram)),
              isMarked(load32(add(get(table), and(shiftRight(get(word), int(3)), int(~3))), foursAt), get(word))
            ),
            below(get(at), int(3))
          ),
          int(2)
        )
      )
    ),
    set(look, grown(get(look), 4))
  ),
  set(looksTo, get(kept))
]

/** Returns a find to the caller. */
const tell = (number: Code, ends: Code, bits: number): Code => [
  store32(get(out), or(or(number, shiftLeft(ends, int(endShift))), int(bits))),
  set(out, grown(get(out), 4))
]

/** Whether eight characters of the text equal those of a piece. */
const isPiece: Code = isZero(
  differ64(and64(or64(load64(get(text)), load64(get(piece))), load64(get(piece), 8)), load64(get(piece), 16))
)

/** Compares what a literal has beyond its first eight characters: `same` is 0 if it differs. */
const compareRest: Code = [
  set(pieceTo, add(get(piece), multiply(shiftRight(grown(get(units), 7), int(3)), int(pieceBytes)))),
  set(piece, grown(get(piece), pieceBytes)),
  loopWhile(
    below(get(piece), get(pieceTo)),
    set(text, grown(get(text), 8)),
    whenElse(isPiece, set(piece, grown(get(piece), pieceBytes)), [set(same, int(0)), set(pieceTo, int(0))])
  )
]

/**
 * A find is always written, and overwritten by the next one unless it counts. Literals beyond ASCII (sort 1) are
 * compared by the bytes for their characters. Several characters share a byte, so the caller must verify them.
 */
const compareLiteral: Code = [
  set(record, add(get(literals), shiftLeft(load16(get(id)), int(4)))),
  set(end, add(grown(get(at), 1), load16(get(record), 4))),
  set(units, load16(get(record), unitsOfLiteral)),
  set(start, subtract(get(end), get(units))),
  // A start before the block is a huge number when unsigned.
  whenElse(or(below(get(count), get(end)), below(get(count), get(start))), tell(load16(get(id)), get(end), unsureBit), [
    set(piece, add(get(pieces), multiply(load16(get(record)), int(pieceBytes)))),
    set(text, add(get(bytes), get(start))),
    store32(
      get(out),
      or(or(load16(get(id)), shiftLeft(load16(get(record), 6), int(unsureShift))), shiftLeft(get(end), int(endShift)))
    ),
    set(same, isPiece),
    when(and(get(same), below(int(8), get(units))), compareRest),
    set(out, add(get(out), shiftLeft(get(same), int(2))))
  ])
]

/** A sign of hard text. Its number follows those of the literals. */
const tellSort: Code = tell(add(get(numbersFrom), subtract(get(sort), int(1))), grown(get(at), 1), unsureBit)

/** The number of marks before that of the three classes. */
const rank = add(
  load16(add(get(table), and(shiftRight(get(gram), int(4)), int(0x3ffe))), ranksAt),
  bitCount(and(get(word), subtract(shiftLeft(int(1), get(gram)), int(1))))
)

const compare: Code = loopWhile(
  below(get(look), get(looksTo)),
  set(at, and(load32(get(look)), int((1 << placeBits) - 1))),
  set(gram, shiftRight(load32(get(look)), int(placeBits))),
  set(word, load32(add(get(table), wordOf(get(gram))), marksAt)),
  set(place, add(get(places), shiftLeft(load16(add(get(table), shiftLeft(rank, int(1))), placesAt), int(3)))),
  set(sort, load16(get(place), 4)),
  when(get(sort), tellSort),
  set(id, add(get(ids), shiftLeft(load16(get(place)), int(1)))),
  set(idsTo, add(get(ids), shiftLeft(load16(get(place), 2), int(1)))),
  loopWhile(below(get(id), get(idsTo)), compareLiteral, set(id, grown(get(id), 2))),
  when(
    below(int(findsMax - findsOfPlaceMax), found),
    store32(int(stateAt), get(gram)),
    store32(int(searchedToAt), grown(get(at), 1)),
    leave(found)
  ),
  set(look, grown(get(look), 4))
)

/**
 * `search(bytes, count, from, table, finds, numbersFrom, looks)` continues at the unit `from` of the block at `bytes`,
 * and returns how many finds it wrote. It stops early if more might not fit.
 */
export const searchCode: WasmFunction = {
  name: 'search',
  parameters: 7,
  locals: Array.from({ length: localCount }, () => i32),
  body: [
    set(at, get(from)),
    set(gram, load32(int(stateAt))),
    set(out, get(finds)),
    ...[places, ids, literals, pieces].map((local, i) =>
      set(local, add(get(table), load32(get(table), offsetsAt + 4 * i)))
    ),
    ...sift,
    set(last, get(gram)),
    ...narrow,
    set(look, get(looks)),
    compare,
    store32(int(stateAt), get(last)),
    store32(int(searchedToAt), get(count)),
    found
  ]
}
