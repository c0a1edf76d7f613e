/**
 * Whether the process may open as many files as its connections take. Where it may not, the system resets connections before
 * any program hears of them: nothing then stands in the log, so it is said at the start.
 */
import { readFileSync } from 'node:fs'

/** Database, listeners, pipes, worker threads and what commands open. */
const filesBeside = 128
/** A call takes a connection of the client and one to the upstream. */
const filesPerCall = 2

/** @returns what Linux says of the process that asks; undefined elsewhere */
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
 * @returns what to tell the operator; undefined where there is nothing to tell
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
