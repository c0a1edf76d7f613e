/**
 * The order in which requests reach the judging thread: alternately the oldest and the smallest. A draft at the limits
 * takes a second, and someone who tries a sentence should not wait for eight of them; nor should a large one wait
 * forever.
 */

/** The waiting requests. */
export class JudgingOrder<Request extends { readonly args: readonly unknown[] }> {
  /** In the order of arrival, with the weight of each. */
  readonly #waiting = new Map<Request, number>()
  #isSmallestNext = false

  add(request: Request): void {
    this.#waiting.set(request, weightOf(request.args))
  }

  delete(request: Request): void {
    this.#waiting.delete(request)
  }

  /** @returns the next request; undefined if none waits */
  take(): Request | undefined {
    // A single request is the oldest, whatever its weight.
    const isFirst = !this.#isSmallestNext || this.#waiting.size === 1
    const next = isFirst ? this.#waiting.keys().next().value : this.#smallest()
    this.#isSmallestNext = isFirst
    if (next !== undefined) this.#waiting.delete(next)
    return next
  }

  #smallest(): Request | undefined {
    let [found, least]: [Request | undefined, number] = [undefined, Infinity]
    for (const [request, weight] of this.#waiting) if (weight < least) [found, least] = [request, weight]
    return found
  }
}

const depthMax = 5
const membersMax = 32

/** Roughly how much there is to read, without reading it: the first entry of a list stands for all. */
function weightOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth === depthMax) return 1
  if (Array.isArray(value) && depth > 0) return value.length * (1 + weightOf(value[0], depth + 1))
  let weight = 0
  for (const member of Object.values(value).slice(0, membersMax)) weight += weightOf(member, depth + 1)
  return weight
}
