/**
 * Judges policies in a separate thread: a policy at its limits takes a second or two, for which model calls must not
 * wait. The thread starts with the first request and ends after an idle period.
 */
import { Worker } from 'node:worker_threads'
import { Refused } from '../../ingress/refusal/refused.ts'
import { findUnexaminable } from '../../policy/lint/unexaminable.ts'
import { lintPolicy, type DraftDocuments, type LintReport } from '../../policy/lint/lint.ts'
import type { PolicyJudge } from './judging.ts'
import { JudgingOrder } from './judging-order.ts'

export interface JudgeRequest {
  readonly id: number
  readonly name: keyof PolicyJudge
  readonly args: readonly unknown[]
}

export type JudgeAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false }

interface JudgeThread extends PolicyJudge {
  close(): Promise<void>
}

/** Most requests that wait for the thread. */
export const waitingMax = 32
/** Most of these from one token, so that nobody fills the queue alone. */
export const waitingOfTokenMax = 8
/** Timeout of a request, including its wait; then the thread is ended. */
const answerTimeoutMs = 30_000
const idleMs = 60_000
const heapMbMax = 1024

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
  readonly timer: NodeJS.Timeout
  readonly request: JudgeRequest
}

/** Every method rejects with Refused `overloaded` if too much waits or the thread fails. */
export function createJudgeThread(): JudgeThread {
  const thread = new Thread()
  return {
    lint: async (draft, context) =>
      unexaminableReport(draft) ??
      ((await thread.ask('lint', [draft, context])) as Awaited<ReturnType<PolicyJudge['lint']>>),
    prepare: async (draft, context, current) => {
      const report = unexaminableReport(draft)
      if (report !== undefined) return { report }
      return (await thread.ask('prepare', [draft, context, current])) as Awaited<ReturnType<PolicyJudge['prepare']>>
    },
    softenings: (policy) => thread.ask('softenings', [policy]) as ReturnType<PolicyJudge['softenings']>,
    diff: (before, after) => thread.ask('diff', [before, after]) as ReturnType<PolicyJudge['diff']>,
    try: (trial) => thread.ask('try', [trial]) as ReturnType<PolicyJudge['try']>,
    close: () => thread.end()
  }
}

/** Refuses what cannot be examined before it is copied for the thread. Says nothing about the other document. */
function unexaminableReport(draft: DraftDocuments): LintReport | undefined {
  const small = (name: keyof DraftDocuments): unknown =>
    findUnexaminable(draft[name], `/${name}`) === undefined ? { version: 1 } : draft[name]
  const rest = { mcpToolPolicy: small('mcpToolPolicy'), redactionProfile: small('redactionProfile') }
  const isSmall = rest.mcpToolPolicy !== draft.mcpToolPolicy && rest.redactionProfile !== draft.redactionProfile
  return isSmall ? undefined : lintPolicy(rest, { now: 0 })
}

class Thread {
  readonly #waiting = new Map<number, Waiting>()
  /** Those that the thread does not have yet: it gets one at a time. */
  readonly #order = new JudgingOrder<JudgeRequest>()
  #isBusy = false
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #lastId = 0

  ask(name: keyof PolicyJudge, args: readonly unknown[]): Promise<unknown> {
    if (this.#waiting.size >= waitingMax) return Promise.reject(new Refused('overloaded'))
    clearTimeout(this.#idleTimer)
    const id = ++this.#lastId
    const request: JudgeRequest = { id, name, args }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.end(), answerTimeoutMs)
      this.#waiting.set(id, { resolve, reject, timer, request })
      this.#order.add(request)
      this.#goOn()
    })
  }

  #goOn(): void {
    const request = this.#isBusy ? undefined : this.#order.take()
    if (request === undefined) return
    this.#isBusy = true
    this.#worker ??= this.#start()
    this.#worker.postMessage(request)
  }

  /** Ends the thread; waiting requests are refused. The next request starts another. */
  async end(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker
    this.#worker = undefined
    this.#isBusy = false
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(new Refused('overloaded'))
    await worker?.terminate()
  }

  #start(): Worker {
    // The extension is that of this file, so that the same line finds the source and the compiled worker.
    const file = new URL('./policy-judge-worker' + import.meta.filename.slice(-3), import.meta.url)
    const resourceLimits = { maxOldGenerationSizeMb: heapMbMax }
    // Flags of the process are not for this thread: some, such as --input-type, would keep it from starting.
    const worker = new Worker(file, { name: 'policy-judge', execArgv: [], resourceLimits })
    const isOver = (): void => {
      if (this.#worker === worker) void this.end()
    }
    worker
      .on('error', isOver)
      .on('exit', isOver)
      .on('message', (answer: JudgeAnswer) => this.#settle(answer))
    worker.unref()
    return worker
  }

  #settle(answer: JudgeAnswer): void {
    const waiting = this.#take(answer.id)
    if (answer.ok) waiting?.resolve(answer.value)
    else waiting?.reject(new Refused('overloaded'))
    this.#isBusy = false
    this.#goOn()
    if (this.#waiting.size === 0) this.#idleTimer = setTimeout(() => void this.end(), idleMs).unref()
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (waiting !== undefined) this.#order.delete(waiting.request)
    clearTimeout(waiting?.timer)
    return waiting
  }
}
