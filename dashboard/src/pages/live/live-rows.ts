/** The rows of the live view: limited in number, in the order of arrival, and unchanged while paused. */
import type { EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import type { TailState } from '../../api/tail-state.ts'

/** Most rows on the page, and most events that wait while it is paused. */
export const keptMax = 300
export interface Held {
  readonly shown: readonly EventBody[]
  readonly waiting: readonly EventBody[]
  readonly isPaused: boolean
  /** Events that arrived during a pause beyond the limit. */
  readonly lost: number
  readonly state: TailState
}

export type Act =
  | { readonly is: 'came'; readonly events: readonly EventBody[] }
  | { readonly is: 'toggled' }
  | { readonly is: 'state'; readonly state: TailState }
  | { readonly is: 'started' }

export const nothing: Held = { shown: [], waiting: [], isPaused: false, lost: 0, state: 'connecting' }

/** Puts newer events first; an event that is already there (after a reconnect) is not repeated. */
export function merge(newer: readonly EventBody[], older: readonly EventBody[]): EventBody[] {
  const known = new Set(newer.map(({ sequence }) => sequence))
  return [...newer, ...older.filter(({ sequence }) => !known.has(sequence))].toSorted((a, b) => b.sequence - a.sequence)
}

export function reduce(held: Held, act: Act): Held {
  switch (act.is) {
    case 'started':
      return { ...nothing, isPaused: held.isPaused }
    case 'state':
      return { ...held, state: act.state }
    case 'toggled':
      if (!held.isPaused) return { ...held, isPaused: true }
      return {
        ...held,
        isPaused: false,
        lost: 0,
        waiting: [],
        shown: merge(held.waiting, held.shown).slice(0, keptMax)
      }
    case 'came': {
      if (!held.isPaused) return { ...held, shown: merge(act.events, held.shown).slice(0, keptMax) }
      const waiting = merge(act.events, held.waiting)
      return { ...held, waiting: waiting.slice(0, keptMax), lost: held.lost + Math.max(0, waiting.length - keptMax) }
    }
  }
}
