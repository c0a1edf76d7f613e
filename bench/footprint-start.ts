/** Starts a program once, and looks at it when it has come to rest. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Form {
  readonly name: string
  /** Arguments of Node. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What it prints when it listens. */
  readonly listening: string
  /** What it prints when it has begun all that it does by itself. */
  readonly idle: string
}

export interface Start {
  /** From the start of the process to the word that it listens, as its parent sees it. */
  readonly listeningMs: number
  /** Time of processors until then, which a busy machine does not lengthen; a multiple of 10. */
  readonly cpuMs: number
  readonly idle: Memory
  /** When it has come to rest after its work; undefined where it was given none. */
  readonly worked: Memory | undefined
}

/** What the kernel says of a process, its threads included, in MiB. */
export interface Memory {
  /** All that is resident, as `VmRSS` of `/proc/PID/status` has it: what the aim counts, and `top` and `ps` show. */
  readonly rss: number
  /** The same, where a page that processes share counts in parts. */
  readonly pss: number
  /** What no other process has: what one more sidecar on a machine costs. */
  readonly own: number
}

export interface StartOptions {
  /** From the last word, or from the end of the work, to the look at the memory. */
  readonly idleMs: number
  /** @param printed what it has printed so far */
  readonly work?: ((printed: string) => Promise<void>) | undefined
}

const failMs = 30_000
const kibPerMib = 1024

/** @throws where it ends, or says nothing in time */
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

/** Of all threads. Fields 14 and 15 of the line, counted from the name's closing bracket, in hundredths of a second. */
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
