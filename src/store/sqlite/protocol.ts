/** The messages between the main thread and the threads that hold SQLite connections. */
import type { EncodedBatch } from '../tables/encode.ts'
import type { StoreErrorCode } from '../store.ts'

export type SqlValue = string | number | bigint | null

export interface ThreadSetup {
  readonly path: string
  /** A copier is a reader that makes one copy of the database, which takes long. */
  readonly role: 'writer' | 'reader' | 'copier'
  /** How long a statement waits for another process's lock. */
  readonly busyTimeoutMs: number
  /** Identifies this opening of the store in the audit chains. */
  readonly writerId: string
  /** Most pages that the file may have, for installations with a quota. */
  readonly pagesMax?: number | undefined
}

export type ThreadRequest =
  | { readonly op: 'query'; readonly sql: string; readonly parameters: readonly SqlValue[] }
  | { readonly op: 'append'; readonly batches: readonly EncodedBatch[] }
  | { readonly op: 'close' }

export interface ThreadFault {
  readonly code: StoreErrorCode
  readonly message: string
}

/** Rows as arrays, which are faster to copy between threads than objects. */
export interface QueryAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly changes: number
}

export type ThreadAnswer = { readonly id: number } & (
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: ThreadFault }
)
