/** Decides whether digits are a number of which some detector knows the groups. */
import {
  add,
  and,
  above,
  below,
  equal,
  get,
  i32,
  int,
  isZero,
  leave,
  load8,
  loopWhile,
  multiply,
  or,
  set,
  shiftLeft,
  shiftRight,
  subtract,
  when,
  type Code,
  type WasmFunction
} from './assembler.ts'
import { asks, byteBits, groupsMost, numberUnits, shapeBits, shapeFactor, shapesAt } from './digits-layout.ts'
import { grown, isByte, less } from './short-forms.ts'

/** Index of the function in the module. */
export const numberIndex = 1

/** Whether the byte at an address has one of some class bits. */
export const isOf =
  (rules: number) =>
  (address: Code, bits: number): Code =>
    and(load8(add(get(rules), load8(address))), int(bits))

/** Whether what precedes an address may be the end of an escape such as `\n` or `%3D`. */
export const mayEndEscape = (address: Code): Code => or(isByte(less(address, 2), 92), isByte(less(address, 3), 37))

const [start, run, rules, at, count, groups, key, length, mark] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const is = isOf(rules)
const next = grown(get(at), 1)
const hash = shiftRight(multiply(get(key), int(shapeFactor)), int(32 - shapeBits))
const shapeByte = load8(add(get(rules), shiftRight(get(key), int(3))), shapesAt)

/**
 * `number(start, run, rules)` returns whether the digits from `start` on are a number that triggers and ends behind
 * `run`, with any number of groups.
 */
export const numberCode: WasmFunction = {
  name: 'number',
  parameters: 3,
  locals: [i32, i32, i32, i32, i32, i32],
  body: [
    set(at, less(get(start), 1)),
    when(isByte(get(at), 43), leave(int(0))),
    when(
      and(isZero(isZero(is(get(at), byteBits.separator))), isZero(isByte(get(at), 32))),
      when(is(less(get(start), 2), byteBits.word), leave(int(0))),
      when(and(isByte(get(at), 45), isZero(isZero(is(less(get(start), 2), byteBits.head)))), leave(int(0)))
    ),
    when(is(get(at), byteBits.word), when(isZero(mayEndEscape(get(start))), leave(int(0)))),
    set(at, get(start)),
    loopWhile(
      below(get(groups), int(groupsMost)),
      set(length, int(0)),
      loopWhile(
        is(get(at), byteBits.digit),
        when(equal(get(count), int(numberUnits)), leave(int(0))),
        set(count, grown(get(count), 1)),
        set(length, grown(get(length), 1)),
        set(at, next)
      ),
      set(groups, grown(get(groups), 1)),
      set(key, add(shiftLeft(get(key), int(7)), add(get(mark), get(length)))),
      when(
        and(above(get(at), get(run)), isZero(is(get(at), byteBits.word))),
        // The key is needed again, so its hash replaces the mark, which is not.
        set(mark, get(key)),
        set(key, hash),
        set(length, and(shiftRight(shapeByte, and(get(key), int(7))), int(1))),
        set(key, get(mark)),
        when(
          get(length),
          when(
            or(or(isByte(get(at), 32), isZero(is(get(at), byteBits.separator))), isZero(is(next, byteBits.word))),
            leave(int(asks.number))
          )
        )
      ),
      when(isZero(is(get(at), byteBits.separator)), leave(int(0))),
      when(isZero(is(next, byteBits.digit)), leave(int(0))),
      // A blank, dash, dot or slash: 1, 2, 3 or 4 times twenty.
      set(mark, multiply(subtract(load8(get(at)), int(43)), int(20))),
      when(isByte(get(at), 32), set(mark, int(20))),
      set(at, next)
    ),
    int(0)
  ]
}
