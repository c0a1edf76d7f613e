/** What changed since the previous range, in sentences, the most important first. */
import { formatCompact, formatShare } from '../../components/format.ts'
import { blockRate, type Tally, type ValueTally } from './tally.ts'

export interface Change {
  readonly text: string
  readonly direction: 'up' | 'down' | 'new'
  /** Filters of the events behind it. */
  readonly filters: Readonly<Record<string, string>>
}

/** Differences below this many events are chance. */
const eventsMin = 5
/** And so are those below this share of the previous number. */
const shareMin = 0.25
const changesMax = 4

/** Values that appear in every range and mean nothing when they are new. */
const unsaid: ReadonlySet<string> = new Set(['', '(other)', 'unknown'])

export interface Dimension {
  readonly filter: string
  /** What a value is called in a sentence: "model". */
  readonly noun: string
  readonly now: readonly ValueTally[]
  readonly before: readonly ValueTally[]
}

export function findChanges(now: Tally, before: Tally, dimensions: readonly Dimension[]): Change[] {
  // Without a previous range, nothing could have changed.
  if (before.judged + before.calls === 0) return []
  const found = [...totals(now, before), ...dimensions.flatMap(newcomers), ...dimensions.flatMap(blockJumps)]
  return found.toSorted((a, b) => b.weight - a.weight).slice(0, changesMax)
}

type Weighed = Change & { readonly weight: number }

function totals(now: Tally, before: Tally): Weighed[] {
  const found: Weighed[] = []
  const words = { block: 'Blocked', mask: 'Masked' } as const
  for (const action of ['block', 'mask'] as const) {
    const change = now[action] - before[action]
    if (Math.abs(change) < eventsMin || Math.abs(change) < before[action] * shareMin) continue
    found.push({
      text: `${words[action]}: ${formatCompact(now[action])}, ${change > 0 ? 'up' : 'down'} from ${formatCompact(before[action])}`,
      direction: change > 0 ? 'up' : 'down',
      filters: { action },
      weight: Math.abs(change) * (action === 'block' ? 10 : 1)
    })
  }
  const [rate, rateBefore] = [blockRate(now), blockRate(before)]
  if (rate !== null && rateBefore !== null && Math.abs(rate - rateBefore) > 0.02 && now.judged >= eventsMin * 4) {
    found.push({
      text: `Block rate: ${formatShare(rate)}, was ${formatShare(rateBefore)}`,
      direction: rate > rateBefore ? 'up' : 'down',
      filters: { action: 'block' },
      weight: now.judged
    })
  }
  return found
}

function newcomers({ filter, noun, now, before }: Dimension): Weighed[] {
  const known = new Set(before.map(({ value }) => value))
  return now
    .filter(({ value }) => !known.has(value) && !unsaid.has(value))
    .slice(0, 2)
    .map(({ value, events, entitiesMasked }) => ({
      text: `New ${noun}: ${value} (${formatCompact(events || entitiesMasked)})`,
      direction: 'new' as const,
      filters: { [filter]: value },
      weight: 50 + Math.min(500, events || entitiesMasked)
    }))
}

function blockJumps({ filter, noun, now, before }: Dimension): Weighed[] {
  const blockedBefore = new Map(before.map(({ value, block }) => [value, block]))
  return now.flatMap(({ value, block }) => {
    const was = blockedBefore.get(value)
    if (was === undefined || unsaid.has(value) || block - was < eventsMin || block < was * 2) return []
    return [
      {
        text: `More blocks of ${noun} ${value}: ${formatCompact(block)}, was ${formatCompact(was)}`,
        direction: 'up' as const,
        filters: { [filter]: value, action: 'block' },
        weight: (block - was) * 8
      }
    ]
  })
}
