/**
 * Writes groups of batches, each group in one transaction of three round trips: reading what is new and the current
 * state, writing the rows, and the commit. It has a dedicated connection, so that no reader makes it wait.
 */
import type { EncodedBatch } from '../tables/encode.ts'
import { connect, type Answer, type Connection, type PostgresOptions, type Statement } from './connection.ts'
import { missingDay } from './errors.ts'
import { candidatesOf, columnsOf, CommitPlanner, demandOf, type AuditPlan, type Candidates } from './plan.ts'
import * as statements from './statements.ts'
import { RollupTally, type KnownValues } from '../tables/rollups.ts'
import { recordKinds, type RecordKind } from '../tables/schema.ts'
import type { BatchAnswer } from '../group-commit.ts'
import { StoreError } from '../store.ts'

const retryMsMin = 50
const retryMsMax = 2_000
/** Scopes of rollup values that are cached: a few hours of many workspaces. */
const knownScopesMax = 10_000

interface AppendSetup {
  readonly options: PostgresOptions
  readonly writerId: string
  /** Creates a day's partition if it is missing, in a separate transaction. */
  ensureDay(records: RecordKind, day: number): Promise<void>
}

/** Sends all statements at once. Waits for all answers, then throws the first error, if any. */
async function send(connection: Connection, batch: readonly Statement[]): Promise<Answer<object>[]> {
  const results = await Promise.allSettled(batch.map((statement) => connection.query<object>(statement)))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

/** A faulty record leaves the connection usable; after any other error, a new connection may find a better server. */
async function isUsableAfter(connection: Connection, error: unknown): Promise<boolean> {
  if (!(error instanceof StoreError) || error.code === 'unavailable') return false
  return await connection.query(statements.rollback).then(
    () => true,
    () => false
  )
}

export class PostgresAppender {
  readonly #setup: AppendSetup
  readonly #days = new Set<string>()
  readonly #known: KnownValues = new Map()
  #connection: Connection | undefined
  #retryMs = retryMsMin
  #retryAt = 0

  constructor(setup: AppendSetup) {
    this.#setup = setup
  }

  /**
   * Writes all batches in one commit. If a record of one is faulty, they are written again one by one, so that only
   * that one is refused; if the database fails, trying each would only take longer. One group at a time.
   */
  async append(batches: readonly EncodedBatch[]): Promise<BatchAnswer[]> {
    try {
      const stored = await this.#write(batches).catch((error: unknown) => this.#writeAgain(batches, error))
      return stored.map((events) => ({ stored: events }))
    } catch (error) {
      const { code, message } = error instanceof StoreError ? error : new StoreError('unavailable', 'The store failed.')
      const answers: BatchAnswer[] = []
      if (batches.length > 1 && code !== 'unavailable') {
        for (const batch of batches) answers.push(...(await this.append([batch])))
        return answers
      }
      return batches.map(() => ({ fault: { code, message } }))
    }
  }

  close(): Promise<void> {
    return this.#connection?.end() ?? Promise.resolve()
  }

  /**
   * Opens the connection. For a time after a failure it fails at once, so that callers learn quickly that nothing can
   * be written.
   */
  async #open(): Promise<Connection> {
    if (this.#connection) return this.#connection
    if (performance.now() < this.#retryAt) {
      throw new StoreError('unavailable', 'The connection to the database was lost.')
    }
    try {
      const connection = await connect(this.#setup.options)
      connection.onEnd(() => void this.#drop(connection))
      this.#connection = connection
      this.#retryMs = retryMsMin
      return connection
    } catch (error) {
      this.#retryAt = performance.now() + this.#retryMs * (0.5 + Math.random() / 2)
      this.#retryMs = Math.min(this.#retryMs * 2, retryMsMax)
      throw error
    }
  }

  async #ensureDays(batches: readonly EncodedBatch[]): Promise<void> {
    const wanted = recordKinds.flatMap((records) => {
      const days = new Set(batches.flatMap((batch) => batch[records].day))
      return [...days].map((day) => [records, day] as const)
    })
    for (const [records, day] of wanted) {
      const key = `${records} ${day}`
      if (this.#days.has(key)) continue
      await this.#setup.ensureDay(records, day)
      this.#days.add(key)
    }
  }

  /** After a failure, what was known about days is forgotten, so that a dropped day is created again. */
  #writeAgain(batches: readonly EncodedBatch[], error: unknown): Promise<boolean[][]> {
    if (error instanceof StoreError && error.message === missingDay) return this.#write(batches)
    throw error
  }

  async #write(batches: readonly EncodedBatch[]): Promise<boolean[][]> {
    await this.#ensureDays(batches)
    const connection = await this.#open()
    try {
      return await this.#transact(connection, batches)
    } catch (error) {
      // A partition may have been dropped, and cached values may stem from a commit that failed.
      this.#days.clear()
      this.#known.clear()
      if (!(await isUsableAfter(connection, error))) await this.#drop(connection)
      throw error
    }
  }

  #drop(connection: Connection): Promise<void> {
    if (this.#connection === connection) this.#connection = undefined
    return connection.end()
  }

  async #transact(connection: Connection, batches: readonly EncodedBatch[]): Promise<boolean[][]> {
    const candidates = candidatesOf(batches)
    const { duplicates, sequences, heads } = await this.#begin(connection, batches, candidates)
    const stored = batches.map(({ events }) => events.event_id.map(() => false))
    const tally = new RollupTally()
    for (const [place, { batch, index }] of candidates.places.entries()) {
      const found = stored[batch]
      const events = batches[batch]?.events
      if (!found || !events || duplicates.has(place)) continue
      found[index] = true
      tally.add(events, index)
    }
    const planner = new CommitPlanner(batches, { writerId: this.#setup.writerId, stored, sequences, heads })
    const events = await planner.events()
    // The server writes the events while the audit rows are linked here.
    const writing = send(connection, events.event_id.length > 0 ? [statements.insertEvents(events)] : [])
    const rest = this.#writeRest(connection, planner, tally)
    const failed = (await Promise.allSettled([writing, rest])).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    // Sent separately: a commit right behind the rows would also follow a statement that could not be sent.
    await connection.query(statements.commit)
    return stored
  }

  async #writeRest(connection: Connection, planner: CommitPlanner, tally: RollupTally): Promise<void> {
    const plan = await planner.audit()
    await send(connection, [...auditStatements(plan), ...(await this.#rollupStatements(connection, tally))])
  }

  /** Locks the workspaces first: from then on nothing that is read here can change. */
  async #begin(connection: Connection, batches: readonly EncodedBatch[], { keys }: Candidates) {
    const demand = demandOf(batches)
    const workspaceIds = [...demand.keys()]
    const [, , taken, known, standing] = await send(connection, [
      statements.begin,
      statements.lockCounters({ workspace_id: workspaceIds }),
      statements.takeSequences({ workspace_id: workspaceIds, count: [...demand.values()] }),
      statements.insertKeys(keys),
      statements.readHeads(this.#setup.writerId, workspaceIds)
    ])
    const counters = (taken?.rows ?? []) as { workspace_id: string; sequence: number }[]
    if (counters.length < demand.size) {
      throw new StoreError('unknown_workspace', 'The record belongs to a workspace that does not exist.')
    }
    const sequences = counters.map(({ workspace_id, sequence }): [string, number] => [
      workspace_id,
      sequence - (demand.get(workspace_id) ?? 0)
    ])
    const duplicates = (known?.rows ?? []) as { place: number }[]
    const heads = (standing?.rows ?? []) as { workspace_id: string; rows: number; hash: string }[]
    return {
      duplicates: new Set(duplicates.map(({ place }) => place - 1)),
      sequences: new Map(sequences),
      heads: new Map(heads.map(({ workspace_id, rows, hash }) => [workspace_id, { rows, hash }]))
    }
  }

  /**
   * Values that another instance has added are read under the lock, so that the limit on values holds for all together.
   * A commit without new values does not need this.
   */
  async #rollupStatements(connection: Connection, tally: RollupTally): Promise<Statement[]> {
    if (this.#known.size > knownScopesMax) this.#known.clear()
    const scopes = tally.unknownScopes(this.#known)
    if (scopes.length > 0) {
      const { rows } = await connection.query<{ place: number; value: string }>(
        statements.readRollupValues({
          workspace_id: scopes.map(({ workspaceId }) => workspaceId),
          dimension: scopes.map(({ dimension }) => dimension),
          hour: scopes.map(({ hour }) => hour)
        })
      )
      for (const { key } of scopes) this.#known.set(key, new Set())
      for (const { place, value } of rows) this.#known.get(scopes[place - 1]?.key ?? '')?.add(value)
    }
    const { minute, hour } = tally.rows(this.#known)
    if (minute.length === 0) return []
    return [statements.addMinutes(columnsOf(minute)), statements.addHours(columnsOf(hour))]
  }
}

function auditStatements({ audit, hours, writerDays, heads }: AuditPlan): Statement[] {
  return [
    ...(audit.writer_id.length > 0
      ? [
          statements.insertAudit(audit),
          statements.countWriterDays(columnsOf(writerDays)),
          statements.moveHeads(columnsOf(heads))
        ]
      : []),
    ...(hours.length > 0 ? [statements.countHours(columnsOf(hours))] : [])
  ]
}
