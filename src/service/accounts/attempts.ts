/**
 * How often somebody may try to sign in. Attempts count before they are judged, so that many at once are as many as one
 * after another, and a right password gives its attempt back.
 */
import { isIPv6 } from 'node:net'
import { Refused } from '../../ingress/refusal/refused.ts'

interface Rule {
  /** Attempts that may come at once. */
  readonly burst: number
  /** How long it takes until one more is granted. */
  readonly everyMs: number
}

/**
 * From one address at one name, ten and then one a minute. A name alone has room for many times that, so that a stranger
 * who fails on purpose does not lock its owner out; an address alone has, since offices share one.
 */
const rules = {
  pair: { burst: 10, everyMs: 60_000 },
  name: { burst: 100, everyMs: 20_000 },
  address: { burst: 60, everyMs: 10_000 }
} as const satisfies Record<string, Rule>

/** Most counters of a kind in memory; the one that was idle longest makes room. */
const countersMax = 10_000

export interface Attempts {
  /**
   * Counts an attempt.
   * @param name as it was typed; undefined where none is, as with links
   * @returns gives it back, for one that went well
   * @throws Refused `too_many_attempts`
   */
  take(address: string, name: string | undefined): () => void
}

/** @param nowMs a clock that never goes back */
export function createAttempts(nowMs: () => number = () => performance.now()): Attempts {
  const pairs = createCounters(rules.pair, nowMs)
  const names = createCounters(rules.name, nowMs)
  const addresses = createCounters(rules.address, nowMs)
  return {
    take(address, name) {
      const network = networkOf(address)
      const key = name?.trim().toLowerCase().slice(0, 64)
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

/** Whoever has one address of IPv6 has the 2^64 beside it. */
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
  /** Says nothing of a key that is new, so that nobody who is refused pushes others out. */
  waitMs(): number
  add(count: number): void
}

/** Each counter is a time: it moves ahead with every attempt, and as far as the burst allows ahead of the clock. */
function createCounters({ burst, everyMs }: Rule, nowMs: () => number): { counter(key: string): Counter } {
  const until = new Map<string, number>()
  /** @param time from which on one more is granted than before */
  function keep(key: string, time: number): void {
    if (!until.delete(key) && until.size >= countersMax) until.delete(until.keys().next().value as string)
    until.set(key, time)
  }

  return {
    counter: (key) => ({
      waitMs() {
        const known = until.get(key)
        if (known === undefined) return 0
        // Whoever is refused is seen again as well.
        keep(key, known)
        return Math.max(0, known - nowMs() - (burst - 1) * everyMs)
      },
      add: (count) => keep(key, Math.max(until.get(key) ?? 0, nowMs()) + count * everyMs)
    })
  }
}
