/** How many long answers of a kind one process gives at a time, and how many of them go to one caller. */
import { Refused } from '../../ingress/refusal/refused.ts'
import type { ErrorCode } from '../../protocol/error-catalogue.ts'

export interface StreamPlaces {
  readonly taken: number
  /**
   * Takes a place.
   * @returns gives it back; to be called once
   * @throws Refused `too_many_streams`, or as it was made, where the caller has its share; `overloaded` where all are taken
   */
  take(caller: string): () => void
}

/** @param refusal the code that a caller hears which has its share */
export function createStreamPlaces(
  placesMax: number,
  perCallerMax: number,
  refusal: ErrorCode = 'too_many_streams'
): StreamPlaces {
  const held = new Map<string, number>()
  let taken = 0
  return {
    get taken() {
      return taken
    },
    take(caller) {
      const own = held.get(caller) ?? 0
      if (own >= perCallerMax) throw new Refused(refusal)
      if (taken >= placesMax) throw new Refused('overloaded')
      taken++
      held.set(caller, own + 1)
      return () => {
        taken--
        const left = (held.get(caller) ?? 1) - 1
        if (left === 0) held.delete(caller)
        else held.set(caller, left)
      }
    }
  }
}

/** Does the work in a place of the caller. @throws Refused as {@link StreamPlaces.take} */
export async function inPlace<T>(places: StreamPlaces, caller: string, work: () => Promise<T>): Promise<T> {
  const giveBack = places.take(caller)
  try {
    return await work()
  } finally {
    giveBack()
  }
}
