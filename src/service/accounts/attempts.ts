/**
 * Rate limits for signing in. Attempts count before they are judged, so that many at once count like many in a row; a
 * correct password gives its attempt back.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { Refused } from '../../ingress/refusal/refused.ts'

interface Rule {
  /** Attempts that may be made at once. */
  readonly burst: number
  /** Time until one more attempt is granted. */
  readonly everyMs: number
}

/**
 * From one address for one name: ten, and then one per minute. The limit of a name is many times that, so that a
 * stranger who fails on purpose does not lock its owner out; so is the limit of an address, since offices share one.
 */
const rules = {
  pair: { burst: 10, everyMs: 60_000 },
  name: { burst: 100, everyMs: 20_000 },
  address: { burst: 60, everyMs: 10_000 }
} as const satisfies Record<string, Rule>

/** Most counters of a kind in memory; the one idle for longest is evicted. */
const countersMax = 10_000

export interface Attempts {
  /**
   * Counts an attempt.
   * @param name as typed; undefined if there is none, as with links
   * @returns a function that gives the attempt back, for one that succeeded
   * @throws Refused `too_many_attempts`
   */
  take(address: string, name: string | undefined): () => void
}

/** @param nowMs a monotonic clock */
export function createAttempts(nowMs: () => number = () => performance.now()): Attempts {
  const pairs = createCounters(rules.pair, nowMs)
  const names = createCounters(rules.name, nowMs)
  const addresses = createCounters(rules.address, nowMs)
  // Counters outlive their attempts, and people type passwords where the name belongs.
  const secret = randomBytes(32)
  const keyOf = (name: string): string =>
    createHmac('sha256', secret).update(name.trim().toLowerCase()).digest('base64')
  return {
    take(address, name) {
      const network = networkOf(address)
      const key = name === undefined ? undefined : keyOf(name)
      const counted = [
        addresses.counter(network),
        ...(key === undefined ? [] : [pairs.counter(`${network} ${key}`), names.counter(key)])
      ]
      const waitMs = Math.max(...counted.map(({ waitMs }) => waitMs()))
      if (waitMs > 0) {
        throw new Refused('too_many_attempts', { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
      }
      for (const counter of counted) counter.add(1)
      return () => {
        for (const counter of counted) counter.add(-1)
      }
    }
  }
}

/** The network of an address: whoever has one IPv6 address has the 2^64 around it. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (address.includes('::')) {
    const last = tail.split(':').filter((group) => group !== '')
    while (groups.length + last.length < 8) groups.push('0')
    groups.push(...last)
  }
  return groups.slice(0, 4).join(':')
}

interface Counter {
  /** Does not store a new key, so that refused attempts cannot evict others. */
  waitMs(): number
  add(count: number): void
}

/** Each counter is a time: it advances with every attempt, up to the burst ahead of the clock. */
function createCounters({ burst, everyMs }: Rule, nowMs: () => number): { counter(key: string): Counter } {
  const until = new Map<string, number>()
  /** @param time from which on an additional attempt is granted */
  function keep(key: string, time: number): void {
    if (!until.delete(key) && until.size >= countersMax) until.delete(until.keys().next().value as string)
    until.set(key, time)
  }

  return {
    counter: (key) => ({
      waitMs() {
        const known = until.get(key)
        if (known === undefined) return 0
        // A refused attempt also counts as a use.
        keep(key, known)
        return Math.max(0, known - nowMs() - (burst - 1) * everyMs)
      },
      add: (count) => keep(key, Math.max(until.get(key) ?? 0, nowMs()) + count * everyMs)
    })
  }
}
