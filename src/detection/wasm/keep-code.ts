/**
 * The last step of the search in WebAssembly: checks the surroundings of a literal, whether a long value follows
 * certain names, and what a run of digits may be. It is a separate function, so that the loops of the search have the
 * registers to themselves.
 */
import {
  add,
  and,
  atLeast,
  below,
  bytesOf,
  call,
  equal,
  get,
  i32,
  int,
  load16,
  load32,
  load8,
  loopWhile,
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
  type WasmFunction
} from './assembler.ts'
import { valueIndex, valueReach } from './block-code.ts'
import { digitsIndex } from './digits-code.ts'
import { edgeBehind, edgesAt, lastEdge } from './digits-layout.ts'
import { beforeValueFlag, guardAt, guardCode, isSet, longValueFlag } from './guard-code.ts'
import { nextRunAt } from './runs-code.ts'
import {
  endMask,
  endShift,
  literalsOffsetAt,
  rulesOffsetAt,
  searchedToAt,
  setsOffsetAt,
  unitsOfLiteral,
  unsureBit
} from './search-layout.ts'

/** The index of `keep` in the module. */
export const keepIndex = 3

const [bytes, count, table, finds, length, runId, kept, at, out, to, rules, literals, find, keeps, isLast] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
]
const [record, start, end, sets, text, textTo, units, run, vector] = [15, 16, 17, 18, 19, 20, 21, 22, 23]
const idOf = and(get(find), int(0xffff))
const vectorBytes = 16

/** Reads past the end of the text find zeros. */
const closeText: Code = Array.from({ length: edgeBehind / vectorBytes }, (_, i) =>
  storeBytes(add(add(get(bytes), get(count)), int(i * vectorBytes)), bytesOf(int(0)))
)

/** A run that begins before the block passes. */
const keepRun: Code = when(
  and(isSet(get(rules)), atLeast(get(end), int(3))),
  set(keeps, call(digitsIndex, get(bytes), get(count), subtract(get(end), int(3)), get(rules))),
  store32(get(out), add(get(find), add(get(keeps), int(2))))
)

/** Whether everything to be checked is within the block, or the text ends with it. */
const isSeen = or(get(isLast), atLeast(get(count), add(get(end), int(valueReach))))
const flags = load8(get(record), guardAt.flags)
const keepLiteral: Code = [
  set(record, add(get(literals), shiftLeft(idOf, int(4)))),
  set(start, subtract(get(end), load16(get(record), unitsOfLiteral))),
  // A start before the block is a huge number when unsigned.
  when(
    and(atLeast(get(count), get(end)), atLeast(get(count), get(start))),
    guardCode({ bytes, count, record, start, end, sets, keeps, text, textTo, units, vector }),
    when(
      and(and(isSet(and(flags, int(beforeValueFlag))), get(keeps)), and(below(get(find), int(unsureBit)), isSeen)),
      set(keeps, call(valueIndex, add(get(bytes), get(end)), isSet(and(flags, int(longValueFlag)))))
    )
  )
]

const endOf = (address: Code): Code => and(load32(address), int(endMask << endShift))

/** Takes the next literal, or a run that ends before it. */
const takeNext = whenElse(
  below(endOf(get(run)), endOf(get(at))),
  [set(find, load32(get(run))), set(run, add(get(run), int(4)))],
  [set(find, load32(get(at))), set(at, add(get(at), int(4)))]
)

/**
 * `keep(bytes, count, table, finds, length, runId, kept)` writes those literals and runs of digits that may matter to
 * `kept`, in the order of their ends; what a run may be is added to its number. Returns how many there are.
 */
export const keepCode: WasmFunction = {
  name: 'keep',
  parameters: 7,
  locals: [...Array.from({ length: 16 }, () => i32), v128],
  body: [
    set(rules, load32(get(table), rulesOffsetAt)),
    when(get(rules), set(rules, add(get(table), get(rules)))),
    set(literals, add(get(table), load32(get(table), literalsOffsetAt))),
    set(sets, add(get(table), load32(get(table), setsOffsetAt))),
    set(isLast, isSet(and(load32(int(edgesAt)), int(lastEdge)))),
    when(get(isLast), closeText),
    set(at, get(finds)),
    set(out, get(kept)),
    set(to, add(get(finds), shiftLeft(get(length), int(2)))),
    set(run, load32(int(nextRunAt))),
    // A sentinel behind the last literal, so that all runs are taken that end within what was searched.
    store32(get(to), shiftLeft(add(load32(int(searchedToAt)), int(1)), int(endShift))),
    loopWhile(
      or(below(get(at), get(to)), below(endOf(get(run)), endOf(get(to)))),
      takeNext,
      store32(get(out), get(find)),
      set(end, and(shiftRight(get(find), int(endShift)), int(endMask))),
      set(keeps, int(1)),
      whenElse(
        below(idOf, get(runId)),
        keepLiteral,
        when(and(equal(idOf, get(runId)), below(get(find), int(unsureBit))), keepRun)
      ),
      set(out, add(get(out), shiftLeft(isSet(get(keeps)), int(2))))
    ),
    store32(int(nextRunAt), get(run)),
    shiftRight(subtract(get(out), get(kept)), int(2))
  ]
}
