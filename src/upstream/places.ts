/**
 * Who gets the connections to an upstream. Answers of models take minutes, so whoever has the most calls under way would
 * have all connections: a part of them is kept for those who hold little, and of those who wait the one that holds the
 * least goes first (decision 140).
 */

export interface UpstreamPlaces {
  /**
   * Starts a call when it may have a connection: at once, or when others have ended.
   * @param origin of the upstream; each has places of its own
   * @param holder whose call it is
   * @param start gets what gives the place back, to be called when the call is over; called again it does nothing
   * @returns ends the wait; of no effect on a call that has started
   */
  enter(origin: string, holder: string, start: (leave: () => void) => void): () => void
}

interface Holder {
  taken: number
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
}

interface Upstream {
  taken: number
  readonly holders: Map<string, Holder>
  /** Those with calls that wait. A bound that is seldom met keeps this empty. */
  readonly waiting: Set<Holder>
  /** While those who wait are let in: a call that ends as it starts must not let in the next one from within its own turn. */
  isAdmitting: boolean
}

/** Of what is reserved, as much as one holder may have in it. */
const littleShare = 1 / 4

/** Of a call that need not wait. In a closure of its own it would hold the call. */
const hasStarted = (): void => {}

/** What is reserved where clients share a process: a quarter. */
export const reservedPlaces = (placesMax: number): number => Math.floor(placesMax / 4)

/**
 * @param placesMax connections to one upstream
 * @param reserved of these, for holders of at most a quarter of that, or of one; 0 where all belongs to one holder
 */
export function createUpstreamPlaces(placesMax: number, reserved = 0): UpstreamPlaces {
  const upstreams = new Map<string, Upstream>()
  const littleMax = Math.max(1, Math.floor(reserved * littleShare))

  const mayTake = ({ taken }: Upstream, holder: Holder): boolean =>
    taken < (holder.taken < littleMax ? placesMax : placesMax - reserved)

  function take(upstream: Upstream, name: string, holder: Holder, start: (leave: () => void) => void): void {
    upstream.taken++
    holder.taken++
    let isOver = false
    start(() => {
      if (isOver) return
      isOver = true
      upstream.taken--
      holder.taken--
      if (upstream.waiting.size > 0) admit(upstream)
      forget(upstream, name, holder)
    })
  }

  return {
    enter(origin, name, start) {
      const upstream = upstreams.get(origin) ?? { taken: 0, holders: new Map(), waiting: new Set(), isAdmitting: false }
      upstreams.set(origin, upstream)
      const holder = upstream.holders.get(name) ?? { taken: 0, waiting: new Set() }
      upstream.holders.set(name, holder)
      if (mayTake(upstream, holder)) {
        take(upstream, name, holder, start)
        return hasStarted
      }
      const turn = (): void => {
        leaveQueue()
        take(upstream, name, holder, start)
      }
      const leaveQueue = (): void => {
        if (!holder.waiting.delete(turn)) return
        upstream.waiting.delete(holder)
        // Behind the others: of two that hold the same, neither goes first twice in a row.
        if (holder.waiting.size > 0) upstream.waiting.add(holder)
      }
      holder.waiting.add(turn)
      upstream.waiting.add(holder)
      return () => {
        leaveQueue()
        forget(upstream, name, holder)
      }
    }
  }

  /** Lets in who may have what came free. */
  function admit(upstream: Upstream): void {
    if (upstream.isAdmitting) return
    upstream.isAdmitting = true
    try {
      for (let turn = nextTurn(upstream); turn !== undefined; turn = nextTurn(upstream)) turn()
    } finally {
      upstream.isAdmitting = false
    }
  }

  function nextTurn(upstream: Upstream): (() => void) | undefined {
    let next: Holder | undefined
    for (const holder of upstream.waiting)
      if (holder.taken < (next?.taken ?? Infinity) && mayTake(upstream, holder)) next = holder
    return next?.waiting.values().next().value
  }
}

/** Whoever gives up twice may find another holder under the name, made since. */
function forget(upstream: Upstream, name: string, holder: Holder): void {
  const isIdle = holder.taken === 0 && holder.waiting.size === 0
  if (isIdle && upstream.holders.get(name) === holder) upstream.holders.delete(name)
}
