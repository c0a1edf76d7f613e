/** How a process that serves until it is told to stop comes to its end. */
import { errorFrames, errorName } from '../telemetry/error-frames.ts'

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process as if nobody listened. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (): void => {
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal)
      resolve()
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
}

/**
 * The runtime would print the message of an error that nobody caught, and a message may quote what a client sent. Only
 * the error's name and the places in the code are printed.
 */
export function dieWithoutWords(): void {
  const die = (error: unknown): void => {
    const lines = [`sluice: stopped by an unforeseen ${errorName(error)}`, ...errorFrames(error)]
    process.stderr.write(`${lines.join('\n')}\n`, () => process.exit(70))
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
}
