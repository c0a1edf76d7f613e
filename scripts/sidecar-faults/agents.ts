/** Agents that work through a sidecar, and a record of the outcome of each call. */
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from 'undici'
import { call } from '../../test/support/http.ts'
import type { Planted } from '../../test/support/planted.ts'

export interface Account {
  /** Calls by status. */
  readonly statuses: Map<number, number>
  /** Request IDs of calls that the sidecar blocked, and of those for which the service gave it no answer. */
  readonly blocked: string[]
  readonly unanswered: string[]
  /** Answers that began and were broken off. */
  cut: number
  /** Violations, as sentences. */
  readonly faults: string[]
}

const agentsCount = 8
const pauseMs = 25
/** An agent that waits longer than this for any answer was left hanging. */
const answerMsMax = 20_000
/** The sidecar's error if the service gave no answer at all. */
const noAnswer = /The service that this sidecar forwards to (?:cannot be reached|did not answer)/

/**
 * Lets agents work until the signal.
 * @param url of the sidecar
 * @param values to be masked, and to be blocked
 */
export async function work(
  url: string,
  values: { readonly masked: readonly Planted[]; readonly blocked: readonly Planted[] },
  signal: AbortSignal
): Promise<Account> {
  const account: Account = { statuses: new Map(), blocked: [], unanswered: [], cut: 0, faults: [] }
  const agents = Array.from({ length: agentsCount }, async (_, agent) => {
    for (let turn = agent; !signal.aborted; turn++) {
      const isBlock = turn % 4 === 0
      const from = isBlock ? values.blocked : values.masked
      const { sentence } = from[turn % from.length] as Planted
      await ask(url, { sentence, isBlock, isStream: turn % 3 === 0 }, account)
      await sleep(pauseMs)
    }
  })
  await Promise.all(agents)
  return account
}

interface Turn {
  readonly sentence: string
  readonly isBlock: boolean
  readonly isStream: boolean
}

async function ask(url: string, { sentence, isBlock, isStream }: Turn, account: Account): Promise<void> {
  const messages = [{ role: 'user', content: sentence }]
  try {
    const reply = await call(`${url}/v1/chat/completions`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream: isStream, messages }),
      signal: AbortSignal.timeout(answerMsMax)
    })
    const { status, headers, text } = reply
    account.statuses.set(status, (account.statuses.get(status) ?? 0) + 1)
    const id = headers['x-request-id'] ?? ''
    if (isBlock !== (status === 403))
      account.faults.push(`a call to be ${isBlock ? 'blocked' : 'masked'} was a ${status}`)
    if (isBlock && status === 403) account.blocked.push(id)
    if (!isBlock && ![200, 502, 503, 504].includes(status)) account.faults.push(`an answer was a ${status}`)
    if (noAnswer.test(text)) account.unanswered.push(id)
  } catch (error) {
    // An answer that had begun, and whose rest never came, can only be cut off. Any other error leaves an agent
    // stranded.
    if (error instanceof errors.SocketError) account.cut++
    else account.faults.push(`a call ended in ${error instanceof Error ? error.name : typeof error}`)
  }
}
