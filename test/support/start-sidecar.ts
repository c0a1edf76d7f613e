/** A sidecar under test, in this process, connected to a service or to whatever runs at its target. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import { loadSidecarConfig } from '../../src/config/sidecar.ts'
import { startSidecar, type RunningSidecar, type SidecarOptions } from '../../src/sensor/sidecar/start.ts'
import { eventually } from './eventually.ts'
import { makeDataDir } from './start-service.ts'

export interface SidecarSettings {
  /** Address of the service. */
  readonly target: string
  readonly token: string
  readonly env?: Readonly<Record<string, string>>
  /** A data directory that outlives the sidecar; the caller removes it. */
  readonly dataDir?: string
  /** Delay from a change of state until the heartbeat that reports it. */
  readonly heartbeat?: SidecarOptions['heartbeat']
}

export interface TestSidecar extends AsyncDisposable {
  /** `http://localhost:<port>`. */
  readonly url: string
  readonly running: RunningSidecar
  /** Waits until the policy of this sequence is enforced. */
  enforces(sequence: number): Promise<void>
}

/** Fast enough for a test; the order of the steps is the same as everywhere. */
const timings = { backoffMinMs: 50, backoffMaxMs: 200, refusedRetryMs: 200 }

/** The environment of a test sidecar. */
export function sidecarEnvironment(dataDir: string, { target, token, env }: SidecarSettings): Record<string, string> {
  return {
    LISTEN_PORT: '0',
    SERVICE_INGRESS_TARGET: target,
    SERVICE_WORKSPACE_TOKEN: token,
    SERVICE_DATA_DIR: dataDir,
    SERVICE_LOG_LEVEL: 'silent',
    ...env
  }
}

/** Starts a sidecar. It may not have a policy yet. */
export async function startTestSidecar(settings: SidecarSettings): Promise<TestSidecar> {
  await using undo = new AsyncDisposableStack()
  const dataDir = settings.dataDir ?? (await makeDataDir())
  if (settings.dataDir === undefined) undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const loaded = loadSidecarConfig(sidecarEnvironment(dataDir, settings), { cwd: process.cwd() })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  const running = await startSidecar(loaded.config, {
    log: pino({ level: 'silent' }),
    timings,
    ...(settings.heartbeat && { heartbeat: settings.heartbeat })
  })
  undo.use(running)
  const all = undo.move()
  return {
    url: `http://localhost:${running.port}`,
    running,
    enforces: async (sequence) => {
      await eventually(`policy ${sequence}`, () => {
        const { policy } = running.policy
        return policy?.frame.revision.startsWith(`${sequence}-`) ? true : undefined
      })
    },
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
}
