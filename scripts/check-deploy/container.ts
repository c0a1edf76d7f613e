/** Runs an image that was built in a folder, as similar to a container as possible without an engine. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Image } from './dockerfile.ts'

/** If an error leaves it running, it is killed at the end of its scope. */
export interface Container extends AsyncDisposable {
  /** Runs the image's health check. @returns its exit status */
  health(): number
  /** Waits until it is healthy. */
  healthy(): Promise<void>
  /** Stops it with the signal that an engine sends. @returns its exit code */
  stop(): Promise<number | null>
}

const triesMax = 200
const tryMs = 50

/**
 * As root, the folder becomes the root of the file system and the process runs as the image's user, who can only write
 * to `/data`.
 */
const isRoot = process.getuid?.() === 0

/** @param env the only variables that the process sees, besides those of the image */
export function startContainer(image: Image, env: Readonly<Record<string, string>>): Container {
  const all = { ...image.env, ...env, ...(isRoot ? {} : { SERVICE_DATA_DIR: join(image.root, 'data') }) }
  const child: ChildProcess = spawn(...argv(image, [...image.entrypoint, ...image.command]), {
    env: all,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let printed = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (printed += text))
  const exited = once(child, 'exit') as Promise<[number | null]>
  const health = (): number => spawnSync(...argv(image, image.health), { env: all }).status ?? -1
  return {
    health,
    async healthy() {
      for (let tries = 0; tries < triesMax; tries++) {
        if (child.exitCode !== null) throw new Error(`It ended with status ${child.exitCode}:\n${printed}`)
        if (health() === 0) return
        await sleep(tryMs)
      }
      throw new Error(`It did not become healthy:\n${printed}`)
    },
    async stop() {
      child.kill('SIGTERM')
      return (await exited)[0]
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    }
  }
}

function argv({ root, user }: Image, words: readonly string[]): [string, string[]] {
  if (isRoot) return ['/usr/sbin/chroot', [`--userspec=${user}`, root, ...words]]
  const [program = '', ...rest] = words.map((word) => (word.startsWith('/') ? join(root, word) : word))
  return [program, rest]
}
