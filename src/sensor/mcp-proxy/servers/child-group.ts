/** A child process with all that it starts, so that none of it outlives the proxy. */
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ChildCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** Groups that live. `npx server` is three processes, and a signal to the first alone would orphan the last. */
const living = new Set<ChildProcess>()
const hasGroups = process.platform !== 'win32'

process.on('exit', () => {
  for (const child of living) signalGroup(child, 'SIGKILL')
})

/** Starts a child whose standard error is the proxy's own. Whether it could be started is told by its events. */
export function spawnGroup({ command, args, env, cwd }: ChildCommand): ChildProcess {
  const child = spawn(command, [...args], {
    env: { ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: hasGroups,
    windowsHide: true
  })
  living.add(child)
  return child
}

/** Sends a signal to the child and all that it started. What is gone already is no fault. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (hasGroups) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // Nobody of the group is left.
  }
}

/** How long a group may take to follow a signal before the next, harder one. */
const signalGraceMs = 1000

/**
 * Ends a group: closes its standard input, waits, then SIGTERM, then SIGKILL.
 * @param graceMs how long it may take by itself
 */
export async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const exited = hasExited(child) ? Promise.resolve() : new Promise<void>((resolve) => child.once('exit', resolve))
  child.stdin?.end()
  if (!(await within(exited, graceMs))) {
    signalGroup(child, 'SIGTERM')
    await within(exited, signalGraceMs)
  }
  // The first of the group may be gone and another live on.
  signalGroup(child, 'SIGKILL')
  living.delete(child)
}

/** The child is gone by itself: takes along what it left behind. */
export function buryGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL')
  living.delete(child)
}

const hasExited = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

/** @returns whether the promise settled in time */
async function within(done: Promise<void>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false)
  const inTime = await Promise.race([done.then(() => true), late])
  timer.abort()
  return inTime
}
