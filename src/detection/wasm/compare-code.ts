/**
 * The last step of the search for literals, as WebAssembly: compares those of the looks that the first steps left. Most
 * of them differ, and looks lead to different numbers of them, so branches that depend on either are mispredicted too
 * often. Therefore the literals of many looks are listed first. Then those stay in the list whose head stands there:
 * eight characters around the trigram, compared at once. Hardly any of these differs in the rest (decision 207).
 */
import {
  add,
  and,
  and64,
  below,
  bitCount,
  differ64,
  get,
  i32,
  int,
  isZero,
  least,
  leave,
  load16,
  load32,
  load64,
  load8,
  loopWhile,
  multiply,
  numbersAdd,
  numbersOf,
  numbersUp,
  or,
  set,
  shiftLeft,
  shiftRight,
  store32,
  storeBytes,
  subtract,
  v128,
  when,
  whenElse,
  type Code,
  type Local,
  type WasmFunction
} from './assembler.ts'
import {
  endShift,
  findsMax,
  findsOfPlaceMax,
  headUnitsBefore,
  headUnitsBehind,
  headsOffsetAt,
  marksAt,
  offsetsAt,
  pieceBytes,
  placeBits,
  placesAt,
  ranksAt,
  searchedToAt,
  sortOfLiteral,
  stateAt,
  unitsOfLiteral,
  unsureBit,
  unsureShift,
  wordOf
} from './search-layout.ts'
import { grown } from './short-forms.ts'

/** The index of `compare` in the module. */
export const compareIndex = 6

/** How many looks, and literals of them, are listed at a time. The list may exceed that by the literals of one look. */
const looksOfList = 512
const literalsOfList = 1024
const findsOfList = looksOfList + literalsOfList + findsOfPlaceMax

const [bytes, count, table, finds, numbersFrom, look, looksTo, list] = [0, 1, 2, 3, 4, 5, 6, 7]
/** Constants of a call. */
const [places, ids, literals, pieces, heads] = [8, 9, 10, 11, 12]
/** Variables. */
const [at, gram, word, place, sort, listedTo, item, itemTo, kept, head, out, id] = [
  13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
]
const [record, start, end, piece, pieceTo, text, units, same] = [25, 26, 27, 28, 29, 30, 31, 32]
const [four, items] = [33, 34]

const found = shiftRight(subtract(get(out), get(finds)), int(2))

/** Returns a find to the caller. */
const tell = (number: Code, ends: Code, bits: number): Code => [
  store32(get(out), or(or(number, shiftLeft(ends, int(endShift))), int(bits))),
  set(out, grown(get(out), 4))
]

/** The number of marks before that of the three classes. */
const rank = add(
  load16(add(get(table), and(shiftRight(get(gram), int(4)), int(0x3ffe))), ranksAt),
  bitCount(and(get(word), subtract(shiftLeft(int(1), get(gram)), int(1))))
)

/** The place and the classes of a look. */
const readLook = (address: Code): Code => [
  set(at, and(load32(address), int((1 << placeBits) - 1))),
  set(gram, shiftRight(load32(address), int(placeBits)))
]

/** A sign of hard text. Its number follows those of the literals. */
const tellSort: Code = tell(add(get(numbersFrom), subtract(get(sort), int(1))), grown(get(at), 1), unsureBit)

/** An item of the list consists of a place in the block and the index of a literal in `ids`. */
const placeOfItem = shiftRight(load32(get(item)), int(16))
const indexOfItem = load16(get(item))

/** Lists the literals of the next looks. Four at a time are written, and what is too much is overwritten. */
const listLiterals: Code = [
  set(item, get(list)),
  set(listedTo, least(grown(get(look), looksOfList * 4), get(looksTo))),
  loopWhile(
    and(below(get(look), get(listedTo)), below(get(item), grown(get(list), literalsOfList * 4))),
    readLook(get(look)),
    set(word, load32(add(get(table), wordOf(get(gram))), marksAt)),
    set(place, add(get(places), shiftLeft(load16(add(get(table), shiftLeft(rank, int(1))), placesAt), int(3)))),
    set(sort, load16(get(place), 4)),
    when(get(sort), tellSort),
    set(itemTo, add(get(item), shiftLeft(subtract(load16(get(place), 2), load16(get(place))), int(2)))),
    set(items, numbersAdd(numbersOf(or(shiftLeft(get(at), int(16)), load16(get(place)))), numbersUp)),
    loopWhile(
      below(get(item), get(itemTo)),
      storeBytes(get(item), get(items)),
      set(items, numbersAdd(get(items), get(four))),
      set(item, grown(get(item), 16))
    ),
    set(item, get(itemTo)),
    set(look, grown(get(look), 4))
  ),
  set(itemTo, get(item))
]

/** Whether eight characters of the text equal those of a piece. */
const equals = (address: Code, piece: Local): Code =>
  isZero(differ64(and64(load64(address), load64(get(piece))), load64(get(piece), pieceBytes / 2)))

/**
 * Keeps the literals whose head stands there. What is outside of the block differs from one that may begin or end
 * there.
 */
const keepHeads: Code = [
  set(item, get(list)),
  set(kept, get(list)),
  loopWhile(
    below(get(item), get(itemTo)),
    set(at, placeOfItem),
    set(head, add(get(heads), multiply(indexOfItem, int(pieceBytes)))),
    store32(get(kept), load32(get(item))),
    set(
      same,
      or(
        equals(subtract(add(get(bytes), get(at)), int(headUnitsBefore)), head),
        or(below(get(at), int(headUnitsBefore)), below(get(count), grown(get(at), headUnitsBehind + 1)))
      )
    ),
    set(kept, add(get(kept), shiftLeft(get(same), int(2)))),
    set(item, grown(get(item), 4))
  )
]

/** Compares what a literal has beyond its first eight characters: `same` is 0 if it differs. */
const compareRest: Code = [
  set(pieceTo, add(get(piece), multiply(shiftRight(grown(get(units), 7), int(3)), int(pieceBytes)))),
  set(piece, grown(get(piece), pieceBytes)),
  loopWhile(
    below(get(piece), get(pieceTo)),
    set(text, grown(get(text), 8)),
    whenElse(equals(get(text), piece), set(piece, grown(get(piece), pieceBytes)), [
      set(same, int(0)),
      set(pieceTo, int(0))
    ])
  )
]

/**
 * A find is always written, and overwritten by the next one unless it counts. Literals beyond ASCII (sort 1) are
 * compared by the bytes for their characters. Several characters share a byte, so the caller must verify them.
 */
const compareLiterals: Code = [
  set(item, get(list)),
  loopWhile(
    below(get(item), get(kept)),
    set(at, placeOfItem),
    set(id, load16(add(get(ids), shiftLeft(indexOfItem, int(1))))),
    set(record, add(get(literals), shiftLeft(get(id), int(4)))),
    set(end, add(grown(get(at), 1), load16(get(record), 4))),
    set(units, load16(get(record), unitsOfLiteral)),
    set(start, subtract(get(end), get(units))),
    // A start before the block is a huge number when unsigned.
    whenElse(or(below(get(count), get(end)), below(get(count), get(start))), tell(get(id), get(end), unsureBit), [
      set(piece, add(get(pieces), multiply(load16(get(record)), int(pieceBytes)))),
      set(text, add(get(bytes), get(start))),
      store32(
        get(out),
        or(
          or(get(id), shiftLeft(load8(get(record), sortOfLiteral), int(unsureShift))),
          shiftLeft(get(end), int(endShift))
        )
      ),
      set(same, equals(get(text), piece)),
      when(and(get(same), below(int(8), get(units))), compareRest),
      set(out, add(get(out), shiftLeft(get(same), int(2))))
    ]),
    set(item, grown(get(item), 4))
  )
]

/**
 * `compare(bytes, count, table, finds, numbersFrom, look, looksTo, list)` compares the literals of some looks, with room
 * for a list of them at `list`, and returns how many finds it wrote. It stops early if more might not fit, and then
 * leaves how far it came.
 */
export const compareCode: WasmFunction = {
  name: 'compare',
  parameters: 8,
  locals: [...Array.from({ length: 25 }, () => i32), v128, v128],
  body: [
    set(out, get(finds)),
    set(four, numbersOf(int(4))),
    ...[places, ids, literals, pieces].map((local, i) =>
      set(local, add(get(table), load32(get(table), offsetsAt + 4 * i)))
    ),
    set(heads, add(get(table), load32(get(table), headsOffsetAt))),
    loopWhile(
      below(get(look), get(looksTo)),
      when(
        below(int(findsMax - findsOfList), found),
        readLook(subtract(get(look), int(4))),
        store32(int(stateAt), get(gram)),
        store32(int(searchedToAt), grown(get(at), 1)),
        leave(found)
      ),
      listLiterals,
      keepHeads,
      compareLiterals
    ),
    found
  ]
}
