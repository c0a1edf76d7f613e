/**
 * Where the engines differ in keeping events and audit rows in partitions by day. On SQLite each day is a table of its
 * own, on Postgres a partition of one table; what is made of them is written once.
 */
import type { Expression, Kysely, SelectQueryBuilder, SqlBool, Transaction } from 'kysely'
import type { RecordKind, Tables } from './schema.ts'

export interface RecordTables {
  /** What must stand before a record can be written; called by the first migration, in its transaction. */
  createParents(transaction: Kysely<unknown>): Promise<void>
  /** First statement of a migration: of several processes that start at once the others wait here. */
  lockMigrations(transaction: Kysely<Tables>): Promise<void>
  /** What a statement that inserts into this day calls its table. */
  tableOf<Kind extends RecordKind>(records: Kind, day: number): Kind
  /** Makes the partition of a day where it is missing; called in the transaction that writes its first row. */
  ensureDay(transaction: Transaction<Tables>, records: RecordKind, day: number): Promise<void>
  /** Rows of one day. The day must have had a row, and may be dropped while it is read. */
  events(db: Kysely<Tables>, day: number): SelectQueryBuilder<Tables, 'events', object>
  audit(db: Kysely<Tables>, day: number): SelectQueryBuilder<Tables, 'audit', object>
  /**
   * What the index of requests needs to be told beside a request id, where it does.
   * @param from the first sequence to look at
   * @param to the last one
   */
  requestCondition?(from: number, to: number): Expression<SqlBool>
  /** How many places of that index a search for a request looks at, where it is more than one. */
  requestLooks?(from: number, to: number): number
  /** Most days that one statement should ask together, where that is less work than to ask for each. */
  readonly daysTogetherMax?: number
  /** Days that have a partition, in their order, with or without rows. */
  days(db: Kysely<Tables>, records: RecordKind): Promise<number[]>
  /**
   * Drops what a day that is about to go can do without, where that frees room: on a full disk nothing could be written
   * about the day before.
   */
  dropIndexes(db: Kysely<Tables>, records: RecordKind, day: number): Promise<void>
  /** Drops the partition of a day that nobody reads any more, in steps that hold no commit up for long. */
  dropDay(db: Kysely<Tables>, records: RecordKind, day: number): Promise<void>
}
