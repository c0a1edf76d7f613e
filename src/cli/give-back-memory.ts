/** What a start leaves behind is of no use later. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the policy is there and compiled. */
const afterMs = 1000

/** Filters of the optimising compiler: no function, and every one, as the runtime has it by itself. */
const filters = { none: '--turbo-filter=~', all: '--turbo-filter=*' }

/**
 * So much may the parser of HTTP/1, a program in WebAssembly, work before it is optimised: hundreds of calls, where the
 * runtime's own bound is passed by the few that a start makes.
 */
const wasmBudget = '--wasm-tiering-budget=2000000000'

type Collect = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void

/**
 * Lets a start run without the optimising compiler, which would read 7 MB of itself into memory for code that runs once,
 * and take a fifth of the start's processor time. Call it before the program is imported, and
 * {@link giveBackMemory} once it runs.
 */
export function startLightly(): void {
  setFlagsFromString(filters.none)
  setFlagsFromString(wasmBudget)
}

/**
 * Gives the memory of the start back to the system: some 15 MB, for a pause below 100 ms. The runtime would keep it
 * for as long as the process has little to do, which is how a sidecar spends most of its time. From then on everything
 * is optimised that is called often.
 */
export function giveBackMemory(): void {
  setTimeout(() => {
    collect()
    setFlagsFromString(filters.all)
  }, afterMs).unref()
}

/** So long, and with so little of a processor, a process has nothing to do. */
const quiet = { ms: 30_000, share: 0.01 }
/** Work of a processor that leaves enough behind to be worth a pause. */
const workedMs = 1000

/**
 * Gives memory back after each spell of work as well, once it has been quiet for half a minute: of 200 MB that large
 * bodies leave behind, half.
 * @param usedMs time of processors that the process has used
 */
export function giveBackWhenQuiet(usedMs: () => number = processorMs, giveBack: () => void = collect): void {
  let lastMs = usedMs()
  let sinceMs = 0
  setInterval(() => {
    const nowMs = usedMs()
    const spentMs = nowMs - lastMs
    lastMs = nowMs
    sinceMs += spentMs
    if (sinceMs < workedMs || spentMs > quiet.ms * quiet.share) return
    sinceMs = 0
    giveBack()
  }, quiet.ms).unref()
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function collect(): void {
  // The only way to the collector without a flag on the command line; contexts made before do not see it.
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}
