/** A sender: posts new events, single and in batches, and retries until they are acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { SeededRandom } from '../../test/support/random.ts'
import type { Ledger } from './ledger.ts'

export interface Target {
  /** Where the service listens now; undefined while there is none. */
  url: string | undefined
}

interface Body {
  readonly ids: readonly string[]
  readonly text: string
  readonly contentType: string
}

const batchMax = 40
const unansweredMax = 50
const answerTimeoutMs = 10_000

export class Sender {
  readonly #number: number
  readonly #target: Target
  readonly #token: string
  readonly #random: SeededRandom
  readonly #ledger: Ledger
  #unanswered: Body[] = []
  #made = 0
  #isStopping = false
  #hasGivenUp = false

  /** @param number tells this sender's events from those of others */
  constructor(number: number, target: Target, token: string, random: SeededRandom, ledger: Ledger) {
    this.#number = number
    this.#target = target
    this.#token = token
    this.#random = random
    this.#ledger = ledger
  }

  /** Sends until {@link Sender.stop}, and then until everything is acknowledged. */
  async run(): Promise<void> {
    let last: Body | undefined
    while (!this.#hasGivenUp && (!this.#isStopping || this.#unanswered.length > 0)) {
      const url = this.#target.url
      if (url === undefined) {
        await sleep(5)
        continue
      }
      const body = this.#next(last)
      if (!this.#unanswered.includes(body)) this.#unanswered.push(body)
      const isAnswered = await this.#post(url, body)
      if (isAnswered) this.#unanswered = this.#unanswered.filter((other) => other !== body)
      else await sleep(20)
      last = body
    }
  }

  stop(): void {
    this.#isStopping = true
  }

  /** Stops without waiting for missing acknowledgements. */
  giveUp(): void {
    this.#isStopping = true
    this.#hasGivenUp = true
  }

  /** Usually new events; sometimes unanswered ones again; now and then some that were just acknowledged. */
  #next(last: Body | undefined): Body {
    const [oldest] = this.#unanswered
    const dice = this.#random.below(10)
    if (oldest && (this.#isStopping || this.#unanswered.length >= unansweredMax || dice < 4)) return oldest
    return last && dice === 9 ? last : this.#make()
  }

  #make(): Body {
    const form = this.#random.below(3)
    const count = form === 0 ? 1 : 1 + this.#random.below(batchMax)
    const events = Array.from({ length: count }, () => this.#event())
    const ids = events.map(({ eventId }) => eventId)
    if (form === 2) {
      const text = events.map((event) => JSON.stringify(event)).join('\n')
      return { ids, text, contentType: 'application/x-ndjson' }
    }
    return { ids, text: JSON.stringify(form === 0 ? events[0] : events), contentType: 'application/json' }
  }

  #event() {
    const [sender, count] = [String(this.#number).padStart(8, '0'), String(++this.#made).padStart(12, '0')]
    const eventId = `${sender}-0000-4000-8000-${count}`
    const entitiesMasked = this.#random.below(4)
    this.#ledger.send(eventId, entitiesMasked)
    const action = ['mask', 'block', 'allow'][this.#random.below(3)]
    return { kind: 'tool_call_enforcement', eventId, action, entitiesMasked, mcpToolName: 'read_file' }
  }

  /** @returns whether the answer was final */
  async #post(url: string, { text, contentType }: Body): Promise<boolean> {
    try {
      const answer = await request(`${url}/api/events`, {
        method: 'POST',
        headers: { 'content-type': contentType, 'x-service-workspace-token': this.#token },
        body: text,
        headersTimeout: answerTimeoutMs,
        bodyTimeout: answerTimeoutMs
      })
      const body = (await answer.body.json()) as { results?: { status: string; eventId: string }[]; code?: string }
      if (answer.statusCode === 429 || answer.statusCode === 503) return false
      if (answer.statusCode !== 202) this.#ledger.faults.push(`An answer was ${answer.statusCode} ${body.code ?? ''}.`)
      for (const { eventId, status } of body.results ?? []) this.#ledger.acknowledge(eventId, status)
      return true
    } catch {
      // The service was killed during the request: whether it was stored is what the check is about.
      return false
    }
  }
}
