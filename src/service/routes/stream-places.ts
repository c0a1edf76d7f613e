/** Limits long-running answers of one type per process and per caller. */
import { Refused } from '../../ingress/refusal/refused.ts'
import type { ErrorCode } from '../../protocol/error-catalogue.ts'

export interface StreamPlaces {
  readonly taken: number
  /**
   * Takes a place.
   * @returns gives it back; call it once
   * @throws Refused `too_many_streams`, or the configured code, if the caller has its share; `overloaded` if all are
   *   taken
   */
  take(caller: string): () => void
}

/** @param refusal the code for a caller that already has its share */
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

/** Runs the work in a place of the caller. @throws Refused as {@link StreamPlaces.take} */
export async function inPlace<T>(places: StreamPlaces, caller: string, work: () => Promise<T>): Promise<T> {
  const giveBack = places.take(caller)
  try {
    return await work()
  } finally {
    giveBack()
  }
}
