/**
 * A small assembler for WebAssembly: a function for each instruction that is used here, and the frame of a module whose
 * functions work on numbers and one imported memory. Code is written as nested calls and reads like the program it is,
 * so neither a compiler nor a binary to review is needed.
 *
 * Source of facts: WebAssembly Core Specification 2.0, chapter 5 (binary format).
 */

/** Code, nested like the calls that made it. */
export type Code = readonly (number | Code)[]

/** A local variable or parameter, by its index. */
export type Local = number

/** Value types. */
export const i32 = 0x7f
export const v128 = 0x7b

const vectorPrefix = 0xfd

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  const out: number[] = []
  let left = value
  for (; left > 127; left >>>= 7) out.push((left & 127) | 128)
  out.push(left)
  return out
}

/** Signed LEB128 of a 32-bit number. */
function signed(value: number): number[] {
  const out: number[] = []
  let left = value | 0
  for (;;) {
    const bits = left & 127
    left >>= 7
    if ((left === 0 && (bits & 64) === 0) || (left === -1 && (bits & 64) !== 0)) return [...out, bits]
    out.push(bits | 128)
  }
}

/** A 32-bit constant. */
export const int = (value: number): Code => [0x41, signed(value)]

export const get = (local: Local): Code => [0x20, unsigned(local)]
export const set = (local: Local, value: Code): Code => [value, 0x21, unsigned(local)]

const unary =
  (...op: readonly number[]) =>
  (value: Code): Code => [value, op]
const binary =
  (...op: readonly number[]) =>
  (a: Code, b: Code): Code => [a, b, op]

export const isZero = unary(0x45)
export const equal = binary(0x46)
export const below = binary(0x49)
export const above = binary(0x4b)
export const atLeast = binary(0x4f)
export const leadingZeros = unary(0x67)
export const trailingZeros = unary(0x68)
export const bitCount = unary(0x69)
export const add = binary(0x6a)
export const subtract = binary(0x6b)
export const multiply = binary(0x6c)
export const and = binary(0x71)
export const or = binary(0x72)
export const shiftLeft = binary(0x74)
export const shiftRight = binary(0x76)

/** Inverts all bits. */
export const not = (value: Code): Code => [value, int(-1), 0x73]

export const and64 = binary(0x83)
export const differ64 = binary(0x52)
/** Shifts a 64-bit number by a 32-bit one, and takes the lower half of the result. */
export const shiftRight64 = (value: Code, by: Code): Code => [value, by, 0xad, 0x88, 0xa7]

/** The unsigned minimum of two numbers. */
export const least = (a: Code, b: Code): Code => [a, b, below(a, b), 0x1b]

/** Reads at an address plus an offset, without an alignment hint. */
const load =
  (op: number) =>
  (address: Code, offset = 0): Code => [address, op, 0, unsigned(offset)]
export const load8 = load(0x2d)
export const load16 = load(0x2f)
export const load32 = load(0x28)
export const load64 = load(0x29)

const store =
  (op: number) =>
  (address: Code, value: Code, offset = 0): Code => [address, value, op, 0, unsigned(offset)]
export const store8 = store(0x3a)
export const store16 = store(0x3b)
export const store32 = store(0x36)

const vector =
  (op: number) =>
  (...operands: readonly Code[]): Code => [operands, vectorPrefix, unsigned(op)]
/** Loads sixteen bytes. */
export const loadBytes = (address: Code): Code => [address, vectorPrefix, 0, 0, 0]
export const storeBytes = (address: Code, bytes: Code): Code => [address, bytes, vectorPrefix, 11, 0, 0]
/** One byte in all sixteen lanes. */
export const bytesOf = vector(0x0f)
/** For each byte of the second operand, that of the first with this index; 0 for an index above 15. */
export const bytesAt = vector(0x0e)
export const bytesEqual = vector(0x23)
export const bytesBelow = vector(0x26)
export const bytesAnd = vector(0x4e)
export const bytesOr = vector(0x50)
/** Shifts each byte by the same number of bits. */
export const bytesShiftRight = vector(0x6d)
export const bytesSubtract = vector(0x71)
/** One 32-bit number in all four lanes. */
export const numbersOf = vector(0x11)
export const numbersAdd = vector(0xae)
/** The numbers from 0 to 3. */
export const numbersUp: Code = [vectorPrefix, 0x0c, [0, 1, 2, 3].map((number) => [number, 0, 0, 0])]
/** The highest bit of each of sixteen bytes. */
export const highBits = vector(0x64)

const empty = 0x40
const end = 0x0b

export const when = (condition: Code, ...body: readonly Code[]): Code => [condition, 0x04, empty, body, end]
export const whenElse = (condition: Code, body: Code, otherwise: Code): Code => [
  condition,
  [0x04, empty],
  body,
  0x05,
  otherwise,
  end
]
/** One of two 32-bit values. */
export const whenElseValue = (condition: Code, value: Code, otherwise: Code): Code => [
  condition,
  [0x04, i32],
  value,
  0x05,
  otherwise,
  end
]
/** A loop that checks its condition before each round. */
export const loopWhile = (condition: Code, ...body: readonly Code[]): Code =>
  when(condition, [0x03, empty, body, condition, 0x0d, 0, end])
/** Calls a function of the module by its index. */
export const call = (index: number, ...operands: readonly Code[]): Code => [operands, 0x10, unsigned(index)]
export const leave = (value: Code): Code => [value, 0x0f]

/** A function whose parameters and result are 32-bit numbers. */
export interface WasmFunction {
  readonly name: string
  readonly parameters: number
  /** The types of its local variables, which are numbered on from the parameters. */
  readonly locals: readonly number[]
  /** Leaves the result on the stack. */
  readonly body: Code
}

const list = (items: readonly Code[]): Code => [unsigned(items.length), items]
const text = (value: string): Code => list([...value].map((letter) => [letter.charCodeAt(0)]))

/** Flattens code. It runs once, before anything is compiled, so it avoids iterators. */
function flat(code: Code, out: number[] = []): number[] {
  for (let i = 0; i < code.length; i++) {
    const part = code[i] as number | Code
    if (typeof part === 'number') out.push(part)
    else flat(part, out)
  }
  return out
}

const unitsOf = (parts: readonly (readonly number[])[]): number => parts.reduce((sum, part) => sum + part.length, 0)

/** A section with the given contents. */
const section = (id: number, ...parts: readonly number[][]): number[][] => [[id, ...unsigned(unitsOf(parts))], ...parts]

/** The module of some functions, exported by name, on the memory `env.memory` of `pages` pages. */
export function assemble(functions: readonly WasmFunction[], pages: number): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [
    0x60,
    list(Array.from({ length: parameters }, () => [i32])),
    list([[i32]])
  ])
  const bodies = functions.map(({ locals, body }) => flat([list(locals.map((type) => [1, type])), body, end]))
  const parts = [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, flat(list(types))),
    ...section(2, flat(list([[text('env'), text('memory'), 2, 1, unsigned(pages), unsigned(pages)]]))),
    ...section(3, flat(list(functions.map((_, i) => unsigned(i))))),
    ...section(7, flat(list(functions.map(({ name }, i) => [text(name), 0, unsigned(i)])))),
    ...section(10, unsigned(bodies.length), ...bodies.flatMap((body) => [unsigned(body.length), body]))
  ]
  const bytes = new Uint8Array(unitsOf(parts))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
