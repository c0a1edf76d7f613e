/**
 * Finds runs of digits and dotted groups, as WebAssembly. In logs every third character is a digit, so a search for
 * three digits like that for the characters of a literal would examine nearly all of them. Sixteen bytes at a time cost
 * a tenth of that.
 */
import {
  add,
  and,
  above,
  below,
  bytesBelow,
  bytesEqual,
  bytesOf,
  bytesSubtract,
  get,
  highBits,
  i32,
  int,
  isZero,
  load8,
  loadBytes,
  loopWhile,
  not,
  or,
  set,
  shiftLeft,
  shiftRight,
  store32,
  subtract,
  trailingZeros,
  v128,
  when,
  whenElse,
  type Code,
  type Local,
  type WasmFunction
} from './assembler.ts'
import { endShift, unsureShift } from './search-layout.ts'
import { isByte } from './short-forms.ts'

/** The index of `runs` in the module. */
export const runsIndex = 5

/**
 * What precedes a block, as bits: whether the third-last unit, the second-last and the last are digits, and whether the
 * last is a dot.
 */
export const beforeBits = { digits: [1, 2, 4], dot: 8 } as const
/** The value in place of them if no runs are searched for. */
export const beforeNothing = -1
/** The end of a list of runs: greater than every find. */
export const runsEnd = -1
/** Where the caller says what precedes the block, and an empty list; and where the next run of a list is. */
export const runsBeforeAt = 32
export const noRunsAt = 36
export const nextRunAt = 40

const [bytes, count, before, out, runId, at, digits, dots, dotted, marks, unit, isDotted] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
]
const [vector, zero, ten, dot] = [12, 13, 14, 15]
const width = 16

const isDigit = (address: Code): Code => below(subtract(load8(address), int(48)), int(10))
const less = (local: Local, by: number): Code => subtract(get(local), int(by))

/** Digits are loaded from three places earlier on: bits for a place, the one before it, and the one before that. */
const [here, oneBefore, twoBefore] = [3, 2, 1].map((by) => shiftRight(get(digits), int(by))) as [Code, Code, Code]

/** Goes back from a digit to before the dot in front of its group. Without a dot, `isDotted` is 0. */
const groupBefore: Code = [
  loopWhile(isDigit(get(unit)), set(unit, less(unit, 1))),
  when(
    above(get(unit), get(bytes)),
    when(isZero(and(isByte(get(unit), 46), isDigit(less(unit, 1)))), set(isDotted, int(0)))
  ),
  set(unit, less(unit, 1))
]

/** Whether the dot before a digit is the third of a row, as far as the block shows. */
const isFourth: Code = [
  set(unit, add(add(get(bytes), get(at)), less(unit, 2))),
  groupBefore,
  when(get(isDotted), groupBefore)
]

/** Writes a find for the place of `unit`, and keeps it if it counts. */
const tell: Code = [
  set(isDotted, and(shiftRight(get(dotted), get(unit)), int(1))),
  store32(
    get(out),
    or(
      add(get(runId), get(isDotted)),
      or(shiftLeft(get(isDotted), int(unsureShift)), shiftLeft(add(add(get(at), get(unit)), int(1)), int(endShift)))
    )
  ),
  whenElse(get(isDotted), isFourth, set(isDotted, int(1))),
  set(out, add(get(out), shiftLeft(get(isDotted), int(2))))
]

/**
 * `runs(bytes, count, before, out, runId)` lists the third digits of runs as finds with the number `runId`, and the
 * digits behind the third dot of a row, or a later one, as unsure finds with the next number. Returns where the list
 * ends.
 */
export const runsCode: WasmFunction = {
  name: 'runs',
  parameters: 5,
  locals: [...Array.from({ length: 7 }, () => i32), v128, v128, v128, v128],
  body: [
    set(zero, bytesOf(int(48))),
    set(ten, bytesOf(int(10))),
    set(dot, bytesOf(int(46))),
    set(digits, and(get(before), int(7))),
    set(dots, shiftRight(get(before), int(3))),
    loopWhile(
      below(get(at), get(count)),
      set(vector, loadBytes(add(get(bytes), get(at)))),
      set(marks, highBits(bytesBelow(bytesSubtract(get(vector), get(zero)), get(ten)))),
      whenElse(
        get(marks),
        [
          set(digits, or(get(digits), shiftLeft(get(marks), int(3)))),
          set(dots, or(get(dots), shiftLeft(highBits(bytesEqual(get(vector), get(dot))), int(1)))),
          set(dotted, and(and(here, get(dots)), twoBefore)),
          set(marks, or(get(dotted), and(and(here, oneBefore), and(twoBefore, not(get(digits)))))),
          when(
            below(get(count), add(get(at), int(width))),
            set(marks, and(get(marks), subtract(shiftLeft(int(1), subtract(get(count), get(at))), int(1))))
          ),
          loopWhile(
            get(marks),
            set(unit, trailingZeros(get(marks))),
            set(marks, and(get(marks), less(marks, 1))),
            tell
          ),
          // The state before the next sixteen bytes.
          set(digits, shiftRight(get(digits), int(width))),
          set(dots, shiftRight(get(dots), int(width)))
        ],
        // Most of program text has no digit, and nothing of it counts behind it.
        [set(digits, int(0)), set(dots, int(0))]
      ),
      set(at, add(get(at), int(width)))
    ),
    store32(get(out), int(runsEnd)),
    get(out)
  ]
}
