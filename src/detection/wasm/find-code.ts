/** The whole search of a block for an index, as WebAssembly: runs of digits, literals, and the selection of both. */
import {
  call,
  equal,
  get,
  i32,
  int,
  isZero,
  leave,
  load32,
  set,
  store32,
  when,
  type WasmFunction
} from './assembler.ts'
import { keepIndex } from './keep-code.ts'
import { beforeNothing, nextRunAt, runsBeforeAt, runsEnd, runsIndex } from './runs-code.ts'
import { searchIndex } from './search-code.ts'

const [bytes, count, from, table, numbersFrom, finds, looks, runs, kept, length] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/**
 * `find(bytes, count, from, table, numbersFrom, finds, looks, runs, kept)` continues at the unit `from` of the block at
 * `bytes`, with room at `finds` for literals, at `looks` for places and at `runs` for runs of digits. Returns how many
 * finds it wrote to `kept`. It stops early if more might not fit.
 */
export const findCode: WasmFunction = {
  name: 'find',
  parameters: 9,
  locals: [i32],
  body: [
    when(
      isZero(equal(load32(int(runsBeforeAt)), int(beforeNothing))),
      store32(int(nextRunAt), get(runs)),
      set(length, call(runsIndex, get(bytes), get(count), load32(int(runsBeforeAt)), get(runs), get(numbersFrom))),
      store32(int(runsBeforeAt), int(beforeNothing))
    ),
    set(
      length,
      // What is kept is not written before the search is done.
      call(searchIndex, ...[bytes, count, from, table, finds, numbersFrom, looks, kept].map(get))
    ),
    when(isZero(get(length)), when(equal(load32(load32(int(nextRunAt))), int(runsEnd)), leave(int(0)))),
    call(keepIndex, get(bytes), get(count), get(table), get(finds), get(length), get(numbersFrom), get(kept))
  ]
}
