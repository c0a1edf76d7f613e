/**
 * The one memory that all searches of a program share, and the code that works on it. Where there is no WebAssembly, as
 * in pages whose policy forbids it, there is no machine, and everything is done without it.
 */
import { assemble } from './assembler.ts'
import {
  beginsCode,
  groupCode,
  recodeCode,
  runEndAt,
  runStartAt,
  valueCode,
  wideBitsAt,
  wideCode
} from './block-code.ts'
import { digitsCode, edgesAt, lineToAt, numberCode, wordToAt } from './digits-code.ts'
import { findCode } from './find-code.ts'
import { keepCode } from './keep-code.ts'
import { beforeNothing, nextRunAt, noRunsAt, runsBeforeAt, runsCode, runsEnd } from './runs-code.ts'
import { classesAt, findsMax, marksAt, searchCode, searchedToAt } from './search-code.ts'

/** Of what belongs to the platform, the part that is used here. */
declare const WebAssembly:
  | {
      readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => {
        readonly buffer: ArrayBuffer
      }
      readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
      readonly Instance: new (
        module: object,
        imports: Readonly<Record<string, Readonly<Record<string, object>>>>
      ) => { readonly exports: Readonly<Record<string, unknown>> }
    }
  | undefined

/** How much of a text is looked at in one go. */
export const blockUnits = 8192
/** So many bytes behind those of a block may be read or written. */
export const blockTail = 64

const pageBytes = 65_536
const pages = 64
/** So many bytes before those of a block are always zero. */
const blockHead = 64
/** Room for the blocks that are in work at a time: a text, and texts within it. */
const blocksAt = 1024
const blockRoom = blockHead + blockUnits + blockTail
const blocksMax = 4
const findsAt = (blocksAt + blocksMax * blockRoom + blockHead + 15) & ~15
/** Places in a block that are looked at: four bytes a unit. */
const looksAt = findsAt + findsMax * 4
/** UTF-8 of a block, and the bytes that stand for all units. */
const encodedAt = looksAt + 4 * blockRoom
const encodedBytes = 3 * blockUnits + blockTail
const byteTableAt = encodedAt + encodedBytes
const pairsAt = byteTableAt + 65_536
/** Runs of digits in a block, and what is kept of all finds. */
const runsAt = pairsAt + 8192
const keptMax = findsMax + blockUnits
const keptAt = runsAt + 4 * blockUnits
/** The rest is for tables. */
const tablesAt = keptAt + 4 * keptMax
const tablesEnd = pages * pageBytes - 64

/** What the code gives back is a number, and so is each of its parameters. */
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

/** A table and where it stands, while it does. */
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
  /** Where UTF-8 is put to be recoded. */
  readonly encoded: Uint8Array
  /** Places in a block, as `begins` lists them: they share the room of the finds. */
  readonly places: Uint16Array
  readonly #byteTable: Uint8Array
  #hasBytes = false
  #pairs: Uint8Array | undefined
  #blocks = 0
  #free = tablesAt
  /** Whose classes stand where the search looks for them. */
  #current: Placed | undefined
  /** How often all tables were put away. */
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

  /** Bytes for a block and its tail, or undefined where all are given away. */
  block(): Uint8Array | undefined {
    if (this.#blocks === blocksMax) return undefined
    const at = blocksAt + this.#blocks++ * blockRoom + blockHead
    return new Uint8Array(this.#buffer, at, blockUnits + blockTail)
  }

  /**
   * Begins the search of a block.
   * @param gram the classes that were read last
   * @param digits what stands before the block, as `beforeBits` have it, where runs of digits are looked for
   * @param first whether the text begins with the block
   * @param last whether it ends with it
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

  /** The next place in a block at or behind `from` where a long run of letters may stand; -1 where there is none. */
  group(bytes: Uint8Array, count: number, from: number): number {
    return this.#code.group(bytes.byteOffset, count, from)
  }

  /** Where the run in which the last such place stands begins; -1 where that may be before the block. */
  get runStart(): number {
    return this.state[runStartAt / 4] as number
  }

  /** Where it ends, or the block does. */
  get runEnd(): number {
    return this.state[runEndAt / 4] as number
  }

  /** The next place in a block at or behind `from` of a character beyond ASCII; `count` where there is none. */
  wide(bytes: Uint8Array, count: number, from: number): number {
    return this.#code.wide(bytes.byteOffset, count, from)
  }

  /**
   * Turns `count` bytes of UTF-8 in `encoded` into one byte a unit, and forgets them.
   * @param byteOf the byte that stands for a unit
   * @returns how many units there are; -1 where they may not be those of the text
   */
  recode(count: number, bytes: Uint8Array, byteOf: (code: number) => number): number {
    if (!this.#hasBytes) for (let code = 0; code < 65_536; code++) this.#byteTable[code] = byteOf(code)
    this.#hasBytes = true
    const units = this.#code.recode(encodedAt, encodedAt + count, bytes.byteOffset, byteTableAt)
    this.encoded.fill(0, 0, count)
    return units
  }

  /** All codes beyond ASCII that were recoded last, or-ed together. */
  get wideBits(): number {
    return this.state[wideBitsAt / 4] as number
  }

  /** Lists the places in a block where one of some pairs of bytes begins a value; see `block-code.ts`. */
  begins(bytes: Uint8Array, count: number, before: number, pairs: Uint8Array): number {
    if (this.#pairs !== pairs) this.#all.set(pairs, pairsAt)
    this.#pairs = pairs
    return this.#code.begins(bytes.byteOffset, count, before, pairsAt, findsAt)
  }

  /** Pairs have changed since they were asked for. */
  forgetPairs(): void {
    this.#pairs = undefined
  }

  /** A table that is put where there is room each time it is needed; undefined where there is too little in any case. */
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

/** Those that others call stand first, in the order of their numbers. */
const functions = [
  digitsCode,
  numberCode,
  valueCode,
  keepCode,
  searchCode,
  runsCode,
  findCode,
  groupCode,
  recodeCode,
  beginsCode,
  wideCode
]

function start(): Machine | undefined {
  if (typeof WebAssembly === 'undefined') return undefined
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
    const module = new WebAssembly.Module(assemble(functions, pages))
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    return new Machine(memory.buffer, exports as unknown as Exports)
  } catch {
    return undefined
  }
}

let machine: Machine | undefined
let isStarted = false

/** The machine, started when it is first asked for; undefined where there is none. */
export function machineOf(): Machine | undefined {
  if (!isStarted) {
    isStarted = true
    machine = start()
  }
  return machine
}
