/** How a process that serves until it is told to stop comes to its end. */
import { errorFrames, errorName } from '../telemetry/error-frames.ts'

/** A terminal that closes sends SIGHUP, and a script that rotates logs; left alone it ends a process on the spot. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
export type StopSignal = (typeof signals)[number]

/**
 * One press of Ctrl-C may come twice: the terminal sends it to all of its processes, and a launcher such as `npm start`
 * hands it on. Within this time a signal is taken for an echo of the first one.
 */
const echoMs = 1000

/** Resolves at the first signal that asks for the end; a later one, echoes aside, ends the process as if nobody listened. */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    const onSignal = (signal: StopSignal): void => {
      resolve(signal)
      echoes ??= setTimeout(forget, echoMs).unref()
    }
    let echoes: NodeJS.Timeout | undefined
    const forget = (): void => {
      for (const one of signals) process.off(one, onSignal)
    }
    for (const one of signals) process.on(one, onSignal)
  })
}

/**
 * Says by what the process ends, once all is put away. After a hangup, and where a reader of the log stalls, it is the
 * signal: the runtime's own end waits for ever where the terminal is gone, or a write does not come back.
 * @param isLogFlushed whether no line of the log is still being written
 */
export function endBy(signal: StopSignal, isLogFlushed: boolean): void {
  if (signal !== 'SIGHUP' && isLogFlushed) return
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/**
 * The runtime opens a debugger at SIGUSR1, which scripts send that have a server open its logs anew. Whoever reaches the
 * machine's loopback address, as any user of it or any container beside, would read keys and texts out of the process.
 * A debugger that the operator asks for (`--inspect`) opens all the same.
 */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => {})
}

/** What is said to people on standard error may be lost, as where it goes to a file on a full disk; it ends no process. */
export function outliveLostWords(): void {
  process.stderr.on('error', () => undefined)
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
