/** Helpers for benchmarks that run on one core and print a table. */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Runs this script again, pinned to one core, where `taskset` is available. Returns only in that second run. */
export function stayOnOneCore(): boolean {
  if (process.env['BENCH_PINNED'] !== undefined) return process.env['BENCH_PINNED'] === '1'
  // The last core: the first one often serves the interrupts.
  const core = String(availableParallelism() - 1)
  const isThere = spawnSync('taskset', ['-c', core, 'true']).status === 0
  if (!isThere) return false
  const env = { ...process.env, BENCH_PINNED: '1' }
  const { status } = spawnSync('taskset', ['-c', core, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env
  })
  process.exit(status ?? 1)
}

/**
 * Milliseconds of processor time used by this process, its helper threads included. On one core it equals the elapsed
 * time, less what other processes on the machine take of it.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Elapsed milliseconds of `work`. */
export function timed(work: () => void): number {
  const from = processorMs()
  work()
  return processorMs() - from
}

/**
 * The shortest time of each contender. They run in alternation, so that other work on the machine affects all of them,
 * and the shortest time is the least disturbed one.
 */
export async function raced<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  rounds: number
): Promise<Record<Name, number>> {
  const entries = Object.entries(contenders) as [Name, () => unknown][]
  const best = Object.fromEntries(entries.map(([name]) => [name, Infinity])) as Record<Name, number>
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of entries) {
      const from = processorMs()
      await work()
      best[name] = Math.min(best[name], processorMs() - from)
    }
  }
  return best
}

/** Bytes of memory in use after a garbage collection. */
export function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

/** Prints rows in columns, with numbers aligned to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number)
    )
    console.log(cells.join('  ').trimEnd())
  }
  console.log()
}
