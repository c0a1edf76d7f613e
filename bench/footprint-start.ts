/** Starts a program once and measures its memory when it has become idle. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Form {
  readonly name: string
  /** Arguments for Node. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Output that shows that it listens. */
  readonly listening: string
  /** Output that shows that it has started all its background work. */
  readonly idle: string
}

export interface Start {
  /** From the start of the process until its parent reads that it listens. */
  readonly listeningMs: number
  /** Processor time used until then, which a busy machine does not lengthen; a multiple of 10. */
  readonly cpuMs: number
  readonly idle: Memory
  /** Memory when idle again after its work; undefined if it was given no work. */
  readonly worked: Memory | undefined
}

/** Memory of a process by the kernel's figures, threads included, in MiB. */
export interface Memory {
  /** All resident memory, `VmRSS` in `/proc/PID/status`: what the aim counts, and what `top` and `ps` show. */
  readonly rss: number
  /** Proportional set size: a page shared by several processes counts for each in part. */
  readonly pss: number
  /** Memory that no other process shares: what one more sidecar on a machine costs. */
  readonly own: number
}

export interface StartOptions {
  /** Wait before memory is read, from the idle output or from the end of the work. */
  readonly idleMs: number
  /** @param printed what it has printed so far */
  readonly work?: ((printed: string) => Promise<void>) | undefined
}

const failMs = 30_000
const kibPerMib = 1024

/** @throws if it ends, or does not print the expected output in time */
export async function startForm(form: Form, { idleMs, work }: StartOptions): Promise<Start> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [...form.args], {
    env: { PATH: process.env['PATH'], ...form.env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const exited = once(child, 'exit')
  let printed = ''
  try {
    let listeningMs = Number.NaN
    let cpuMs = Number.NaN
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${form.name} did not start:\n${printed}`)), failMs)
      void exited.then(() => reject(new Error(`${form.name} has ended:\n${printed}`)))
      const read = (text: string): void => {
        printed += text
        if (Number.isNaN(listeningMs) && printed.includes(form.listening)) {
          listeningMs = performance.now() - startedMs
          cpuMs = usedMs(child.pid ?? 0)
        }
        if (Number.isNaN(listeningMs) || !printed.includes(form.idle)) return
        clearTimeout(timer)
        resolve()
      }
      child.stdout.setEncoding('utf8').on('data', read)
      child.stderr.setEncoding('utf8').on('data', (text: string) => void (printed += text))
    })
    await sleep(idleMs)
    const idle = await memoryOf(child.pid ?? 0)
    if (work === undefined) return { listeningMs, cpuMs, idle, worked: undefined }
    await work(printed)
    await sleep(idleMs)
    return { listeningMs, cpuMs, idle, worked: await memoryOf(child.pid ?? 0) }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/**
 * Sums all threads: fields 14 and 15 of the line, counted after the closing bracket of the name, in hundredths of a
 * second.
 */
function usedMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function memoryOf(pid: number): Promise<Memory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+([0-9]+) kB`, 'm').exec(rollup)?.[1]) / kibPerMib
  return { rss: mib('Rss'), pss: mib('Pss'), own: mib('Private_Clean') + mib('Private_Dirty') }
}
