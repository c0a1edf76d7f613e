/**
 * Walks over the contents of JSON strings sixteen bytes at a time, in WebAssembly. Nearly all bytes of a body are in
 * strings. Only what is certainly allowed is passed over: the caller judges whatever stops the walk.
 */
import {
  add,
  and,
  bytesBelow,
  bytesEqual,
  bytesOf,
  bytesOr,
  equal,
  get,
  highBits,
  i32,
  int,
  isZero,
  load8,
  loadBytes,
  loopWhile,
  or,
  set,
  shiftLeft,
  subtract,
  trailingZeros,
  v128,
  when,
  whenElse,
  type WasmFunction
} from '../../detection/wasm/assembler.ts'
import { instantiate } from '../../detection/wasm/instantiate.ts'

/** Bytes of a document that are in place at a time. They fit into the fastest cache. */
export const windowBytes = 32_768

/** A byte for each byte that may follow a backslash, `u` aside: 1 where it may. */
const escapesAt = 0
const windowAt = 1024

/** Parts of what `pass` returns. */
const placeMask = 0xffff
const escapedBit = 1 << 16
const wideBit = 1 << 17

/**
 * `pass(at)` walks on in a string from the address `at`, over bytes that stand for themselves and over escapes of two
 * characters. It stops at a quote, a control character (zeros follow the window) and any other escape, and returns the
 * address, whether it passed an escape, and whether it passed a byte above 0x7f.
 */
const passCode: WasmFunction = (() => {
  const [at, bits, wide, escaped, goesOn, bytes, quote, backslash, space] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  return {
    name: 'pass',
    parameters: 1,
    locals: [i32, i32, i32, i32, v128, v128, v128, v128],
    body: [
      set(quote, bytesOf(int(0x22))),
      set(backslash, bytesOf(int(0x5c))),
      set(space, bytesOf(int(0x20))),
      set(goesOn, int(1)),
      loopWhile(
        get(goesOn),
        set(bytes, loadBytes(get(at))),
        set(
          bits,
          highBits(
            bytesOr(
              bytesOr(bytesEqual(get(bytes), get(quote)), bytesEqual(get(bytes), get(backslash))),
              bytesBelow(get(bytes), get(space))
            )
          )
        ),
        // Of the sixteen, those before the first that is special.
        set(
          wide,
          or(get(wide), and(highBits(get(bytes)), subtract(and(get(bits), subtract(int(0), get(bits))), int(1))))
        ),
        whenElse(
          get(bits),
          [
            set(at, add(get(at), trailingZeros(get(bits)))),
            set(goesOn, int(0)),
            when(
              and(equal(load8(get(at)), int(0x5c)), load8(load8(get(at), 1), escapesAt)),
              set(at, add(get(at), int(2))),
              set(escaped, int(1)),
              set(goesOn, int(1))
            )
          ],
          set(at, add(get(at), int(16)))
        )
      ),
      or(get(at), or(shiftLeft(get(escaped), int(16)), shiftLeft(isZero(isZero(get(wide))), int(17))))
    ]
  }
})()

/** The piece of a document that is in place. All walks share one, so a walk empties it before it pauses. */
export class StringWindow {
  /** What the last {@link pass} passed over: an escape, and a byte above 0x7f. */
  isEscaped = false
  isWide = false
  readonly #bytes: Uint8Array
  readonly #pass: (at: number) => number
  #from = 0
  #to = 0

  constructor(buffer: ArrayBuffer, pass: (at: number) => number) {
    this.#bytes = new Uint8Array(buffer)
    this.#pass = pass
    for (const letter of '"\\/bfnrt') this.#bytes[escapesAt + letter.charCodeAt(0)] = 1
  }

  /** Puts the bytes `[from, to)` of a document in place, at most {@link windowBytes}. */
  load(document: Uint8Array, from: number, to: number): void {
    this.#bytes.set(document.subarray(from, to), windowAt)
    this.#from = from
    this.#to = to
  }

  /** Overwrites what is in place. */
  clear(): void {
    this.#bytes.fill(0, windowAt, windowAt + this.#to - this.#from)
  }

  /**
   * @param at a place within a string of the document, and not within an escape; an escape may have led behind the window
   * @returns the next place whose byte is not certainly allowed there; the end of the window, or `at` behind it
   */
  pass(at: number): number {
    const passed = this.#pass(windowAt + at - this.#from)
    this.isEscaped = (passed & escapedBit) !== 0
    this.isWide = (passed & wideBit) !== 0
    return this.#from + (passed & placeMask) - windowAt
  }
}

let window: StringWindow | undefined
let isStarted = false

/** The window, made on first use; `undefined` without WebAssembly. */
export function stringWindow(): StringWindow | undefined {
  if (!isStarted) {
    isStarted = true
    const started = instantiate<{ pass(at: number): number }>([passCode], 1)
    window = started && new StringWindow(started.buffer, (at) => started.code.pass(at))
  }
  return window
}
