/**
 * Finds events of a kind that is rare among millions of others: searches only where the counts say that there are any.
 */
import { otherValue, rowsMax, type EventQuery, type Store, type StoredEvent } from '../../store/store.ts'
import { dayMs, hourMs, minuteMs } from '../../timing/spans.ts'

interface RareQuery extends Pick<EventQuery, 'origin'> {
  readonly workspaceId: string
  readonly kind: string
  readonly from: number
  readonly to: number
}

/** Counts by minute are kept for eight days, those by hour for as long as there are events. */
const minutesKeptMs = 7 * dayMs + hourMs
const stepMs = { minute: minuteMs, hour: hourMs } as const

/** Stretches of time that are queried one by one. If there would be more, those closest together are merged. */
const stretchesMax = 150
/** Additional pages for stretches with many rows: a page is limited in rows found and in rows examined. */
const furtherPagesMax = 25

/**
 * Passes the events to `take`, newest first, a page at a time, until it has enough.
 * @param take returns whether it wants more
 * @returns whether there may be more than were passed
 * @throws StoreError, RangeError if the range has too many points
 */
export async function readRareEvents(
  store: Pick<Store, 'eventSeries' | 'findEvents'>,
  query: RareQuery,
  take: (events: readonly StoredEvent[]) => boolean
): Promise<boolean> {
  const step = Date.now() - query.from <= minutesKeptMs ? 'minute' : 'hour'
  const starts = new Set<number>()
  // In an hour with many kinds, the last to arrive are counted together.
  for (const kind of [query.kind, otherValue]) {
    for (const { at } of await store.eventSeries({ ...query, kind, dimension: 'total', step })) starts.add(at)
  }
  const stretches = stretchesOf([...starts], stepMs[step])
  let furtherPages = 0
  for (const [place, { from, to }] of stretches.entries()) {
    const span = { from: Math.max(query.from, from), to: Math.min(query.to, to) }
    for (let cursor: string | undefined; ;) {
      const page = await store.findEvents({ ...query, ...span, order: 'newest', limit: rowsMax, cursor })
      const isLast = page.next === null && place === stretches.length - 1
      if (!take(page.rows)) return !isLast
      if (page.next === null) break
      if (++furtherPages > furtherPagesMax) return true
      cursor = page.next
    }
  }
  return false
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** Merges consecutive steps, newest first. */
function stretchesOf(starts: readonly number[], ms: number): Stretch[] {
  const newest = starts.toSorted((a, b) => b - a)
  const gaps = newest.slice(1).map((at, place) => (newest[place] ?? at) - at)
  const joined = Math.max(ms, gaps.toSorted((a, b) => b - a)[stretchesMax - 1] ?? 0)
  const stretches: { from: number; to: number }[] = []
  for (const at of newest) {
    const last = stretches.at(-1)
    if (last && last.from - at <= joined) last.from = at
    else stretches.push({ from: at, to: at + ms })
  }
  return stretches
}
