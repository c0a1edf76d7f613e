/**
 * Checks what stands around a literal, as WebAssembly. It hardly branches: most answers are unpredictable, and a
 * misprediction costs more than all of the checks.
 */
import {
  add,
  and,
  atLeast,
  below,
  bytesBelow,
  bytesEqual,
  bytesOr,
  bytesSubtract,
  equal,
  get,
  highBits,
  int,
  isZero,
  leadingZeros,
  least,
  load32,
  load8,
  loadBytes,
  loopWhile,
  multiply,
  not,
  or,
  set,
  shiftLeft,
  shiftRight,
  subtract,
  trailingZeros,
  when,
  whenElseValue,
  type Code,
  type Local
} from './assembler.ts'
import { edgesAt, firstEdge, lastEdge } from './digits-layout.ts'
import { times16 } from './short-forms.ts'

/**
 * Offsets within the record of a literal: the bits of its lists of words, the set numbers of its guard, its
 * flags, and its pairs behind names.
 */
export const guardAt = { words: 7, notBefore: 8, notBehind: 9, behind: 10, flags: 11, pairs: 12 } as const
export const guardFrom = guardAt.words
export const guardBytes = 9
/** How many units behind are checked, up to 7; the other flags are single bits. */
const behindUnitsMask = 7
export const longValueFlag = 8
export const orCapitalFlag = 16
export const beforeValueFlag = 32
export const holdsTextFlag = 64
export const nearDigitFlag = 128

/** Bytes per set. */
export const setUnits = 256
/** The first sets: the empty one and, for the pairs behind names, four bytes for each first and each second character. */
export const firstsAt = setUnits
export const secondsAt = firstsAt + 4 * setUnits
/** Then a byte for each hash of a word, with a bit for each list that has such a word. */
export const wordsAt = secondsAt + 4 * setUnits
const wordBits = 10
export const wordSlots = 1 << wordBits
export const wordListsMax = 8
export const firstFreeSet = (wordsAt + wordSlots) / setUnits
/** Each pair has a bit in those. */
export const pairsMax = 32

/** Longer names are not read to their end. */
const nameUnitsMax = 48
const nameStep = 16

/** The hash of a word: of its first four letters and its length. */
export function wordHash(word: string): number {
  let four = word.length
  for (let i = 0; i < Math.min(4, word.length); i++) four += word.charCodeAt(i) << (8 * i)
  return Math.imul(four, wordFactor) >>> (32 - wordBits)
}
const wordFactor = 0x9e3779b1 | 0
/** Longer words are not looked up. */
const wordUnitsMax = 15
/** The last characters of commands behind which a name and a blank precede a value: of `ENV`, `set -gx`, `setenv`. */
const commandTails = ['ENV ', 'ARG ', 'set ', ' -x ', '-gx ', 'env ']
const fourOf = (signs: string): Code => int(codesOf(signs).reduce((four, code, i) => four | (code << (8 * i)), 0))

/** The local variables that the code uses. */
interface GuardLocals {
  readonly bytes: Local
  readonly count: Local
  /** The find: its record, and its start and end in the block. */
  readonly record: Local
  readonly start: Local
  readonly end: Local
  /** The sets of guards. */
  readonly sets: Local
  /** Receives the result. */
  readonly keeps: Local
  /** Scratch. */
  readonly text: Local
  readonly textTo: Local
  readonly units: Local
  /** Scratch of sixteen bytes. */
  readonly vector: Local
}

/** For sixteen bytes at an address, one bit per character of a name: letters, digits, `_` and `-`. */
function nameBits(address: Code, bytes: Local): Code {
  const letter = bytesBelow(bytesSubtract(bytesOr(get(bytes), times16(32)), times16(97)), times16(26))
  const digit = bytesBelow(bytesSubtract(get(bytes), times16(48)), times16(10))
  const sign = bytesOr(bytesEqual(get(bytes), times16(95)), bytesEqual(get(bytes), times16(45)))
  return [set(bytes, loadBytes(address)), highBits(bytesOr(bytesOr(letter, digit), sign))]
}

/** For sixteen bytes at an address, one bit per lower-case letter. */
const lowerBits = (address: Code): Code =>
  highBits(bytesBelow(bytesSubtract(loadBytes(address), times16(97)), times16(26)))

/** For sixteen bytes at an address, one bit per bracket, quote and end of a statement. */
function bracketBits(address: Code, bytes: Local): Code {
  const isOneOf = (value: Code, ...signs: readonly number[]): Code =>
    signs.map((sign) => bytesEqual(value, times16(sign))).reduce((all, one) => bytesOr(all, one))
  return [
    set(bytes, loadBytes(address)),
    highBits(
      bytesOr(
        isOneOf(get(bytes), ...codesOf('()"\'`;')),
        // Opening and closing ones of two sorts differ by one bit.
        isOneOf(bytesOr(get(bytes), times16(32)), ...codesOf('{}'))
      )
    )
  ]
}
const codesOf = (signs: string): number[] => [...signs].map((sign) => sign.charCodeAt(0))
/** How far behind a bracket a guard looks for a literal, in steps of sixteen bytes. */
const bracketSteps = 2

/** How far around the start of a literal a guard looks for a digit. */
const digitUnitsBefore = 192
const digitUnitsBehind = 208

/**
 * Refuses a word behind the name that ends at `text` and a blank, if it is not in one of the lists of the guard. Leaves
 * `text` as it is.
 */
function refuseWord({ bytes, count, record, start, sets, keeps, text, textTo, units, vector }: GuardLocals): Code {
  const word = (offset: number) => load8(get(textTo), offset)
  const four = and(
    load32(get(text), 1),
    // The first `units` bytes of four.
    whenElseValue(
      below(get(units), int(4)),
      subtract(shiftLeft(int(1), shiftLeft(get(units), int(3))), int(1)),
      int(-1)
    )
  )
  const hash = shiftRight(multiply(add(four, get(units)), int(wordFactor)), int(32 - wordBits))
  const isListed = and(load8(add(get(sets), hash), wordsAt), load8(get(record), guardAt.words))
  const endsWord = or(
    isOneOf(word(0), ',\n'),
    or(
      both(equal(word(0), int(46)), isOneOf(word(1), ' \n')),
      both(equal(word(0), int(32)), isZero(isOneOf(word(1), ' \t=')))
    )
  )
  const before = (units: number) => subtract(get(textTo), int(units))
  return when(
    both(
      isSet(load8(get(record), guardAt.words)),
      equal(load8(get(text)), int(32)),
      isWithin(load8(get(text), 1), 97, 26),
      or(atLeast(add(get(bytes), get(count)), add(get(text), int(wordUnitsMax + 4))), isEdge(lastEdge)),
      or(atLeast(get(start), int(nameStep + 4)), isEdge(firstEdge))
    ),
    set(units, trailingZeros(not(lowerBits(add(get(text), int(1)))))),
    set(textTo, add(add(get(text), int(1)), get(units))),
    when(
      both(below(get(units), int(wordUnitsMax + 1)), endsWord, isZero(isListed)),
      // Back to where the name begins.
      set(textTo, add(get(bytes), get(start))),
      set(units, leadingZeros(not(shiftLeft(nameBits(before(nameStep), vector), int(nameStep))))),
      set(textTo, subtract(get(textTo), get(units))),
      set(
        keeps,
        and(
          get(keeps),
          or(
            or(atLeast(get(units), int(nameStep)), equal(word(0), int(45))),
            or(
              isOneOf(load8(before(1)), '<:'),
              commandTails.map((tail) => equal(load32(before(4)), fourOf(tail))).reduce((all, one) => or(all, one))
            )
          )
        )
      )
    )
  )
}

const isWithin = (code: Code, first: number, units: number): Code => below(subtract(code, int(first)), int(units))
/** 1 if any bit is set. */
export const isSet = (bits: Code): Code => isZero(isZero(bits))
const both = (...conditions: readonly Code[]): Code => conditions.reduce((all, one) => and(all, one))

/** Leaves in `keeps` whether the guard lets a literal in the block pass. What is outside of the block passes. */
export function guardCode(locals: GuardLocals): Code {
  return [checkBefore(locals), checkBehind(locals), checkName(locals), checkBracket(locals), checkDigits(locals)]
}

const flagsOf = (record: Local): Code => load8(get(record), guardAt.flags)

function inSetOf({ sets, record }: GuardLocals, address: Code, number: number): Code {
  return load8(add(add(get(sets), shiftLeft(load8(get(record), number), int(8))), load8(address)))
}

/** Sets `keeps` by what stands before the literal. */
function checkBefore(locals: GuardLocals): Code {
  const { bytes, record, start, keeps, text } = locals
  const before = (units: number) => load8(subtract(get(text), int(units)))
  return [
    set(text, add(get(bytes), get(start))),
    set(
      keeps,
      isZero(
        both(
          inSetOf(locals, subtract(get(text), int(1)), guardAt.notBefore),
          atLeast(get(start), int(3)),
          // The end of an escape.
          isZero(or(equal(before(2), int(92)), equal(before(3), int(37)))),
          isZero(
            both(
              isSet(and(flagsOf(record), int(orCapitalFlag))),
              isWithin(before(1), 97, 26),
              isWithin(load8(get(text)), 65, 26)
            )
          )
        )
      )
    )
  ]
}

/** Clears `keeps` for what may not follow, or if not all of the characters behind are such as have to follow. */
function checkBehind(locals: GuardLocals): Code {
  const { bytes, count, record, end, keeps, text, textTo } = locals
  return [
    set(text, add(get(bytes), get(end))),
    set(
      keeps,
      and(get(keeps), isZero(and(below(get(end), get(count)), inSetOf(locals, get(text), guardAt.notBehind))))
    ),
    set(textTo, least(add(get(text), and(flagsOf(record), int(behindUnitsMask))), add(get(bytes), get(count)))),
    loopWhile(
      below(get(text), get(textTo)),
      set(keeps, and(get(keeps), inSetOf(locals, get(text), guardAt.behind))),
      set(text, add(get(text), int(1)))
    )
  ]
}

/** Clears `keeps` if the name that the literal begins is followed by none of its pairs. Leaves `text` at its end. */
function checkName(locals: GuardLocals): Code {
  const { bytes, count, record, end, sets, keeps, text, textTo, units, vector } = locals
  const pairs = (table: number, offset: number): Code =>
    load32(add(get(sets), shiftLeft(load8(get(text), offset), int(2))), table)
  const goOn: readonly Code[] = [
    set(units, trailingZeros(not(nameBits(get(text), vector)))),
    set(text, add(get(text), get(units)))
  ]
  return when(
    load32(get(record), guardAt.pairs),
    set(text, add(get(bytes), get(end))),
    set(textTo, add(get(text), int(nameUnitsMax))),
    ...goOn,
    loopWhile(and(equal(get(units), int(nameStep)), below(get(text), get(textTo))), ...goOn),
    when(
      and(
        // Zeros follow the end of the text.
        or(below(add(get(text), int(1)), add(get(bytes), get(count))), isEdge(lastEdge)),
        below(get(text), get(textTo))
      ),
      set(
        keeps,
        and(get(keeps), isSet(both(pairs(firstsAt, 0), pairs(secondsAt, 1), load32(get(record), guardAt.pairs))))
      ),
      refuseWord(locals)
    )
  )
}

/** Clears `keeps` if the bracket behind holds no text. */
function checkBracket({ bytes, count, record, end, keeps, text, units, vector }: GuardLocals): Code {
  return when(
    and(get(keeps), isSet(and(flagsOf(record), int(holdsTextFlag)))),
    // Otherwise it stands behind the name.
    when(isZero(load32(get(record), guardAt.pairs)), set(text, subtract(add(get(bytes), get(end)), int(1)))),
    when(
      both(isOneOf(load8(get(text)), '({'), below(add(get(text), int(bracketSteps * 16)), add(get(bytes), get(count)))),
      set(text, add(get(text), int(1))),
      set(units, bracketBits(get(text), vector)),
      when(isZero(get(units)), set(text, add(get(text), int(16))), set(units, bracketBits(get(text), vector))),
      when(
        get(units),
        set(text, add(get(text), trailingZeros(get(units)))),
        set(keeps, isZero(isOneOf(load8(get(text)), ')}];')))
      )
    )
  )
}

/** Clears `keeps` if a digit has to be near and none is. */
function checkDigits({ bytes, count, record, start, keeps, text, textTo }: GuardLocals): Code {
  return when(
    both(
      get(keeps),
      isSet(and(flagsOf(record), int(nearDigitFlag))),
      or(atLeast(get(start), int(digitUnitsBefore)), isEdge(firstEdge)),
      or(atLeast(get(count), add(get(start), int(digitUnitsBehind))), isEdge(lastEdge))
    ),
    set(text, subtract(add(get(bytes), get(start)), least(get(start), int(digitUnitsBefore)))),
    set(textTo, add(get(bytes), least(add(get(start), int(digitUnitsBehind)), get(count)))),
    set(keeps, int(0)),
    loopWhile(
      below(get(text), get(textTo)),
      set(keeps, isSet(highBits(bytesBelow(bytesSubtract(loadBytes(get(text)), times16(48)), times16(10))))),
      set(text, whenElseValue(get(keeps), get(textTo), add(get(text), int(16))))
    )
  )
}

const isEdge = (edge: number): Code => isSet(and(load32(int(edgesAt)), int(edge)))

const isOneOf = (code: Code, signs: string): Code =>
  codesOf(signs)
    .map((sign) => equal(code, int(sign)))
    .reduce((all, one) => or(all, one))
