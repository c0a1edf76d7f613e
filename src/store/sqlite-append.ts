/**
 * Group commit: batches that arrive while a commit is under way go into the next one together, so that the number of
 * commits follows the disk and not the number of callers.
 */
import type { WriterLock } from './sqlite-lock.ts'
import type { BatchAnswer, EncodedBatch, SqlValue } from './sqlite-protocol.ts'
import type { SqliteThread } from './sqlite-thread.ts'
import { auditRow, jsonText } from './rows.ts'
import { appendRowsMax, StoreError, type AppendBatch, type EventOutcome, type WorkspaceEvent } from './store.ts'

/** Most rows that wait, and most that one commit takes (a single batch may be larger). */
const waitingRowsMax = 50_000
const commitRowsMax = 5_000

interface WaitingBatch {
  readonly rows: number
  readonly encoded: EncodedBatch
  resolve(outcomes: EventOutcome[]): void
  reject(error: unknown): void
}

/** JSON of objects that may stand twice in a batch: the record of a call is its event and its audit row in one. */
function createTexts(): (value: object) => string {
  const known = new Map<object, string>()
  return (value) => {
    const text = known.get(value) ?? jsonText(value)
    known.set(value, text)
    return text
  }
}

/** In the order of the columns of the worker's statement. */
const eventValues = (event: WorkspaceEvent, textOf: (value: object) => string): SqlValue[] => [
  event.workspaceId,
  event.eventId,
  event.kind,
  event.origin,
  event.requestId,
  event.tokenId,
  event.occurredAt,
  event.receivedAt,
  event.policyRevision,
  textOf(event.sensorMetadata)
]

/** @throws StoreError `invalid`, RangeError */
function encode({ events, audit }: AppendBatch): EncodedBatch {
  if (events.length > appendRowsMax || audit.length > appendRowsMax) {
    throw new RangeError(`one append takes at most ${appendRowsMax} events and as many audit rows`)
  }
  const textOf = createTexts()
  return {
    events: events.map((event) => eventValues(event, textOf)),
    audit: audit.map((entry) => {
      const { eventIndex = -1 } = entry
      if (eventIndex >= events.length) throw new RangeError('eventIndex must be the place of an event of the batch')
      // In the order in which auditRow lists its columns.
      return { values: Object.values(auditRow(entry, textOf)), eventIndex }
    })
  }
}

export class AppendQueue {
  readonly #thread: SqliteThread
  readonly #lock: WriterLock
  readonly #waiting: WaitingBatch[] = []
  #waitingRows = 0
  #draining = false

  constructor(thread: SqliteThread, lock: WriterLock) {
    this.#thread = thread
    this.#lock = lock
  }

  async append(batch: AppendBatch): Promise<EventOutcome[]> {
    const encoded = encode(batch)
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

  /** Never rejects: every fault belongs to a batch, and goes to the one who waits for it. */
  async #commit(): Promise<void> {
    let group: WaitingBatch[] = []
    try {
      await this.#lock.acquire()
    } catch (error) {
      for (const batch of this.#take()) batch.reject(error)
      return
    }
    try {
      group = this.#take()
      const request = { op: 'append', batches: group.map(({ encoded }) => encoded) } as const
      const answers = (await this.#thread.request(request)) as BatchAnswer[]
      for (const [index, batch] of group.entries()) settle(batch, answers[index])
    } catch (error) {
      for (const batch of group) batch.reject(error)
    } finally {
      this.#lock.release()
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
