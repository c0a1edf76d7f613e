/** Runs the tools of the checkout as child processes. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** The scripts behind the commands, so that they run with this Node on every platform, without a shell. */
export const tools = {
  lint: join(root, 'node_modules/oxlint/bin/oxlint'),
  format: join(root, 'node_modules/oxfmt/bin/oxfmt'),
  compile: join(root, 'node_modules/typescript/bin/tsc')
} as const

/** The environment with the checkout's own tools, and its own Node, before those of the machine. */
export const environment = {
  // The sources are compiled once for all processes of a run, and not by each of them.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter)
}

export interface Outcome {
  /** Exit code; 1 for a tool that could not be started or was ended by a signal. */
  readonly code: number
  /** Its output, if it was not shown. */
  readonly output: string
}

/**
 * Runs Node in the root of the checkout.
 * @param args the arguments of Node: options, a script, the script's arguments
 * @param options.shown whether it writes directly to the terminal; otherwise its output is collected
 * @param options.env variables in addition to those of this process
 */
export function runNode(
  args: readonly string[],
  options: {
    readonly shown: boolean
    readonly env?: Readonly<Record<string, string>>
  }
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...environment, ...options.env },
    stdio: options.shown ? 'inherit' : ['ignore', 'pipe', 'pipe']
  })
  const chunks: Buffer[] = []
  const gather = (chunk: Buffer) => chunks.push(chunk)
  child.stdout?.on('data', gather)
  child.stderr?.on('data', gather)
  child.on('error', (error) => resolve({ code: 1, output: error.message }))
  child.on('close', (code) => {
    resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
  })
  return promise
}
