/**
 * The log: one JSON object a line on standard output. Lines are written in the background, so that a reader of the log
 * that stalls does not stop the service; beyond a bound they are dropped.
 */
import { pino, type Logger } from 'pino'

const heldBytesMax = 16 * 1024 * 1024

export interface Log {
  readonly logger: Logger
  /** Resolves when what was logged so far is written, or cannot be. */
  flush(): Promise<void>
}

/** Opens the log on standard output, or on standard error where that one is taken. */
export function openLog(level: string, stream: 'stdout' | 'stderr' = 'stdout'): Log {
  const destination = pino.destination({ dest: stream === 'stdout' ? 1 : 2, sync: false, maxLength: heldBytesMax })
  // A closed pipe is no reason to stop serving.
  destination.on('error', () => undefined)
  const logger = pino({ level, base: { pid: process.pid } }, destination)
  return { logger, flush: () => new Promise((resolve) => logger.flush(() => resolve())) }
}
