/** What sidecar and MCP proxy do alike: what their policies are compiled with, and how they log problems. */
import type { Logger } from 'pino'
import type { Detector } from '../detection/detector.ts'
import type { ValueDigest } from '../policy/redaction/placeholder.ts'
import type { ReporterOptions } from './spool/reporter.ts'

/** What all policies of one sensor have in common. */
export interface CompilingParts {
  readonly digest: ValueDigest
  readonly detectors: readonly Detector[]
}

/** The level at which the state of something is logged: a warning while it has a problem. */
export const levelOf = (problem: string | undefined): 'info' | 'warn' => (problem === undefined ? 'info' : 'warn')

/**
 * Logs problems with events, and their ends.
 * @param onDisk called as well when a problem of the disk begins or ends
 */
export function logEventProblems(
  log: Logger,
  onDisk: () => void
): Pick<ReporterOptions, 'onDiskProblem' | 'onDeliveryProblem'> {
  return {
    onDiskProblem: (problem) => {
      log[levelOf(problem)]({ problem }, 'events on disk')
      onDisk()
    },
    onDeliveryProblem: (problem) => log[levelOf(problem)]({ problem }, 'delivery of events')
  }
}
