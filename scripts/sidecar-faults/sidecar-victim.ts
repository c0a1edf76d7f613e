/** Runs the sidecar like an operator, in a separate process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bareEnvironment } from '../../test/support/bare-environment.ts'
import { sluiceCommand } from '../../test/support/command.ts'
import { root } from '../run.ts'

const probe = join(import.meta.dirname, 'memory-probe.ts')

export interface SidecarProcess extends AsyncDisposable {
  readonly url: string
  /** Resident memory, and the memory in use after garbage collection, in MiB. */
  memory(): Promise<Memory>
  /** Stops it in order. @returns its exit code */
  stop(): Promise<number | null>
}

export interface Memory {
  readonly rssMiB: number
  readonly heldMiB: number
}

const kibPerMib = 1024
const bytesPerMib = 1024 * kibPerMib

export async function startSidecarProcess(env: Readonly<Record<string, string>>): Promise<SidecarProcess> {
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, sluiceCommand, 'sidecar'], {
    cwd: root,
    env: { ...bareEnvironment(), LISTEN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  void exited.then(([code]) => reject(new Error(`The sidecar ended by itself with status ${code}.`)))
  promise.catch(() => undefined)
  let held: ((bytes: number) => void) | undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, port, heldBytes } = JSON.parse(line) as { msg?: string; port?: number; heldBytes?: number }
    if (heldBytes !== undefined) held?.(heldBytes)
    if (msg === 'sidecar listening' && port !== undefined) resolve(port)
  })
  const url = `http://localhost:${await promise}`
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    return (await exited)[0]
  }
  return {
    url,
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      const rssMiB = Number(/^VmRSS:\s+([0-9]+) kB/m.exec(status)?.[1]) / kibPerMib
      const told = new Promise<number>((resolve) => (held = resolve))
      child.kill('SIGUSR2')
      return { rssMiB, heldMiB: (await told) / bytesPerMib }
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop())
  }
}
