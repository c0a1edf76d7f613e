/**
 * The search for literals as WebAssembly. For one block it does what `IndexSearch` does in JavaScript, in three steps,
 * each of which leaves little to the next and needs no unpredictable branch: check for each unit whether its three
 * classes belong to a literal; check for those whether the four characters do; compare the literals behind what
 * remains (`compare-code.ts`). The surroundings of literals are checked in a fourth step (`keep-code.ts`). Anything that
 * needs text outside of the block is left to the caller.
 */
import {
  add,
  and,
  atLeast,
  below,
  call,
  get,
  i32,
  int,
  load32,
  load64,
  load8,
  loopWhile,
  multiply,
  or,
  set,
  shiftLeft,
  shiftRight,
  shiftRight64,
  store32,
  subtract,
  when,
  whenElseValue,
  type Code,
  type WasmFunction
} from './assembler.ts'
import { compareIndex } from './compare-code.ts'
import {
  caseBits,
  classesAt,
  fourBits,
  fourFactor,
  foursAt,
  leadsAt,
  marksAt,
  openAt,
  placeBits,
  searchedToAt,
  stateAt,
  wordOf
} from './search-layout.ts'
import { grown } from './short-forms.ts'

/** The index of `search` in the module. */
export const searchIndex = 4

/** Parameters and constants of a call. */
const [bytes, count, from, table, finds, numbersFrom, looks, numbers] = [0, 1, 2, 3, 4, 5, 6, 7]
/** Variables. */
const [at, gram, look, looksTo, kept, word, end, text, last, first, second, third, fourth] = [
  8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
]
const localCount = 13

const isMarked = (words: Code, gramCode: Code): Code => and(shiftRight(words, gramCode), int(1))

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

/**
 * `search(bytes, count, from, table, finds, numbersFrom, looks, numbers)` continues at the unit `from` of the block at
 * `bytes`, and returns how many finds it wrote. It stops early if more might not fit.
 */
export const searchCode: WasmFunction = {
  name: 'search',
  parameters: 8,
  locals: Array.from({ length: localCount }, () => i32),
  body: [
    set(at, get(from)),
    set(gram, load32(int(stateAt))),
    ...sift,
    set(last, get(gram)),
    ...narrow,
    store32(int(stateAt), get(last)),
    store32(int(searchedToAt), get(count)),
    call(compareIndex, ...[bytes, count, table, finds, numbersFrom, looks, looksTo, numbers].map(get))
  ]
}
