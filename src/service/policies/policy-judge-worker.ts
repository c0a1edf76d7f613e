/** The thread that judges policies: one request at a time, answered under its number. */
import { parentPort } from 'node:worker_threads'
import type { JudgeAnswer, JudgeRequest } from './judge.ts'
import { judgements } from './judging.ts'

async function answer({ id, name, args }: JudgeRequest): Promise<JudgeAnswer> {
  try {
    const judge = judgements[name] as (...given: readonly unknown[]) => Promise<unknown>
    return { id, ok: true, value: await judge(...args) }
  } catch {
    // An error's message could quote the text or the policy.
    return { id, ok: false }
  }
}

let last = Promise.resolve()
parentPort?.on('message', (request: JudgeRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)))
})
