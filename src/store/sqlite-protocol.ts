/** What passes between the main thread and the two threads that hold SQLite connections. */
import type { StoreErrorCode } from './store.ts'

export type SqlValue = string | number | bigint | null

export interface ThreadSetup {
  readonly path: string
  readonly role: 'writer' | 'reader'
  /** How long a statement waits for the lock of another process. */
  readonly busyTimeoutMs: number
}

/** Rows of one `append` call, in the column order of the worker's statements. */
export interface EncodedBatch {
  readonly events: readonly SqlValue[][]
  readonly audit: readonly { readonly values: SqlValue[]; readonly eventIndex: number }[]
}

export type ThreadRequest =
  | { readonly op: 'query'; readonly sql: string; readonly parameters: readonly SqlValue[] }
  | { readonly op: 'append'; readonly batches: readonly EncodedBatch[] }
  | { readonly op: 'close' }

export interface ThreadFault {
  readonly code: StoreErrorCode
  readonly message: string
}

export interface QueryAnswer {
  readonly rows: Record<string, unknown>[]
  readonly changes: number
}

/** For each event whether it was stored; or why the batch was not written. */
export type BatchAnswer = { readonly stored: boolean[] } | { readonly fault: ThreadFault }

export type ThreadAnswer = { readonly id: number } & (
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: ThreadFault }
)
