/** An audit row with all its columns, linked to the previous row. */
import { chainHash } from '../audit/chain.ts'
import type { EncodedAudit } from './encode.ts'
import type { AuditColumns } from './schema.ts'

/** The end of a chain: the number of rows written so far, and the hash of the last one. */
export interface ChainEnd {
  readonly rows: number
  readonly hash: string
}

/** Links the row at `index` to its chain: the columns that are only known at the commit. */
export function chainedRow(
  audit: EncodedAudit,
  index: number,
  at: { readonly end: ChainEnd; readonly writerId: string; readonly sequence: number }
): AuditColumns {
  const cell = <T>(column: readonly T[]): T => column[index] as T
  const { end, writerId, sequence } = at
  const day = cell(audit.day)
  const payload = cell(audit.payload)
  const writerSequence = end.rows + 1
  return {
    workspace_id: cell(audit.workspace_id),
    sequence,
    day,
    writer_id: writerId,
    writer_sequence: writerSequence,
    at: cell(audit.at),
    request_id: cell(audit.request_id),
    token_id: cell(audit.token_id),
    actor: cell(audit.actor),
    action: cell(audit.action),
    payload,
    previous_hash: end.hash,
    hash: chainHash({ previousHash: end.hash, writerSequence, sequence, day, payload })
  }
}
