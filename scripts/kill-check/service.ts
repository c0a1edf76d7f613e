/** Runs the service like an operator, to be killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sluiceCommand } from '../../test/support/command.ts'
import { root } from '../run.ts'

export interface Victim {
  readonly pid: number
  /** The URL on which it listens; never settles if it was killed before. */
  readonly listening: Promise<string>
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>
}

const startTimeoutMs = 60_000

/** @param env variables in addition to those of this process */
export function startVictim(env: Readonly<Record<string, string>>): Victim {
  const child = spawn(process.execPath, [sluiceCommand, 'serve'], {
    cwd: root,
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', SERVICE_LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const exited = once(child, 'exit')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new Error('The service did not start in time.')), startTimeoutMs)
  let isKilled = false
  // An unrequested exit is a failure of its own, whenever it happens.
  child.once('exit', (code) => {
    clearTimeout(timer)
    if (!isKilled) reject(new Error(`The service ended by itself with status ${code}.`))
  })
  promise.catch(() => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, url } = read(line)
    if (msg !== 'listening' || url === undefined) return
    clearTimeout(timer)
    resolve(url)
  })
  return {
    pid: child.pid ?? 0,
    listening: promise,
    async kill() {
      const wasRunning = child.exitCode === null && child.signalCode === null
      isKilled = true
      clearTimeout(timer)
      child.kill('SIGKILL')
      await exited
      if (!wasRunning) throw new Error('The service had ended before it was killed.')
    }
  }
}

function read(line: string): { readonly msg?: string; readonly url?: string } {
  try {
    return JSON.parse(line) as { msg?: string; url?: string }
  } catch {
    return {}
  }
}
