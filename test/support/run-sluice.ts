/** The command as an operator runs it, in a process of its own. */
import { spawn } from 'node:child_process'
import { bareEnvironment } from './bare-environment.ts'
import { sluiceCommand } from './command.ts'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/**
 * @param dataDir of the installation; the environment of this process is not passed on
 * @param input standard input
 */
export async function runSluice(
  dataDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = ''
): Promise<Ran> {
  const child = spawn(process.execPath, [sluiceCommand, ...args], {
    env: { ...bareEnvironment(), SERVICE_DATA_DIR: dataDir, ...env },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  // A command that reads nothing may have exited before its input is written.
  child.stdin.on('error', () => undefined).end(input)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, out, err }
}
