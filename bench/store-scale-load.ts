/** Fills a store with many events over several days, through the engine's own append. */
import { defaultWorkspaceId } from '../src/protocol/workspace-id.ts'
import type { Store } from '../src/store/store.ts'
import { fleetEvent } from './fleet-events.ts'
import type { SeededRandom } from '../test/support/random.ts'

export const workspaceId = defaultWorkspaceId
export const dayMs = 86_400_000

const batchRows = 5000
const batchesUnderWay = 4

/** Days with the same number of events each, spread evenly. */
export interface Span {
  /** Beginning of the first day, in milliseconds since 1970. */
  readonly start: number
  readonly days: number
  readonly eventsOfDay: number
}

/** Prints from time to time how far a load is, and how long the rest takes at that rate. */
export class Progress {
  readonly #name: string
  readonly #total: number
  readonly #startedAt = performance.now()
  #done = 0
  #shown = 0

  constructor(name: string, total: number) {
    this.#name = name
    this.#total = total
  }

  add(events: number): void {
    this.#done += events
    const share = Math.floor((this.#done / this.#total) * 20)
    if (share === this.#shown) return
    this.#shown = share
    const perSecond = Math.round(this.#done / ((performance.now() - this.#startedAt) / 1000))
    const leftS = Math.round((this.#total - this.#done) / perSecond)
    const [done, rate] = [this.#done, perSecond].map((value) => value.toLocaleString('en'))
    console.log(`  ${this.#name}: ${done} events, ${rate}/s, about ${leftS} s left`)
  }
}

/** Creates the workspace that the events belong to. */
export async function prepare(store: Store, at: number): Promise<void> {
  const entry = { workspaceId, at, requestId: null, tokenId: null, actor: 'bench', detail: {} }
  await store.ensureWorkspace(
    { id: workspaceId, name: 'Bench', createdAt: at },
    { ...entry, action: 'workspace_created' }
  )
}

/** Appends the events of all days in order of time, except that a few batches run concurrently. */
export async function appendDays(store: Store, random: SeededRandom, span: Span): Promise<void> {
  const total = span.days * span.eventsOfDay
  const progress = new Progress('appended', total)
  const timeOf = (place: number): number => span.start + Math.floor((place / span.eventsOfDay) * dayMs)
  let next = 0
  const sender = async () => {
    while (next < total) {
      const first = next
      next = Math.min(next + batchRows, total)
      const places = Array.from({ length: next - first }, (_, index) => first + index)
      const events = places.map((place) => fleetEvent(random, { workspaceId, receivedAt: timeOf(place) }))
      await store.append({ events, audit: [] })
      progress.add(events.length)
    }
  }
  await Promise.all(Array.from({ length: batchesUnderWay }, sender))
}

/** Appends one more batch, which shows that the store continues from the loaded state. */
export async function appendLast(store: Store, random: SeededRandom, span: Span): Promise<number> {
  const receivedAt = span.start + span.days * dayMs - 1
  const length = Math.min(batchRows, span.eventsOfDay)
  await store.append({
    events: Array.from({ length }, () => fleetEvent(random, { workspaceId, receivedAt })),
    audit: []
  })
  return length
}
