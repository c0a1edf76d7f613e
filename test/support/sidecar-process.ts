/** A sidecar as an operator starts it: the command, in a process of its own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { bareEnvironment } from './bare-environment.ts'
import { sluiceCommand } from './command.ts'
import { eventually } from './eventually.ts'
import { sidecarEnvironment, type SidecarSettings } from './start-sidecar.ts'
import { makeDataDir } from './start-service.ts'

export interface SidecarProcess extends AsyncDisposable {
  /** `http://localhost:<port>/v1`. */
  readonly baseUrl: string
  /** Standard output and standard error so far. */
  printed(): string
  /** Stops it in good order. @returns its exit code */
  stop(): Promise<number | null>
}

/**
 * Starts the process and waits until it has a policy.
 * @param settings.awaits `address` if there will be no policy
 */
export async function startSidecarProcess(
  settings: SidecarSettings & { readonly awaits?: 'policy' | 'address' }
): Promise<SidecarProcess> {
  await using undo = new AsyncDisposableStack()
  const dataDir = settings.dataDir ?? (await makeDataDir())
  if (settings.dataDir === undefined) undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const env = { ...bareEnvironment(), ...sidecarEnvironment(dataDir, settings) }
  const child = spawn(process.execPath, [sluiceCommand, 'sidecar'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // `close` comes after all output has been read, including the last lines.
  const exited = once(child, 'close')
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    const [code] = (await exited) as [number | null]
    return code
  }
  undo.defer(async () => void (await stop()))
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (printed += text))
  const baseUrl = await eventually('the address of the sidecar', () => {
    assert.equal(child.exitCode, null, printed)
    return /base URL (http:\S+?),/.exec(printed)?.[1]
  })
  if (settings.awaits !== 'address')
    await eventually('a policy', async () => {
      const ready = await fetch(new URL('/readyz', baseUrl))
      return ready.status === 200 ? true : undefined
    })
  const all = undo.move()
  return { baseUrl, printed: () => printed, stop, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
