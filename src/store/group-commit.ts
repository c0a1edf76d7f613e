/**
 * Group commit: batches that arrive during a commit go into the next one together, so that the number of commits
 * depends on the disk and not on the number of callers.
 */
import { encodeBatch, type EncodedBatch } from './tables/encode.ts'
import { StoreError, type AppendBatch, type EventOutcome, type StoreErrorCode } from './store.ts'

/** Most rows that wait, and most in one commit (a single batch may be larger). */
const waitingRowsMax = 50_000
const commitRowsMax = 5_000

/** For each event whether it was stored, or why the batch was not written. */
export type BatchAnswer =
  | { readonly stored: readonly boolean[] }
  | { readonly fault: { readonly code: StoreErrorCode; readonly message: string } }

interface WaitingBatch {
  readonly rows: number
  readonly encoded: EncodedBatch
  resolve(outcomes: EventOutcome[]): void
  reject(error: unknown): void
}

export class GroupCommit {
  readonly #write: (batches: () => readonly EncodedBatch[]) => Promise<readonly BatchAnswer[]>
  readonly #waiting: WaitingBatch[] = []
  #waitingRows = 0
  #draining = false

  /**
   * @param write commits the batches that it takes, together, and answers for each in order; one call at a time. It
   *   takes them as late as possible (once it has the engine's lock), since more may arrive until then.
   */
  constructor(write: (batches: () => readonly EncodedBatch[]) => Promise<readonly BatchAnswer[]>) {
    this.#write = write
  }

  /** As the contract's `append`. */
  async append(batch: AppendBatch): Promise<EventOutcome[]> {
    const encoded = encodeBatch(batch)
    const rows = batch.events.length + batch.audit.length
    if (rows === 0) return []
    if (this.#waitingRows + rows > waitingRowsMax)
      throw new StoreError('overloaded', 'Too many records wait for the store.')
    return new Promise((resolve, reject) => {
      this.#waiting.push({ rows, encoded, resolve, reject })
      this.#waitingRows += rows
      if (!this.#draining) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#draining = true
    while (this.#waiting.length > 0) await this.#commit()
    this.#draining = false
  }

  /** Never rejects: every error belongs to a batch, and goes to its caller. */
  async #commit(): Promise<void> {
    let group: WaitingBatch[] | undefined
    try {
      const answers = await this.#write(() => (group ??= this.#take()).map(({ encoded }) => encoded))
      for (const [index, batch] of (group ?? []).entries()) settle(batch, answers[index])
    } catch (error) {
      for (const batch of group ?? this.#take()) batch.reject(error)
    }
  }

  #take(): WaitingBatch[] {
    let count = 0
    let rows = 0
    for (const batch of this.#waiting) {
      if (count > 0 && rows + batch.rows > commitRowsMax) break
      rows += batch.rows
      count++
    }
    this.#waitingRows -= rows
    return this.#waiting.splice(0, count)
  }
}

function settle(batch: WaitingBatch, answer: BatchAnswer | undefined): void {
  if (!answer) batch.reject(new StoreError('unavailable', 'The store gave no answer for a batch.'))
  else if ('fault' in answer) batch.reject(new StoreError(answer.fault.code, answer.fault.message))
  else batch.resolve(answer.stored.map((stored) => (stored ? 'stored' : 'duplicate')))
}
