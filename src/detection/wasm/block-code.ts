/** Work on the bytes of a block besides the search, as WebAssembly. */
import {
  above,
  add,
  and,
  atLeast,
  below,
  bytesBelow,
  bytesEqual,
  bytesOf,
  bytesOr,
  bytesSubtract,
  equal,
  get,
  highBits,
  i32,
  int,
  isZero,
  leadingZeros,
  least,
  leave,
  load8,
  loadBytes,
  loopWhile,
  not,
  or,
  set,
  shiftLeft,
  shiftRight,
  store16,
  store32,
  store8,
  storeBytes,
  subtract,
  trailingZeros,
  v128,
  when,
  whenElse,
  type Code,
  type Local,
  type WasmFunction
} from './assembler.ts'

/** Where `recode` leaves all codes beyond ASCII, or-ed together. */
export const wideBitsAt = 8

/** Constants that classify base64 letters, sixteen times each in a local variable: V8 does not hoist them out of loops. */
const runConstants = [32, 97, 26, 47, 11, 95, 43, 45]

/** Sets the local variables from `first` on to the constants. */
const setRunConstants = (first: Local): readonly Code[] =>
  runConstants.map((value, i) => set(first + i, bytesOf(int(value))))

/** For sixteen bytes at an address, one bit per base64 letter, of either alphabet. */
function runBits(address: Code, first: Local, bytes: Local): Code {
  const [fold, a, letters, slash, digits, ...signs] = runConstants.map((_, i) => get(first + i)) as [
    Code,
    Code,
    Code,
    Code,
    Code,
    ...Code[]
  ]
  return [
    set(bytes, loadBytes(address)),
    highBits(
      signs.reduce(
        (sum, sign) => bytesOr(sum, bytesEqual(get(bytes), sign)),
        bytesOr(
          bytesBelow(bytesSubtract(bytesOr(get(bytes), fold), a), letters),
          // From the slash to the nine.
          bytesBelow(bytesSubtract(get(bytes), slash), digits)
        )
      )
    )
  ]
}

/**
 * Where `group` leaves the bounds of the run within the block: its start (-1 if it may be before the block) and its
 * end.
 */
export const runStartAt = 24
export const runEndAt = 28
/** Where it leaves whether a digit is among those of its letters that stand in the block; 0 if there is none. */
export const runDigitsAt = 44

/**
 * `group(bytes, count, from)` returns the next multiple of 16 at or behind `from` at which 8 base64 letters stand in a
 * run of at least 24, or of unknown length if the run leaves the block; -1 if there is none.
 */
export const groupCode: WasmFunction = (() => {
  const [bytes, count, at, bits, before, end, digits, vector, constants] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const runsAt = (address: Code): Code => runBits(address, constants, vector)
  // One bit per digit among the bytes that were read last.
  const digitBits = highBits(bytesBelow(bytesSubtract(get(vector), bytesOf(int(48))), bytesOf(int(10))))
  const goOn: Code = [
    set(bits, trailingZeros(not(runsAt(add(get(bytes), get(end)))))),
    set(digits, or(get(digits), and(digitBits, subtract(shiftLeft(int(1), get(bits)), int(1))))),
    set(end, add(get(end), get(bits)))
  ]
  return {
    name: 'group',
    parameters: 3,
    locals: [i32, i32, i32, i32, v128, ...runConstants.map(() => v128)],
    body: [
      ...setRunConstants(constants),
      store32(int(runStartAt), int(-1)),
      loopWhile(
        atMostCount(get(at), get(count)),
        set(bits, runsAt(add(get(bytes), get(at)))),
        when(
          equal(and(get(bits), int(255)), int(255)),
          set(end, get(at)),
          set(digits, int(0)),
          goOn,
          loopWhile(and(equal(get(bits), int(16)), below(get(end), get(count))), goOn),
          store32(int(runEndAt), least(get(end), get(count))),
          store32(int(runDigitsAt), get(digits)),
          when(isZero(get(at)), leave(get(at))),
          // It began behind the previous group.
          set(before, leadingZeros(not(shiftLeft(runsAt(subtract(add(get(bytes), get(at)), int(16))), int(16))))),
          store32(int(runDigitsAt), or(get(digits), shiftRight(digitBits, subtract(int(16), get(before))))),
          store32(int(runStartAt), subtract(get(at), get(before))),
          when(
            or(atLeast(get(end), get(count)), atLeast(subtract(add(get(end), get(before)), get(at)), int(24))),
            leave(get(at))
          )
        ),
        set(at, add(get(at), int(16)))
      ),
      int(-1)
    ]
  }
})()

/**
 * `wide(bytes, count, from)` returns the next place at or behind `from` of a byte for a character beyond ASCII; `count`
 * if there is none.
 */
export const wideCode: WasmFunction = (() => {
  const [bytes, count, at, bits] = [0, 1, 2, 3]
  return {
    name: 'wide',
    parameters: 3,
    locals: [i32],
    body: [
      loopWhile(
        below(get(at), get(count)),
        set(bits, highBits(loadBytes(add(get(bytes), get(at))))),
        when(get(bits), leave(least(add(get(at), trailingZeros(get(bits))), get(count)))),
        set(at, add(get(at), int(16)))
      ),
      get(count)
    ]
  }
})()

/** The index of `value` in the module. */
export const valueIndex = 2

/** How much behind a name `value` reads, and how far behind it a value may begin. */
export const valueReach = 96
const valueGap = 64
const valueStep = 16

/**
 * `value(at, long)` returns whether a run of at least 16 base64 letters, or 32 if `long` is 1, begins in the `valueGap`
 * bytes from `at` on.
 */
export const valueCode: WasmFunction = (() => {
  const [at, long, to, bits, next, before, always, vector, constants] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const narrow = (by: number): Code => set(bits, and(get(bits), shiftRight(get(bits), int(by))))
  return {
    name: 'value',
    parameters: 2,
    locals: [i32, i32, i32, i32, i32, v128, ...runConstants.map(() => v128)],
    body: [
      ...setRunConstants(constants),
      set(next, runBits(get(at), constants, vector)),
      set(to, add(get(at), add(int(valueGap), shiftLeft(get(long), int(4))))),
      set(always, subtract(get(long), int(1))),
      set(before, get(always)),
      loopWhile(
        below(get(at), get(to)),
        set(at, add(get(at), int(valueStep))),
        set(bits, get(next)),
        set(next, runBits(get(at), constants, vector)),
        set(bits, or(get(bits), shiftLeft(get(next), int(valueStep)))),
        ...[1, 2, 4, 8].map(narrow),
        // Now a bit means that sixteen letters begin there. For a long run, they began sixteen bytes before as well.
        when(and(get(bits), get(before)), leave(int(1))),
        set(before, or(get(bits), get(always)))
      ),
      int(0)
    ]
  }
})()

function atMostCount(at: Code, count: Code): Code {
  return atLeast(count, add(at, int(8)))
}

/**
 * `recode(from, to, out, table)` converts the UTF-8 in `[from, to)` to one byte per UTF-16 unit, by a table of 65,536
 * bytes. Returns the number of units, or -1 if one may not have survived the conversion to UTF-8.
 */
export const recodeCode: WasmFunction = (() => {
  const [from, to, out, table, begin, bits, code, wide] = [0, 1, 2, 3, 4, 5, 6, 7]
  const tail = (offset: number) => and(load8(get(from), offset), int(63))
  const put = (unit: Code): Code => [
    store8(get(out), load8(add(get(table), unit))),
    set(out, add(get(out), int(1))),
    set(wide, or(get(wide), unit))
  ]
  const skip = (units: number): Code => set(from, add(get(from), int(units)))
  return {
    name: 'recode',
    parameters: 4,
    locals: [i32, i32, i32, i32],
    body: [
      set(begin, get(out)),
      loopWhile(
        below(get(from), get(to)),
        // Sixteen bytes at a time, as long as they are ASCII.
        storeBytes(get(out), loadBytes(get(from))),
        set(bits, trailingZeros(or(highBits(loadBytes(get(from))), int(0x10000)))),
        when(above(get(bits), subtract(get(to), get(from))), set(bits, subtract(get(to), get(from)))),
        set(out, add(get(out), get(bits))),
        set(from, add(get(from), get(bits))),
        when(
          and(below(get(bits), int(16)), below(get(from), get(to))),
          set(code, load8(get(from))),
          whenElse(
            below(get(code), int(0xe0)),
            [put(or(shiftLeft(and(get(code), int(31)), int(6)), tail(1))), skip(2)],
            whenElse(
              below(get(code), int(0xf0)),
              [
                set(code, or(or(shiftLeft(and(get(code), int(15)), int(12)), shiftLeft(tail(1), int(6))), tail(2))),
                when(equal(get(code), int(0xfffd)), leave(int(-1))),
                put(get(code)),
                skip(3)
              ],
              [
                set(
                  code,
                  or(
                    or(shiftLeft(and(get(code), int(7)), int(18)), shiftLeft(tail(1), int(12))),
                    or(shiftLeft(tail(2), int(6)), tail(3))
                  )
                ),
                put(add(shiftRight(get(code), int(10)), int(0xd7c0))),
                put(or(and(get(code), int(0x3ff)), int(0xdc00))),
                skip(4)
              ]
            )
          )
        )
      ),
      store32(int(wideBitsAt), get(wide)),
      subtract(get(out), get(begin))
    ]
  }
})()

/**
 * `begins(bytes, count, before, pairs, out)` lists the places where a value may begin whose first two bytes have a bit
 * in `pairs`, and returns their number. A place is that of the second byte; `before` is the byte in front of the block.
 * No value begins within a word, unless an escape ends there.
 */
export const beginsCode: WasmFunction = (() => {
  const [bytes, count, pair, pairs, out, at, first] = [0, 1, 2, 3, 4, 5, 6]
  const before = (units: number) => load8(subtract(add(get(bytes), get(at)), int(units)))
  const isWord = or(
    below(subtract(or(before(2), int(32)), int(97)), int(26)),
    below(subtract(before(2), int(48)), int(10))
  )
  return {
    name: 'begins',
    parameters: 5,
    locals: [i32, i32],
    body: [
      set(first, get(out)),
      loopWhile(
        below(get(at), get(count)),
        set(pair, and(or(shiftLeft(get(pair), int(8)), load8(add(get(bytes), get(at)))), int(0xffff))),
        when(
          and(shiftRight(load8(add(get(pairs), shiftRight(get(pair), int(3)))), and(get(pair), int(7))), int(1)),
          store16(get(out), get(at)),
          // The first places of a block are accepted unchecked, so as not to read before the block.
          whenElse(
            below(get(at), int(3)),
            set(out, add(get(out), int(2))),
            when(or(isZero(isWord), equal(before(3), int(92))), set(out, add(get(out), int(2))))
          )
        ),
        set(at, add(get(at), int(1)))
      ),
      shiftRight(subtract(get(out), get(first)), int(1))
    ]
  }
})()
