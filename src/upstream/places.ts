/**
 * Shares the connections to an upstream fairly. A model's answer takes minutes, so whoever has the most calls in
 * progress could take all connections. Part of them is therefore reserved for holders with few calls, and of those who
 * wait, the holder with the fewest goes first (decision 140).
 */

export interface UpstreamPlaces {
  /**
   * Starts a call once it may have a connection: at once, or when others have ended.
   * @param origin of the upstream; each has places of its own
   * @param holder whose call it is
   * @param start receives the function that gives the place back, to be called when the call is over; further calls
   *   have no effect
   * @returns stops waiting; has no effect on a call that has started
   */
  enter(origin: string, holder: string, start: (leave: () => void) => void): () => void
}

interface Holder {
  taken: number
  /** In the order of arrival. */
  readonly waiting: Set<() => void>
}

interface Upstream {
  taken: number
  readonly holders: Map<string, Holder>
  /** Holders with waiting calls. Empty unless the limit is reached. */
  readonly waiting: Set<Holder>
  /**
   * True while waiting calls are started: a call that ends as it starts must not start the next one from within its own
   * turn.
   */
  isAdmitting: boolean
}

/** The share of the reserve that one holder may have and still count as having few calls. */
const littleShare = 1 / 4

/** For a call that did not wait. A closure of its own would keep the call alive. */
const hasStarted = (): void => {}

/** The reserve if clients share a process: a quarter. */
export const reservedPlaces = (placesMax: number): number => Math.floor(placesMax / 4)

/**
 * @param placesMax connections to one upstream
 * @param reserved how many of these only holders with few calls may take (at most a quarter of the reserve, at least
 *   one); 0 if there is one holder
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
        // To the back of the queue: of two holders with equally many calls, neither goes first twice in a row.
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

  /** Starts waiting calls for which there is room now. */
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

/** Removes an idle holder. Giving up twice may find a newer holder under the same name, which must stay. */
function forget(upstream: Upstream, name: string, holder: Holder): void {
  const isIdle = holder.taken === 0 && holder.waiting.size === 0
  if (isIdle && upstream.holders.get(name) === holder) upstream.holders.delete(name)
}
