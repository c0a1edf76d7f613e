/** Runs a client until it ends or times out, and leaves nothing of it behind. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
}

export interface Outcome {
  /** Exit status; 1 if a signal ended it or it could not be started. */
  readonly code: number
  /** Its standard output and standard error, without colours. */
  readonly output: string
  readonly isTimedOut: boolean
}

const stops = ['SIGINT', 'SIGTERM'] as const

/** Set for every process of a run, so that leftover processes can be recognised. */
const markName = 'SLUICE_INTEROP_RUN'

/**
 * Runs a program in a process group of its own. When it has ended or timed out, every process that it started is ended
 * as well, including those that left the group (on Linux, where a process's environment can be read).
 */
export async function run({ file, args, env }: Command, surroundings: Surroundings): Promise<Outcome> {
  const { cwd, timeoutMs } = surroundings
  const mark = randomUUID()
  const child = spawn(file, args, {
    cwd,
    env: { ...surroundings.env, ...env, [markName]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  let isTimedOut = false
  const endGroup = (): void => signal(-(child.pid ?? 0))
  // A separate group does not receive Ctrl-C.
  const giveUp = (): void => {
    endGroup()
    process.exit(130)
  }
  for (const name of stops) process.once(name, giveUp)
  const timer = setTimeout(() => {
    isTimedOut = true
    endGroup()
  }, timeoutMs)
  const closed = new Promise((resolve) => child.on('close', resolve))
  const code = await new Promise<number>((resolve) => {
    child.on('exit', (status) => resolve(status ?? 1))
    child.on('error', (error) => {
      chunks.push(Buffer.from(error.message))
      resolve(1)
    })
  })
  clearTimeout(timer)
  // A daemon may hold the output open forever: its end is only awaited once all are gone.
  endGroup()
  for (const pid of await leftBehind(mark)) signal(pid)
  await closed
  for (const name of stops) process.removeListener(name, giveUp)
  const output = stripVTControlCharacters(Buffer.concat(chunks).toString('utf8'))
  return { code, output, isTimedOut }
}

/** @param pid of a process, or negative of a group; 0 if none was started */
function signal(pid: number): void {
  if (pid === 0) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

async function leftBehind(mark: string): Promise<number[]> {
  const entries = process.platform === 'linux' ? await readdir('/proc') : []
  const found: number[] = []
  for (const pid of entries.filter((entry) => /^\d+$/.test(entry))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (environment.includes(`${markName}=${mark}`)) found.push(Number(pid))
  }
  return found
}
