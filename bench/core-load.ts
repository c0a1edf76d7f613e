/** Reads from the kernel how busy a core is, to tell other work on the machine from the benchmark's own. */
import { readFileSync } from 'node:fs'

/** Ticks of `/proc/stat` are hundredths of a second on every Linux (USER_HZ, proc_stat(5)). */
const tickMs = 10

/**
 * Processor time spent on a core since boot in user, nice, system and steal, in milliseconds. Interrupts are excluded:
 * they serve the benchmark's network traffic as well as that of others.
 * @returns undefined for a core that is not listed
 */
export function parseCoreBusyMs(procStat: string, core: number): number | undefined {
  const line = procStat.split('\n').find((each) => each.startsWith(`cpu${core} `))
  if (line === undefined) return undefined
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(' ').slice(1).map(Number)
  return (user + nice + system + steal) * tickMs
}

/** @returns undefined without a core or without `/proc/stat` */
export function readCoreBusyMs(core: number | undefined): number | undefined {
  if (core === undefined) return undefined
  try {
    return parseCoreBusyMs(readFileSync('/proc/stat', 'utf8'), core)
  } catch {
    return undefined
  }
}
