/**
 * Decides, where a run of three or more digits begins, whether it can trigger anything: as a run, as a number, as part
 * of a word or of a line. In logs and lists of hashes there is such a run every twenty characters, and nearly all of
 * them trigger nothing. Like the guard of a literal, it refuses nothing that `AnchorPass` would accept, and lets
 * everything pass that leaves the block.
 */
import {
  add,
  and,
  atLeast,
  below,
  bitCount,
  bytesAnd,
  bytesAt,
  bytesBelow,
  bytesEqual,
  bytesOr,
  bytesShiftRight,
  bytesSubtract,
  call,
  equal,
  get,
  highBits,
  i32,
  int,
  isZero,
  leadingZeros,
  least,
  leave,
  load16,
  load32,
  load8,
  loadBytes,
  loopWhile,
  not,
  or,
  set,
  shiftLeft,
  store32,
  subtract,
  trailingZeros,
  v128,
  when,
  whenElseValue,
  type Code,
  type WasmFunction
} from './assembler.ts'
import {
  asks,
  besideAt,
  besideBits,
  byteBits,
  edgeBefore,
  edgeBehind,
  edgesAt,
  firstEdge,
  groupsBefore,
  groupUnits,
  lastEdge,
  lineRowsAt,
  lineToAt,
  lineUnits,
  mixedForm,
  mixedLeast,
  rowsBytes,
  runUnits,
  wordsAt,
  wordToAt,
  wordUnits
} from './digits-layout.ts'
import { isOf, mayEndEscape, numberIndex } from './number-code.ts'
import { grown, less, times16 } from './short-forms.ts'

/** Index of the function in the module. */
export const digitsIndex = 0

const step = 16
/** Classes of sixteen bytes. */
const isWithin = (bytes: Code, first: number, units: number): Code =>
  bytesBelow(bytesSubtract(bytes, times16(first)), times16(units))
const digitsIn = (bytes: Code): Code => isWithin(bytes, 48, 10)
const lowersIn = (bytes: Code): Code => isWithin(bytes, 97, 26)
const lettersIn = (bytes: Code): Code => lowersIn(bytesOr(bytes, times16(32)))
/** The lowest bits, as many as there are units, or all of them. */
const firstBits = (units: Code): Code =>
  whenElseValue(below(units, int(32)), subtract(shiftLeft(int(1), units), int(1)), int(-1))
const most = (a: Code, b: Code): Code => whenElseValue(below(a, b), b, a)

// The parameters and locals of the function.
const [bytes, count, first, rules, at, end, before, asked, start, letters, to, limit, unit, sum, vector] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
]
const is = isOf(rules)
const behind = (bits: number): Code => is(get(end), bits)
const edge = (bit: number): Code => and(load32(int(edgesAt)), int(bit))
const ask = (bit: Code): Code => set(asked, or(get(asked), bit))
/** What the rules for runs of this length say of a character before the run, given its place, or behind it. */
const beside = (address: Code, bit: number): Code => and(load8(add(get(start), load8(address)), besideAt), int(bit))
const asksRun: Code = [
  set(start, add(get(rules), shiftLeft(least(subtract(get(end), get(at)), int(runUnits)), int(8)))),
  when(or(beside(less(get(at), 1), besideBits.before), beside(get(end), besideBits.after)), ask(int(asks.run))),
  when(
    beside(less(get(at), 1), besideBits.beforeIf),
    when(beside(less(get(at), 2), besideBits.beforeThat), ask(int(asks.run)))
  )
]
/** From a place on to where the bytes no longer have some class, or to a limit. */
const forward = (local: number, bits: number): Code =>
  loopWhile(and(below(get(local), get(limit)), isZero(isZero(is(get(local), bits)))), set(local, grown(get(local), 1)))
const back = (local: number, bits: number): Code =>
  loopWhile(
    and(below(get(limit), get(local)), isZero(isZero(is(less(get(local), 1), bits)))),
    set(local, less(get(local), 1))
  )
/** For sixteen bytes at an address, one bit per letter or digit. */
const base62Bits = (address: Code): Code => [
  set(vector, loadBytes(address)),
  highBits(bytesOr(lettersIn(get(vector)), digitsIn(get(vector))))
]
const goOn: Code = [set(sum, trailingZeros(not(base62Bits(get(to))))), set(to, add(get(to), get(sum)))]
const goBack: Code = [
  set(sum, leadingZeros(not(shiftLeft(base62Bits(less(get(start), step)), int(step))))),
  set(start, subtract(get(start), get(sum)))
]
const isFull: Code = equal(get(sum), int(step))
/** The bounds of the word around `at`, as far as it may reach. */
const readWord: Code = [
  set(start, get(at)),
  set(limit, less(get(at), wordUnits)),
  goBack,
  loopWhile(and(isFull, below(get(limit), get(start))), goBack),
  set(start, most(get(start), get(limit))),
  set(to, get(end)),
  set(limit, grown(get(at), wordUnits)),
  goOn,
  loopWhile(and(isFull, below(get(to), get(limit))), goOn),
  set(to, least(get(to), get(limit)))
]
/** For sixteen bytes at an address, one bit per character that does not belong in a line. */
const notLineBits = (address: Code): Code => [
  set(vector, loadBytes(address)),
  highBits(
    bytesEqual(
      bytesAnd(
        bytesAt(loadBytes(grown(get(rules), lineRowsAt)), bytesAnd(get(vector), times16(15))),
        bytesAt(loadBytes(grown(get(rules), lineRowsAt + rowsBytes / 2)), bytesShiftRight(get(vector), int(4)))
      ),
      times16(0)
    )
  )
]
const lineOn: Code = [
  set(sum, trailingZeros(or(notLineBits(get(end)), int(1 << step)))),
  set(end, add(get(end), get(sum)))
]
const lineBack: Code = [
  set(sum, leadingZeros(or(shiftLeft(notLineBits(less(get(start), step)), int(step)), int(1 << (step - 1))))),
  set(start, subtract(get(start), get(sum)))
]
/** The first 32 units of the word as bits of a class. */
const bitsOf = (classOf: (bytes: Code) => Code): Code => {
  const sixteen = (from: number): Code => highBits(classOf(loadBytes(grown(get(start), from))))
  return and(or(sixteen(0), shiftLeft(sixteen(step), int(step))), firstBits(get(unit)))
}
/** The same for its other units. */
const restOf = (classOf: (bytes: Code) => Code): Code =>
  and(highBits(classOf(loadBytes(grown(get(start), 32)))), firstBits(less(most(get(unit), int(32)), 32)))
/** Whether the word is mixed. */
const isMixed: Code = [
  set(sum, add(bitCount(bitsOf(digitsIn)), bitCount(restOf(digitsIn)))),
  set(before, add(bitCount(bitsOf(lowersIn)), bitCount(restOf(lowersIn)))),
  and(
    and(atLeast(get(sum), int(mixedLeast)), atLeast(get(before), int(mixedLeast))),
    atLeast(subtract(subtract(get(unit), get(sum)), get(before)), int(mixedLeast))
  )
]
/** The letters of the word as bits, of which the last stands for all further ones, and whether a form has the same. */
const asksWord: Code = [
  set(unit, subtract(get(to), get(start))),
  set(to, add(get(rules), shiftLeft(subtract(get(to), get(start)), int(2)))),
  set(limit, add(get(rules), load16(get(to), wordsAt + 2))),
  set(to, add(get(rules), load16(get(to), wordsAt))),
  when(
    below(get(to), get(limit)),
    set(letters, or(bitsOf(lettersIn), shiftLeft(isZero(isZero(restOf(lettersIn))), int(31)))),
    when(
      get(letters),
      loopWhile(
        below(get(to), get(limit)),
        when(
          whenElseValue(
            equal(load32(get(to)), int(mixedForm)),
            isMixed,
            isZero(or(and(get(letters), load32(get(to))), and(not(get(letters)), load32(get(to), 4))))
          ),
          ask(int(asks.word)),
          set(to, get(limit))
        ),
        set(to, grown(get(to), 8))
      )
    )
  )
]
/** Whether the digits are a number, or the end of one whose shorter groups come before them. */
const asksNumber: Code = when(
  or(
    isZero(behind(byteBits.word)),
    and(isZero(isZero(behind(byteBits.separator))), isZero(isZero(is(grown(get(end), 1), byteBits.digit))))
  ),
  ask(call(numberIndex, get(at), get(at), get(rules))),
  // The number may begin with shorter groups before the run.
  when(
    and(isZero(isZero(is(less(get(at), 1), byteBits.separator))), isZero(isZero(is(less(get(at), 2), byteBits.digit)))),
    set(start, get(at)),
    set(to, int(0)),
    loopWhile(
      and(below(get(to), int(groupsBefore)), isZero(isZero(is(less(get(start), 1), byteBits.separator)))),
      set(letters, less(get(start), 1)),
      set(limit, less(get(letters), groupUnits + 1)),
      back(letters, byteBits.digit),
      set(to, grown(get(to), 1)),
      when(
        atLeast(subtract(less(get(start), 2), get(letters)), int(groupUnits)),
        set(to, int(groupsBefore)),
        set(letters, get(start))
      ),
      set(start, get(letters))
    ),
    when(below(get(start), get(at)), ask(call(numberIndex, get(start), get(at), get(rules)))),
    set(letters, int(0))
  )
)
/** Whether the run is in a line that holds nothing else. */
const asksLine: Code = when(
  and(
    isZero(isZero(is(less(get(at), 1), byteBits.line | byteBits.lineBreak))),
    atLeast(get(at), load32(int(lineToAt)))
  ),
  set(limit, grown(get(at), lineUnits + 1)),
  lineOn,
  loopWhile(and(isFull, below(get(end), get(limit))), lineOn),
  set(end, least(get(end), get(limit))),
  store32(int(lineToAt), get(end)),
  when(
    behind(byteBits.lineBreak),
    set(start, get(at)),
    set(limit, less(get(at), lineUnits)),
    lineBack,
    loopWhile(and(isFull, below(get(limit), get(start))), lineBack),
    set(start, most(get(start), get(limit))),
    when(is(less(get(start), 1), byteBits.lineBreak), ask(int(asks.line)))
  )
)

/** `digits(bytes, count, first, rules)` returns what the run of digits at `first` may be, as bits of `asks`. */
export const digitsCode: WasmFunction = {
  name: 'digits',
  parameters: 4,
  locals: [...Array.from({ length: 10 }, () => i32), v128],
  body: [
    when(and(isZero(edge(firstEdge)), below(get(first), int(edgeBefore))), leave(int(asks.any))),
    when(and(isZero(edge(lastEdge)), below(get(count), grown(get(first), edgeBehind))), leave(int(asks.any))),
    set(at, add(get(bytes), get(first))),
    when(below(get(at), load32(int(wordToAt))), leave(int(0))),
    set(end, grown(get(at), 3)),
    set(limit, grown(get(at), wordUnits)),
    forward(end, byteBits.digit),
    set(before, is(less(get(at), 1), byteBits.base62)),
    when(or(isZero(get(before)), mayEndEscape(get(at))), asksRun, asksNumber),
    when(
      or(get(before), behind(byteBits.base62)),
      readWord,
      store32(int(wordToAt), get(to)),
      when(
        and(
          below(subtract(get(to), get(start)), int(wordUnits + 1)),
          isZero(or(is(less(get(start), 1), byteBits.word), is(get(to), byteBits.word)))
        ),
        asksWord
      )
    ),
    asksLine,
    get(asked)
  ]
}
