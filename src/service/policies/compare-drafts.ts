/** What several drafts would do differently from the policy in force, over recorded metadata, in a single pass. */
import { allRows } from '../../store/all-rows.ts'
import { rowsMax, type Store } from '../../store/store.ts'
import { replayed, type Draft } from './dry-run.ts'
import { addCount } from '../../policy/redaction/count-kinds.ts'

interface DraftDifference {
  readonly changed: number
  readonly changes: {
    was: string
    wouldBe: string
    events: number
    /** Kinds or tools, by the number of these events in which they occur; the most frequent. */
    by: Record<string, number>
    /** Request IDs of some of them. */
    examples: string[]
  }[]
}

export interface Comparison {
  /** Events that could be replayed. */
  readonly events: number
  /** Whether there were more events than are examined; the newest were examined. */
  readonly isCut: boolean
  readonly drafts: readonly DraftDifference[]
}

/** Limited because somebody waits for the answer. */
const lookedAtMax = 20_000
const examplesMax = 5
const namesMax = 10

/** @throws StoreError */
export async function compareDrafts(
  store: Pick<Store, 'findEvents'>,
  range: { readonly workspaceId: string; readonly from: number; readonly to: number },
  before: Draft,
  drafts: readonly Draft[]
): Promise<Comparison> {
  const tallies = drafts.map((draft) => ({ draft, tally: new Tally() }))
  let lookedAt = 0
  let events = 0
  let isCut = false
  const rows = drafts.length === 0 ? [] : allRows((query) => store.findEvents(query), { ...range, limit: rowsMax })
  for await (const event of rows) {
    if (lookedAt++ === lookedAtMax) {
      isCut = true
      break
    }
    const now = replayed(event, before)
    if (now === undefined) continue
    events++
    for (const { draft, tally } of tallies) {
      const then = replayed(event, draft)
      if (then === undefined || then.wouldBe === now.wouldBe) continue
      tally.add(now.wouldBe, then.wouldBe, now.names, event.requestId)
    }
  }
  return { events, isCut, drafts: tallies.map(({ tally }) => tally.report()) }
}

class Tally {
  readonly #changes = new Map<string, DraftDifference['changes'][number]>()

  add(was: string, wouldBe: string, names: readonly string[], requestId: string | null): void {
    const key = `${was} ${wouldBe}`
    const change = this.#changes.get(key) ?? { was, wouldBe, events: 0, by: {}, examples: [] }
    this.#changes.set(key, change)
    change.events++
    for (const name of names) addCount(change.by, name)
    if (requestId !== null && change.examples.length < examplesMax) change.examples.push(requestId)
  }

  report(): DraftDifference {
    const changes = [...this.#changes.values()].toSorted((a, b) => b.events - a.events)
    const most = (by: Record<string, number>) =>
      Object.fromEntries(
        Object.entries(by)
          .toSorted(([, a], [, b]) => b - a)
          .slice(0, namesMax)
      )
    return {
      changed: changes.reduce((sum, { events }) => sum + events, 0),
      changes: changes.map((change) => ({ ...change, by: most(change.by) }))
    }
  }
}
