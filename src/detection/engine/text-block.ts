/**
 * A stretch of a text as bytes. Reading a byte takes a fraction of the time of `charCodeAt`, for which V8 determines
 * the string's representation each time; and a pass over a whole text does little else than read.
 */
import { isSignCode } from '../normalise/characters.ts'
import { blockTail, blockUnits, machineOf, type Machine } from '../wasm/machine.ts'

export { blockUnits }

/** How many units are handed to the encoder at once: a single letter beyond ASCII makes only these take the slow way. */
const pieceUnits = 2048
/** Below this many units the encoder's call costs more than a loop. */
const encodedUnitsMin = 48
/** The same for the call that overwrites bytes: most texts of a body are shorter. */
const filledUnitsMin = 32

const encoder = new TextEncoder()

/** The byte for all characters beyond ASCII that may hide something. */
export const signByte = 255

/** For each code unit its byte; made when a text first has a character beyond ASCII. */
let byteTable: Uint8Array | undefined

/**
 * The byte for a code unit: ASCII as it is, the sign byte, or one of the values between, which many units share. All
 * cases of a letter have the same one, so the search need not take different bytes for one, and with them all other
 * characters of these bytes (decision 253).
 */
export function byteOf(code: number): number {
  return code < 128 ? code : ((byteTable ??= allBytes())[code] as number)
}

function allBytes(): Uint8Array {
  const bytes = new Uint8Array(65_536)
  for (let code = 128; code < bytes.length; code++)
    bytes[code] = isSignCode(code) ? signByte : 128 + ((mayHaveCases(code) ? oneCase(code) : code) % 127)
  return bytes
}

/** Whether letters near a code have cases in Unicode 17: they do not from CJK radicals to Lisu, nor from Hangul on. */
const mayHaveCases = (code: number): boolean => code < 0x2e00 || (code > 0xa63f && code < 0xac00)

/** The code of a letter in lower case, by way of its capital, which the two small letters sigma share; or its own. */
function oneCase(code: number): number {
  const small = String.fromCharCode(code).toUpperCase().toLowerCase()
  return small.length === 1 && small.charCodeAt(0) > 127 ? small.charCodeAt(0) : code
}

export class TextBlock {
  /** One byte per unit, see {@link byteOf}; valid for the first `to - from`. */
  readonly bytes: Uint8Array
  /** The machine that can work on them, if there is one. */
  readonly machine: Machine | undefined
  from = 0
  to = 0
  /** All codes beyond ASCII, or-ed together. */
  wideBits = 0
  /** No byte from here on was ever written. */
  #writtenTo = 0

  /** @param bytes room for a block; if it is the machine's, the machine works on it */
  constructor(bytes: Uint8Array = new Uint8Array(blockUnits)) {
    this.bytes = bytes
    const machine = machineOf()
    this.machine = machine?.owns(bytes) === true ? machine : undefined
  }

  /** Reads `[from, to)`, at most {@link blockUnits} long. */
  load(text: string, from: number, to: number): void {
    this.from = from
    this.to = to
    this.wideBits = 0
    this.#writtenTo = Math.max(this.#writtenTo, to - from)
    const { machine } = this
    if (machine !== undefined && to - from >= encodedUnitsMin && this.#encode(text, machine)) return
    for (let at = from; at < to; at += pieceUnits) this.#loadPiece(text, at, Math.min(to, at + pieceUnits))
  }

  /** Reads a whole text of ASCII characters, `[from, to)` of some bytes. */
  loadAscii(bytes: Uint8Array, from: number, to: number): void {
    this.from = 0
    this.to = to - from
    this.wideBits = 0
    this.#writtenTo = Math.max(this.#writtenTo, to - from)
    for (let at = from; at < to; at++) this.bytes[at - from] = bytes[at] as number
  }

  /** Reads the block via UTF-8; false if that does not preserve every unit. */
  #encode(text: string, machine: Machine): boolean {
    const { bytes, from, to } = this
    const units = to - from
    const part = text.slice(from, to)
    const { read, written } = encoder.encodeInto(part, bytes)
    if (read === units && written === units) return true
    this.#writtenTo = Math.max(this.#writtenTo, written, units + blockTail)
    if (machine.recode(encoder.encodeInto(part, machine.encoded).written, bytes, byteOf) !== units) return false
    this.wideBits = machine.wideBits
    return true
  }

  /** The next unit beyond ASCII at or behind `at`; the end of the block if there is none. */
  wideAt(at: number): number {
    const { machine, bytes, from, to } = this
    if (this.wideBits === 0 || at >= to) return to
    if ((bytes[at - from] as number) > 127) return at
    if (machine !== undefined) return from + machine.wide(bytes, to - from, at - from)
    let i = at
    while (i < to && (bytes[i - from] as number) < 128) i++
    return i
  }

  /** Past the units beyond ASCII that follow each other from `at` on, within the block. */
  wideEnd(at: number): number {
    const { bytes, from, to } = this
    let i = at - from
    while (i < to - from && (bytes[i] as number) > 127) i++
    return from + i
  }

  /** Overwrites what was read. */
  clear(): void {
    const { bytes } = this
    const to = this.#writtenTo
    if (to < filledUnitsMin) for (let i = 0; i < to; i++) bytes[i] = 0
    else bytes.fill(0, 0, to)
    this.#writtenTo = 0
    this.from = this.to
  }

  #loadPiece(text: string, from: number, to: number): void {
    const { bytes } = this
    const shift = from - this.from
    if (to - from >= encodedUnitsMin) {
      const target = shift === 0 ? bytes : bytes.subarray(shift)
      const { read, written } = encoder.encodeInto(text.slice(from, to), target)
      this.#writtenTo = Math.max(this.#writtenTo, shift + written)
      // As many bytes as units: all of it is ASCII.
      if (read === to - from && written === read) return
    }
    let seen = 0
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) seen |= code
      bytes[i - this.from] = byteOf(code)
    }
    this.wideBits |= seen
  }
}

const pool: TextBlock[] = []

/** The block for a nesting depth: a text within a text is scanned while the outer one is. */
export function blockOfDepth(depth: number): TextBlock {
  return (pool[depth] ??= new TextBlock(machineOf()?.block()))
}
