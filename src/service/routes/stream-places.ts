/** How many long answers of a kind one process gives at a time, and how many of them go to one token. */
import { Refused } from '../../ingress/refused.ts'

export interface StreamPlaces {
  readonly taken: number
  /**
   * Takes a place.
   * @returns gives it back; to be called once
   * @throws Refused `too_many_streams` where the token has its share, `overloaded` where all are taken
   */
  take(tokenId: string): () => void
}

export function createStreamPlaces(placesMax: number, perTokenMax: number): StreamPlaces {
  const held = new Map<string, number>()
  let taken = 0
  return {
    get taken() {
      return taken
    },
    take(tokenId) {
      const own = held.get(tokenId) ?? 0
      if (own >= perTokenMax) throw new Refused('too_many_streams')
      if (taken >= placesMax) throw new Refused('overloaded')
      taken++
      held.set(tokenId, own + 1)
      return () => {
        taken--
        const left = (held.get(tokenId) ?? 1) - 1
        if (left === 0) held.delete(tokenId)
        else held.set(tokenId, left)
      }
    }
  }
}
