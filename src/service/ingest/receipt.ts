/** The answer of `POST /api/events`: the result for each event, by its index in the request. */
import { errorEntry } from '../../protocol/error-catalogue.ts'
import type { Fault } from '../../protocol/problem.ts'
import type { EventOutcome } from '../../store/store.ts'
import type { Verdict } from './judge-batch.ts'

interface EventResult {
  /** Index in the request; blank lines do not count. */
  readonly index: number
  readonly status: 'accepted' | 'duplicate' | 'valid' | 'rejected'
  readonly eventId?: string
  /** The first fault of a rejected event. */
  readonly code?: string
  /** JSON pointer that starts at the event. */
  readonly path?: string
  readonly message?: string
  /** All of its faults, if there are several. */
  readonly errors?: readonly Fault[]
  readonly warnings?: readonly string[]
}

export interface Receipt {
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: number
  readonly results: readonly EventResult[]
}

/** Most faults listed per event. */
const faultsMax = 20

/**
 * Creates the receipt.
 * @param outcomes one for each event that was stored or known, in order; undefined if nothing was to be stored
 */
export function makeReceipt(verdicts: readonly Verdict[], outcomes: readonly EventOutcome[] | undefined): Receipt {
  const count = { accepted: 0, duplicates: 0, rejected: 0 }
  let stored = 0
  const results = verdicts.map((verdict, index): EventResult => {
    if (!verdict.ok) {
      count.rejected++
      return rejected(index, verdict)
    }
    const { eventId, warnings } = verdict
    const noted = warnings.length > 0 ? { warnings } : {}
    if (!outcomes) return { index, status: 'valid', ...noted }
    const isDuplicate = verdict.isHeartbeat !== true && outcomes[stored++] === 'duplicate'
    count[isDuplicate ? 'duplicates' : 'accepted']++
    return { index, status: isDuplicate ? 'duplicate' : 'accepted', eventId, ...noted }
  })
  return { ...count, results }
}

function rejected(index: number, { eventId, faults }: Verdict & { readonly ok: false }): EventResult {
  const [first] = faults
  return {
    index,
    status: 'rejected',
    ...(eventId === undefined ? {} : { eventId }),
    ...first,
    ...(faults.length > 1 ? { errors: faults.slice(0, faultsMax) } : {})
  }
}

/** The faults of a request without any valid event, with pointers that start at its body. */
export function allFaults(verdicts: readonly Verdict[], base: string | undefined): Fault[] {
  const faults: Fault[] = []
  for (const [index, verdict] of verdicts.entries()) {
    if (verdict.ok) continue
    for (const fault of verdict.faults) {
      faults.push(base === undefined ? fault : { ...fault, path: `${base}/${index}${fault.path}` })
      if (faults.length === faultsMax) return faults
    }
  }
  return faults
}

/** The code of a single fault; several faults are an invalid body. */
export function codeOf(faults: readonly Fault[]): Fault['code'] {
  const [first] = faults
  return faults.length === 1 && first && errorEntry(first.code).status === 400 ? first.code : 'invalid_body'
}
