/**
 * In which order requests come to the thread that judges: by turns the one that came first and the smallest. A draft at the bounds takes a
 * second, and whoever tries a sentence does not wait for eight of them; nor does a large one wait for good.
 */

/** Requests that wait. */
export class JudgingOrder<Request extends { readonly args: readonly unknown[] }> {
  /** In the order in which they came, with the weight of each. */
  readonly #waiting = new Map<Request, number>()
  #isSmallestNext = false

  add(request: Request): void {
    this.#waiting.set(request, weightOf(request.args))
  }

  delete(request: Request): void {
    this.#waiting.delete(request)
  }

  /** @returns the one whose turn it is; undefined where none waits */
  take(): Request | undefined {
    // One that waits alone came first, whatever it weighs.
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

/** About how much there is to read, without reading it: of a list its first entry stands for all. */
function weightOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth === depthMax) return 1
  if (Array.isArray(value) && depth > 0) return value.length * (1 + weightOf(value[0], depth + 1))
  let weight = 0
  for (const member of Object.values(value).slice(0, membersMax)) weight += weightOf(member, depth + 1)
  return weight
}
