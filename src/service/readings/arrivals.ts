/** Notifies those who follow a workspace's events of new ones: one query per workspace, however many follow it. */
import type { Store } from '../../store/store.ts'

interface Waiting {
  readonly sequence: number
  readonly until: number
  resolve(): void
}

export interface Arrivals {
  /** Resolves when the workspace has an event after `sequence`, or after `timeoutMs`. Never rejects. */
  after(workspaceId: string, sequence: number, timeoutMs: number): Promise<void>
}

/** Time between two queries, and therefore the maximum delay of an event. */
const pollMs = 250

export function createArrivals(store: Pick<Store, 'lastEventSequence'>): Arrivals {
  const waiting = new Map<string, Set<Waiting>>()
  let timer: NodeJS.Timeout | undefined

  async function ask(workspaceId: string, followers: Set<Waiting>): Promise<void> {
    // While the store is unreachable nothing is new; followers notice the fault in their own next query.
    const last = await store.lastEventSequence(workspaceId).catch(() => Infinity)
    const now = performance.now()
    for (const follower of followers) {
      if (last <= follower.sequence && now < follower.until) continue
      followers.delete(follower)
      follower.resolve()
    }
    if (followers.size === 0) waiting.delete(workspaceId)
  }

  async function tick(): Promise<void> {
    await Promise.all([...waiting].map(([workspaceId, followers]) => ask(workspaceId, followers)))
    timer = waiting.size > 0 ? setTimeout(() => void tick(), pollMs).unref() : undefined
  }

  return {
    after: (workspaceId, sequence, timeoutMs) =>
      new Promise((resolve) => {
        const followers = waiting.get(workspaceId) ?? new Set()
        waiting.set(workspaceId, followers)
        followers.add({ sequence, until: performance.now() + timeoutMs, resolve })
        timer ??= setTimeout(() => void tick(), pollMs).unref()
      })
  }
}
