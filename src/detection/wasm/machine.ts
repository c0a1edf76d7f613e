/**
 * The memory that all searches of a program share, and the code that works on it. Without WebAssembly, as in pages
 * whose policy forbids it, there is no machine, and everything is done in JavaScript.
 */
import {
  beginsCode,
  groupCode,
  recodeCode,
  runDigitsAt,
  runEndAt,
  runStartAt,
  valueCode,
  wideBitsAt,
  wideCode
} from './block-code.ts'
import { compareCode } from './compare-code.ts'
import { digitsCode } from './digits-code.ts'
import { edgesAt, lineToAt, wordToAt } from './digits-layout.ts'
import { findCode } from './find-code.ts'
import { instantiate } from './instantiate.ts'
import { keepCode } from './keep-code.ts'
import { numberCode } from './number-code.ts'
import { beforeNothing, nextRunAt, noRunsAt, runsBeforeAt, runsCode, runsEnd } from './runs-code.ts'
import { searchCode } from './search-code.ts'
import { classesAt, findsMax, marksAt, searchedToAt } from './search-layout.ts'

/** How much of a text is processed in one go, in code units. */
export const blockUnits = 8192
/** How many bytes behind those of a block may be read or written. */
export const blockTail = 64

const pageBytes = 65_536
const pages = 64
/** How many zero bytes precede those of a block. */
const blockHead = 64
/** Room for the blocks in use at a time: a text, and texts within it. */
const blocksAt = 1024
const blockRoom = blockHead + blockUnits + blockTail
const blocksMax = 4
const findsAt = (blocksAt + blocksMax * blockRoom + blockHead + 15) & ~15
/** Places in a block that are examined: four bytes per unit. */
const looksAt = findsAt + findsMax * 4
/** UTF-8 of a block, and the table of bytes for all units. */
const encodedAt = looksAt + 4 * blockRoom
const encodedBytes = 3 * blockUnits + blockTail
const byteTableAt = encodedAt + encodedBytes
const pairsAt = byteTableAt + 65_536
/** Runs of digits in a block, and the finds that are kept. */
const runsAt = pairsAt + 8192
const keptMax = findsMax + blockUnits
const keptAt = runsAt + 4 * blockUnits
/** The rest is for tables. */
const tablesAt = keptAt + 4 * keptMax
const tablesEnd = pages * pageBytes - 64

/** All parameters and results are numbers. */
interface Exports {
  find(
    bytes: number,
    count: number,
    from: number,
    table: number,
    numbersFrom: number,
    finds: number,
    looks: number,
    runs: number,
    kept: number
  ): number
  group(bytes: number, count: number, from: number): number
  wide(bytes: number, count: number, from: number): number
  recode(from: number, to: number, out: number, table: number): number
  begins(bytes: number, count: number, before: number, pairs: number, out: number): number
}

/** A table, and where it currently stands. */
interface Placed {
  readonly table: Uint8Array
  at: number
  round: number
}

class Machine {
  readonly finds: Int32Array
  readonly state: Int32Array
  readonly #buffer: ArrayBuffer
  readonly #all: Uint8Array
  readonly #code: Exports
  /** Receives UTF-8 to be recoded. */
  readonly encoded: Uint8Array
  /** Places in a block, as `begins` lists them. They share the room of the finds. */
  readonly places: Uint16Array
  readonly #byteTable: Uint8Array
  #hasBytes = false
  #pairs: Uint8Array | undefined
  #blocks = 0
  #free = tablesAt
  /** The table whose classes are in place for the search. */
  #current: Placed | undefined
  /** How often all tables were evicted. */
  #round = 0

  constructor(buffer: ArrayBuffer, code: Exports) {
    this.#buffer = buffer
    this.#all = new Uint8Array(buffer)
    this.#code = code
    this.encoded = new Uint8Array(buffer, encodedAt, encodedBytes)
    this.places = new Uint16Array(buffer, findsAt, findsMax * 2)
    this.#byteTable = new Uint8Array(buffer, byteTableAt, 65_536)
    this.finds = new Int32Array(buffer, keptAt, keptMax)
    this.state = new Int32Array(buffer, 0, 16)
    this.state[noRunsAt / 4] = runsEnd
  }

  /** Bytes for a block and its tail; undefined if all are in use. */
  block(): Uint8Array | undefined {
    if (this.#blocks === blocksMax) return undefined
    const at = blocksAt + this.#blocks++ * blockRoom + blockHead
    return new Uint8Array(this.#buffer, at, blockUnits + blockTail)
  }

  /**
   * Begins the search of a block.
   * @param gram the classes that were read last
   * @param digits what precedes the block, as `beforeBits`, if runs of digits are searched for
   * @param first whether the text begins with the block
   * @param last whether the text ends with the block
   */
  begin(gram: number, digits: number | undefined, first: boolean, last: boolean): void {
    const { state } = this
    state[0] = gram
    state[runsBeforeAt / 4] = digits ?? beforeNothing
    state[nextRunAt / 4] = noRunsAt
    state[edgesAt / 4] = Number(first) | (Number(last) << 1)
    state[wordToAt / 4] = state[lineToAt / 4] = 0
  }

  /** Searches a block from the unit `from` on; see `find-code.ts`. */
  find(bytes: Uint8Array, count: number, from: number, table: Placed, numbersFrom: number): number {
    if (table.round !== this.#round || table.at === 0) this.#place(table)
    if (this.#current !== table) this.#all.set(table.table.subarray(0, marksAt), classesAt)
    this.#current = table
    const { byteOffset } = bytes
    return this.#code.find(byteOffset, count, from, table.at, numbersFrom, findsAt, looksAt, runsAt, keptAt)
  }

  /** How far the search came. */
  get searchedTo(): number {
    return this.state[searchedToAt / 4] as number
  }

  /** The next place in a block at or behind `from` where a long run of base64 letters may stand; -1 if there is none. */
  group(bytes: Uint8Array, count: number, from: number): number {
    return this.#code.group(bytes.byteOffset, count, from)
  }

  /** Where the run at the last such place begins; -1 if that may be before the block. */
  get runStart(): number {
    return this.state[runStartAt / 4] as number
  }

  /** Where it ends, or the block does. */
  get runEnd(): number {
    return this.state[runEndAt / 4] as number
  }

  /** Whether a digit is among its letters, as far as they stand in the block. */
  get runHasDigit(): boolean {
    return this.state[runDigitsAt / 4] !== 0
  }

  /** The next place in a block at or behind `from` of a character beyond ASCII; `count` if there is none. */
  wide(bytes: Uint8Array, count: number, from: number): number {
    return this.#code.wide(bytes.byteOffset, count, from)
  }

  /**
   * Converts `count` bytes of UTF-8 in `encoded` to one byte per unit, and clears them.
   * @param byteOf the byte for a unit
   * @returns the number of units; -1 if they may not be those of the text
   */
  recode(count: number, bytes: Uint8Array, byteOf: (code: number) => number): number {
    if (!this.#hasBytes) for (let code = 0; code < 65_536; code++) this.#byteTable[code] = byteOf(code)
    this.#hasBytes = true
    const units = this.#code.recode(encodedAt, encodedAt + count, bytes.byteOffset, byteTableAt)
    this.encoded.fill(0, 0, count)
    return units
  }

  /** All codes beyond ASCII in the last conversion, or-ed together. */
  get wideBits(): number {
    return this.state[wideBitsAt / 4] as number
  }

  /** Lists the places in a block where one of some pairs of bytes begins a value; see `block-code.ts`. */
  begins(bytes: Uint8Array, count: number, before: number, pairs: Uint8Array): number {
    if (this.#pairs !== pairs) this.#all.set(pairs, pairsAt)
    this.#pairs = pairs
    return this.#code.begins(bytes.byteOffset, count, before, pairsAt, findsAt)
  }

  /** Notes that pairs have changed since they were last used. */
  forgetPairs(): void {
    this.#pairs = undefined
  }

  /** A table that is loaded whenever it is needed; undefined if it can never fit. */
  table(table: Uint8Array): Placed | undefined {
    return table.length > tablesEnd - tablesAt ? undefined : { table, at: 0, round: 0 }
  }

  owns(bytes: Uint8Array): boolean {
    return bytes.buffer === this.#buffer
  }

  #place(placed: Placed): void {
    if (this.#free + placed.table.length > tablesEnd) {
      this.#free = tablesAt
      this.#round++
    }
    this.#all.set(placed.table, this.#free)
    placed.at = this.#free
    placed.round = this.#round
    this.#free = (this.#free + placed.table.length + 63) & ~63
  }
}

export type { Machine, Placed }

/** Functions that others call come first, in the order of their indexes. */
const functions = [
  digitsCode,
  numberCode,
  valueCode,
  keepCode,
  searchCode,
  runsCode,
  compareCode,
  findCode,
  groupCode,
  recodeCode,
  beginsCode,
  wideCode
]

function start(): Machine | undefined {
  const started = instantiate<Exports>(functions, pages)
  return started && new Machine(started.buffer, started.code)
}

let machine: Machine | undefined
let isStarted = false

/** The machine, started on first use; undefined if there is no WebAssembly. */
export function machineOf(): Machine | undefined {
  if (!isStarted) {
    isStarted = true
    machine = start()
  }
  return machine
}
