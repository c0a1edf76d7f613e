/**
 * Logs the state of recording: an operator learns about a failure when it begins, not from the audit trail afterwards.
 */
import type { Logger } from 'pino'
import type { RecordingReports } from './recording-health.ts'

export function logRecording(log: Logger): Required<RecordingReports> {
  return {
    failed: (code, reason) => log.error({ code, reason }, 'recording fails; records wait in memory'),
    recovered: (failedMs) => log.warn({ failedMs }, 'recording works again'),
    gapsWritten: (count) => log.warn({ count }, 'records were lost; a row of the audit reports the gap'),
    unrecordable: (count) => log.error({ count }, 'records were lost and no gap could be written'),
    lostAtClose: (count, counters) => log.error({ count, ...counters }, 'records were lost at the stop')
  }
}
