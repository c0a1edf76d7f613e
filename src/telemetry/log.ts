/**
 * The log: one JSON object per line on standard output. Lines are written in the background, so that neither a stalled reader
 * nor a full disk stops the service; beyond a limit they are dropped, and a later line says how many.
 */
import { pino, type Logger } from 'pino'

const heldBytesMax = 16 * 1024 * 1024
/** How long the process waits at exit for a stalled reader. */
const flushMsMax = 2000

export interface Log {
  readonly logger: Logger
  /**
   * Resolves when everything logged so far is written, or cannot be.
   * @returns false if a stalled reader holds a write back; the process cannot exit by itself then
   */
  flush(): Promise<boolean>
}

/** Opens the log on standard output, or on standard error if standard output is used otherwise. */
export function openLog(level: string, stream: 'stdout' | 'stderr' = 'stdout'): Log {
  const destination = pino.destination({ dest: stream === 'stdout' ? 1 : 2, sync: false, maxLength: heldBytesMax })
  const logger = pino({ level, base: { pid: process.pid } }, destination)
  const { flushSync } = destination
  let isPipeClosed = false
  let dropped = 0
  // Neither a closed pipe nor a full disk is a reason to stop serving.
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    isPipeClosed ||= code === 'EPIPE'
    // Called as the process exits; it would retry for ever if writing fails for a reason other than a full pipe.
    destination.flushSync = () => undefined
  })
  destination.on('drop', () => dropped++)
  destination.on('drain', () => {
    if (!isPipeClosed) destination.flushSync = flushSync
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    logger.warn({ lines }, 'lines of the log were lost, because they could not be written')
  })

  async function flush(): Promise<boolean> {
    if (isPipeClosed) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), flushMsMax)
    destination.once('drain', () => resolve(true))
    destination.once('error', () => resolve(true))
    // Retries what could not be written, and calls back also if nothing is left to write.
    destination.write('')
    const isIdle = await promise
    clearTimeout(timer)
    if (!isIdle) destination.flushSync = () => undefined
    return isIdle
  }

  return { logger, flush }
}
