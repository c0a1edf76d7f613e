/** How busy a core is, by the kernel's own account, so that other work on the machine can be told from ours. */
import { readFileSync } from 'node:fs'

/** Ticks of `/proc/stat` are hundredths of a second on every Linux (USER_HZ, proc_stat(5)). */
const tickMs = 10

/**
 * Processor time spent on a core since boot in user, nice, system and steal, in milliseconds. Interrupts are left out:
 * they are the network's work for us as for others.
 * @returns undefined for a core that is not listed
 */
export function parseCoreBusyMs(procStat: string, core: number): number | undefined {
  const line = procStat.split('\n').find((each) => each.startsWith(`cpu${core} `))
  if (line === undefined) return undefined
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(' ').slice(1).map(Number)
  return (user + nice + system + steal) * tickMs
}

/** @returns undefined where there is no core to look at or no `/proc/stat` */
export function readCoreBusyMs(core: number | undefined): number | undefined {
  if (core === undefined) return undefined
  try {
    return parseCoreBusyMs(readFileSync('/proc/stat', 'utf8'), core)
  } catch {
    return undefined
  }
}
