/**
 * How the engines differ in partitioning events and audit rows by day. On SQLite each day is a table of its own, on
 * PostgreSQL a partition of one table; everything built on them is written once.
 */
import type { Expression, Kysely, SelectQueryBuilder, SqlBool, Transaction } from 'kysely'
import type { RecordKind, Tables } from './schema.ts'

export interface RecordTables {
  /** Creates what must exist before a record can be written; called by the first migration, in its transaction. */
  createParents(transaction: Kysely<unknown>): Promise<void>
  /** First statement of a migration: of several processes that start at once, the others wait here. */
  lockMigrations(transaction: Kysely<Tables>): Promise<void>
  /** The name of the table for statements that insert into this day. */
  tableOf<Kind extends RecordKind>(records: Kind, day: number): Kind
  /** Creates the partition of a day if it is missing; called in the transaction that writes its first row. */
  ensureDay(transaction: Transaction<Tables>, records: RecordKind, day: number): Promise<void>
  /** Rows of one day. The day must have had a row, and may be dropped while it is read. */
  events(db: Kysely<Tables>, day: number): SelectQueryBuilder<Tables, 'events', object>
  audit(db: Kysely<Tables>, day: number): SelectQueryBuilder<Tables, 'audit', object>
  /**
   * The additional condition with which the index of requests can be used, if it needs one.
   * @param from the first sequence to examine
   * @param to the last one
   */
  requestCondition?(from: number, to: number): Expression<SqlBool>
  /** How many positions of that index a search for a request examines, if more than one. */
  requestLooks?(from: number, to: number): number
  /** Most days that one statement should query together, if that is less work than querying each. */
  readonly daysTogetherMax?: number
  /** Days that have a partition, in order, with or without rows. */
  days(db: Kysely<Tables>, records: RecordKind): Promise<number[]>
  /**
   * Drops what an expiring day can do without, if that frees space: on a full disk, nothing could otherwise be written
   * about the day before.
   */
  dropIndexes(db: Kysely<Tables>, records: RecordKind, day: number): Promise<void>
  /** Drops the partition of a day that nobody reads any more, in steps that block no commit for long. */
  dropDay(db: Kysely<Tables>, records: RecordKind, day: number): Promise<void>
}
