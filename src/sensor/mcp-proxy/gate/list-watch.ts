/** Detects when a new policy, its age, or the expiry of a rule changes lists of tools, and notifies their clients. */
import { staleEffect } from '../../../policy/tools/stale.ts'
import { utcTimeMs } from '../../../policy/utc-time.ts'
import type { Effect } from '../../../policy/tools/policy.ts'
import type { GateContext } from './gate-context.ts'
import type { GatePolicy } from './gate-policy.ts'
import type { PolicyAge } from './judge-call.ts'
import { filtersLists } from './list-news.ts'
import { runWhole } from './run-steps.ts'
import type { ServerState } from './server-state.ts'
import { prospectOf } from './tool-list.ts'

/** A client that has a list. */
export interface Listener {
  readonly server: ServerState
  readonly surface: string | undefined
  /** Whether it was promised notifications about its list. */
  readonly awaitsNews: boolean
  tellListChanged(): void
}

/** What lists depend on, at one moment. */
interface Moment {
  readonly policy: GatePolicy
  readonly age: PolicyAge
  readonly stale: Effect | undefined
  readonly wallMs: number
  /** How many of the policy's rules have expired by then. */
  readonly ended: number
}

const toolsPerStep = 256

export class ListWatch {
  readonly #context: GateContext
  #before: Moment | undefined

  constructor(context: GateContext) {
    this.#context = context
  }

  /** Cheap unless the policy, the effect of its age, or the number of expired rules has changed. Never rejects. */
  async check(listeners: Iterable<Listener>): Promise<void> {
    const before = this.#before
    const after = this.#moment()
    if (after === undefined) return
    if (before?.policy === after.policy && before.stale === after.stale && before.ended === after.ended) return
    this.#before = after
    if (before === undefined) return
    const known = new Map<ServerState, Map<string | undefined, boolean>>()
    for (const listener of [...listeners]) {
      if (!listener.awaitsNews) continue
      const { server, surface } = listener
      const bySurface = known.get(server) ?? new Map<string | undefined, boolean>()
      known.set(server, bySurface)
      const isChanged = bySurface.get(surface) ?? (await runWhole(this.#isChanged(before, after, server, surface)))
      bySurface.set(surface, isChanged)
      if (isChanged) listener.tellListChanged()
    }
  }

  #moment(): Moment | undefined {
    const policy = this.#context.policy()
    if (policy === undefined) return undefined
    const age = this.#context.age()
    const wallMs = this.#context.wallMs()
    const stale = staleEffect(policy.document.stale, age.isFresh, age.ageMs)
    return { policy, age, stale, wallMs, ended: endedOf(policy, wallMs) }
  }

  *#isChanged(
    before: Moment,
    after: Moment,
    server: ServerState,
    surface: string | undefined
  ): Generator<void, boolean, void> {
    const isHidden = ({ policy, age, wallMs }: Moment, name: string): boolean =>
      filtersLists(policy) &&
      prospectOf(policy, server, name, { age: () => age, wallMs: () => wallMs, surface }, surface).mildest === 'deny'
    let count = 0
    for (const name of server.names()) {
      if (++count % toolsPerStep === 0) yield
      if (isHidden(before, name) !== isHidden(after, name)) return true
    }
    return false
  }
}

function endedOf({ document }: GatePolicy, wallMs: number): number {
  return document.rules.filter(({ expiresAt }) => expiresAt !== undefined && utcTimeMs(expiresAt) <= wallMs).length
}
