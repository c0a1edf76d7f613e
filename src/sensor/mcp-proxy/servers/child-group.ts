/** A child process together with everything that it starts, so that nothing outlives the proxy. */
import { spawn, type ChildProcess } from 'node:child_process'
import { within } from '../../../timing/within.ts'

export interface ChildCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** Running groups. `npx server` is three processes, and a signal to the first only would orphan the last. */
const living = new Set<ChildProcess>()
const hasGroups = process.platform !== 'win32'

process.on('exit', () => {
  for (const child of living) signalGroup(child, 'SIGKILL')
})

/** Starts a child whose standard error is the proxy's own. Its events report whether it could be started. */
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

/** Sends a signal to the child and everything that it started. No error if they are already gone. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (hasGroups) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // The group no longer exists.
  }
}

/** How long a group may take to react to a signal before the next, harder one. */
const signalGraceMs = 1000

/**
 * Ends a group: closes its standard input, waits, then SIGTERM, then SIGKILL.
 * @param graceMs how long it may take to exit by itself
 */
export async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const exited = hasExited(child) ? Promise.resolve() : new Promise<void>((resolve) => child.once('exit', resolve))
  child.stdin?.end()
  if (!(await within(graceMs, exited))) {
    signalGroup(child, 'SIGTERM')
    await within(signalGraceMs, exited)
  }
  // The first process of the group may be gone while another still runs.
  signalGroup(child, 'SIGKILL')
  living.delete(child)
}

/** The child has exited by itself: ends what it left behind. */
export function buryGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL')
  living.delete(child)
}

const hasExited = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null
