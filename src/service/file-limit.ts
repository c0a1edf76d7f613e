/**
 * Checks that the process may open as many files as its connections need. If it may not, the operating system resets
 * connections before any program sees them, so nothing is logged then; hence the warning at startup.
 */
import { readFileSync } from 'node:fs'

/** Files for the database, listeners, pipes, worker threads and commands. */
const filesBeside = 128
/** A call uses a connection from the client and one to the upstream. */
const filesPerCall = 2

/** @returns the limits of this process on Linux; undefined elsewhere */
export function readLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return undefined
  }
}

/**
 * @param limits the text of `/proc/self/limits` (proc(5))
 * @param connectionsMax to one upstream
 * @returns a warning for the operator; undefined if the limit suffices or is unknown
 */
export function fileLimitWarning(limits: string | undefined, connectionsMax: number): string | undefined {
  const [, soft = ''] = /^Max open files +(\d+)/m.exec(limits ?? '') ?? []
  const wanted = connectionsMax * filesPerCall + filesBeside
  if (soft === '' || Number(soft) >= wanted) return undefined
  return (
    `The process may open ${soft} files, and ${connectionsMax} calls at once (UPSTREAM_CONNECTIONS_MAX) take ${wanted}; ` +
    'beyond the limit, connections are reset without a word. Raise it (ulimit -n, LimitNOFILE), or lower the variable.'
  )
}
