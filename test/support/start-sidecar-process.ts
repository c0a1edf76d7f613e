/** A sidecar as an operator starts it: the command, in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { bareEnvironment } from './bare-environment.ts'
import { sluiceCommand } from './command.ts'
import { sidecarEnvironment, type SidecarSettings } from './start-sidecar.ts'
import { makeDataDir } from './start-service.ts'

export interface SidecarProcess extends AsyncDisposable {
  /** Base URL for an SDK, as the command says it. */
  readonly baseUrl: string
}

/** Starts the command and waits until it says where it listens. */
export async function startSidecarProcess(settings: Omit<SidecarSettings, 'dataDir'>): Promise<SidecarProcess> {
  await using undo = new AsyncDisposableStack()
  const dataDir = await makeDataDir()
  undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const env = { ...bareEnvironment(), ...sidecarEnvironment(dataDir, settings) }
  const child = spawn(process.execPath, [sluiceCommand, 'sidecar'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  undo.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let printed = ''
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const said = /base URL (\S+?),/.exec(printed)?.[1]
      if (said !== undefined) resolve(said)
    })
    child.once('exit', () => reject(new Error(`the sidecar did not start: ${printed}`)))
  })
  const all = undo.move()
  return { baseUrl, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
