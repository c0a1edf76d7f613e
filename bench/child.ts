/**
 * The benchmark's parent side: starts processes pinned to a core, calls them over IPC, and stops them by process id.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Told } from './serve-parent.ts'

export interface Child<Ready> {
  readonly ready: Ready
  readonly pid: number
  /** Calls a handler of the child. Rejects when the handler fails or the child ends before it answers. */
  ask<Result>(name: string, argument?: unknown): Promise<Result>
  [Symbol.asyncDispose](): Promise<void>
}

export interface ChildOptions {
  /** The core to pin the child to; undefined leaves the choice to the operating system. */
  readonly core: number | undefined
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
}

const startTimeoutMs = 30_000
const stopTimeoutMs = 10_000

/** Cores that this process may use, from the kernel's list (`0-3,8`). Empty where there is no such list. */
function allowedCores(): number[] {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
    return list.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    })
  } catch {
    return []
  }
}

/** Two cores to pin processes to, or the reason why nothing is pinned. */
export function findCores(): { readonly proxy: number; readonly load: number } | { readonly unpinned: string } {
  const [proxy, load] = allowedCores()
  if (proxy === undefined || load === undefined) return { unpinned: 'fewer than two cores can be told apart' }
  const taskset = spawnSync('taskset', ['-c', String(proxy), 'true'])
  return taskset.status === 0 ? { proxy, load } : { unpinned: 'taskset (util-linux) is not there or may not pin' }
}

/** Starts a file of this folder as a child process and waits until it reports that it is ready. */
export async function startChild<Ready>(file: string, options: ChildOptions): Promise<Child<Ready>> {
  const node = [process.execPath, ...(options.nodeArgs ?? []), join(import.meta.dirname, file), ...(options.args ?? [])]
  const [command = '', ...args] = options.core === undefined ? node : ['taskset', '-c', String(options.core), ...node]
  const spawned = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: { ...process.env, ...options.env }
  })
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  const ended = new Promise<void>((resolve) => spawned.once('exit', () => resolve()))
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  spawned.once('exit', (code, signal) => failAll(new Error(`${file} has ended (${signal ?? `status ${code}`}).`)))
  spawned.once('error', failAll)
  spawned.on('message', (told: Told) => {
    const asked = waiting.get(told.id)
    waiting.delete(told.id)
    if ('fault' in told) asked?.reject(new Error(`${file}: ${told.fault}`))
    else asked?.resolve(told.result)
  })
  let lastId = 0
  const wait = (id: number): Promise<unknown> => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))

  async function stop(): Promise<void> {
    if (spawned.exitCode !== null || spawned.signalCode !== null || spawned.pid === undefined) return
    if (spawned.connected) spawned.send({ id: -1, name: 'stop', argument: null }, () => {})
    const killer = setTimeout(() => spawned.kill('SIGKILL'), stopTimeoutMs)
    await ended
    clearTimeout(killer)
  }

  const starter = setTimeout(() => spawned.kill('SIGKILL'), startTimeoutMs)
  const ready = (await wait(0).finally(() => clearTimeout(starter))) as Ready
  return {
    ready,
    pid: spawned.pid ?? 0,
    async ask<Result>(name: string, argument?: unknown) {
      const id = ++lastId
      const answer = wait(id)
      spawned.send({ id, name, argument: argument ?? null })
      return (await answer) as Result
    },
    [Symbol.asyncDispose]: stop
  }
}
