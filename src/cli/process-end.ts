/** How a process that runs until it is told to stop comes to its end. */
import { errorFrames, errorName } from '../telemetry/error-frames.ts'

/** A closing terminal sends SIGHUP, as do log rotation scripts; unhandled, it ends the process at once. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type StopSignal = (typeof signals)[number]

/**
 * A single Ctrl-C may arrive twice: the terminal sends it to all of its processes, and a launcher such as `npm start`
 * forwards it. Within this time, a signal counts as a repetition of the first.
 */
const echoMs = 1000

/** Resolves at the first stop signal; a later one, repetitions aside, ends the process as if nobody listened. */
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
 * Ends the process once everything is closed. After a hangup, and if a reader of the log stalls, it ends by the signal:
 * the runtime's own exit would wait forever if the terminal is gone, or a write does not return.
 * @param isLogFlushed whether no line of the log is still being written
 */
export function endBy(signal: StopSignal, isLogFlushed: boolean): void {
  if (signal !== 'SIGHUP' && isLogFlushed) return
  if (process.pid === 1) leave()
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/**
 * Ends the process with status 0 although a write of it does not return. The first process of a container, to which the
 * kernel delivers no signal that it does not handle, becomes a program that ends by itself: this ends all its threads.
 * Elsewhere the signal is better, because a supervisor sees it.
 */
export function leave(): void {
  // Windows has neither this call nor such containers.
  process.execve?.(process.execPath, [process.execPath, '--eval', ''], {})
}

/**
 * On SIGUSR1 the runtime opens a debugger, and scripts send that signal to have a server reopen its logs. Whoever
 * reaches the machine's loopback address, as any of its users or a neighbouring container can, could then read keys and
 * texts from the process. A debugger that the operator asks for (`--inspect`) still works.
 */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => {})
}

/**
 * A diagnostic report, which an operator may have turned on for crashes (`--report-on-fatalerror`), is sent to others to
 * look at. The environment, which holds the credentials, stays out of it.
 */
export function keepEnvironmentOutOfReports(): void {
  process.report.excludeEnv = true
}

/** Messages on standard error may be lost, for example in a file on a full disk; that must not end the process. */
export function outliveLostWords(): void {
  process.stderr.on('error', () => undefined)
}

/**
 * A command whose reader has seen enough, as `head` has, comes to its own end and exit status; standard output that
 * cannot be written otherwise, such as a file on a full disk, ends it.
 */
export function outliveLostReader(): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return
    process.stderr.write(`sluice: standard output cannot be written (${code ?? 'failed'})\n`)
    process.exit(1)
  })
}

/** Whether anybody still reads what a command prints. */
export const isRead = (): boolean => process.stdout.writable

/**
 * Handles uncaught errors. The runtime would print the message, which may quote what a client sent. Only the error's
 * name and places in the code are printed.
 */
export function dieWithoutWords(): void {
  const die = (error: unknown): void => {
    const lines = [`sluice: stopped by an unforeseen ${errorName(error)}`, ...errorFrames(error)]
    process.stderr.write(`${lines.join('\n')}\n`, () => process.exit(70))
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
}
