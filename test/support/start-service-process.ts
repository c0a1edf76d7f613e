/** A service in a process of its own, with everything that it prints. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testEnvironment, type ServiceSettings } from './start-service.ts'
import { bareEnvironment } from './bare-environment.ts'

export interface ServiceProcess {
  readonly url: string
  readonly token: string
  readonly auditToken: string
  /** Standard output and standard error so far. */
  printed(): string
  /** The heap of the process in V8's snapshot format, with every string that is still reachable. */
  heap(): Promise<Buffer>
  /** Stops the process in good order. @returns its exit code */
  stop(): Promise<number | null>
  /** Kills the process, as in a crash. */
  kill(): Promise<void>
}

/** Starts the process; the caller owns the data directory and must call `stop`. */
export async function startServiceProcess(
  settings: ServiceSettings & { readonly dataDir: string }
): Promise<ServiceProcess> {
  const entry = join(import.meta.dirname, 'service-process.ts')
  const child = fork(entry, [], {
    env: { ...bareEnvironment(), ...testEnvironment(settings.dataDir, settings) },
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  let printed = ''
  const ends: Promise<unknown>[] = []
  for (const stream of [child.stdout, child.stderr]) {
    assert.ok(stream)
    stream.setEncoding('utf8').on('data', (text: string) => void (printed += text))
    ends.push(once(stream, 'close'))
  }
  // Including all its output. A process's `close` event does not come if this side has closed its channel.
  const exited = once(child, 'exit').then(async (ending) => {
    await Promise.all(ends)
    return ending as unknown[]
  })
  const [first] = (await Promise.race([once(child, 'message'), exited])) as [unknown]
  assert.ok(typeof first === 'object' && first !== null, `the service did not start: ${printed}`)
  return {
    ...(first as { url: string; token: string; auditToken: string }),
    printed: () => printed,
    async heap() {
      const directory = await mkdtemp(join(tmpdir(), 'sluice-heap-'))
      try {
        child.send(join(directory, 'heap.json'))
        const [{ snapshot }] = (await once(child, 'message')) as [{ snapshot: string }]
        return await readFile(snapshot)
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      if (child.connected) child.disconnect()
      const [code] = (await exited) as [number | null]
      return code
    }
  }
}
