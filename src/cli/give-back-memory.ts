/** Returns memory that only start-up needed to the system. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the policy has been loaded and compiled. */
const afterMs = 1000

/** Filters of the optimising compiler: no function, and the runtime's default, all functions. */
const filters = { none: '--turbo-filter=~', all: '--turbo-filter=*' }

/**
 * How much the HTTP/1 parser, which is WebAssembly, may run before it is optimised: hundreds of calls. The runtime's
 * own limit is already exceeded by the few calls during a start.
 */
const wasmBudget = '--wasm-tiering-budget=2000000000'

type Collect = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void

/**
 * Runs the start without the optimising compiler, which would load 7 MB of itself for code that runs once, and take a
 * fifth of the start's processor time. Call it before the program is imported, and {@link giveBackMemory} once it runs.
 */
export function startLightly(): void {
  setFlagsFromString(filters.none)
  setFlagsFromString(wasmBudget)
}

/**
 * Returns the memory of the start to the system: about 15 MB, for a pause below 100 ms. The runtime would keep it while
 * the process has little to do, which is most of a sidecar's time. From then on, frequently called code is optimised.
 * @param hold called first: holds what collections are to spare
 */
export function giveBackMemory(hold: () => void = () => {}): void {
  setTimeout(() => {
    hold()
    collect()
    setFlagsFromString(filters.all)
  }, afterMs).unref()
}

/** A process that used no more than this share of a processor for this long is idle. */
const quiet = { ms: 30_000, share: 0.01 }
/** Processor time that leaves enough garbage to be worth a pause. */
const workedMs = 1000

/**
 * Also returns memory after each spell of work, once the process was idle for half a minute: half of the 200 MB that
 * large bodies leave behind.
 * @param hold called once, in the first spell of work: holds what collections are to spare. Not before, since a process
 *   that is not used is to be small, and not as late as the end, since the runtime collects during work as well
 * @param usedMs processor time used by the process
 */
export function giveBackWhenQuiet(
  hold: () => void,
  usedMs: () => number = processorMs,
  giveBack: () => void = collect
): void {
  let lastMs = usedMs()
  let sinceMs = 0
  let isHeld = false
  setInterval(() => {
    const nowMs = usedMs()
    const spentMs = nowMs - lastMs
    lastMs = nowMs
    sinceMs += spentMs
    if (sinceMs < workedMs) return
    if (!isHeld) hold()
    isHeld = true
    if (spentMs > quiet.ms * quiet.share) return
    sinceMs = 0
    giveBack()
  }, quiet.ms).unref()
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function collect(): void {
  // The only access to the collector without a command line flag; contexts created before do not see it.
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}
