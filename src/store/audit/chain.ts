/**
 * The hash chain of audit rows: one chain per writer and workspace. A row's hash covers every column of the row and the
 * previous row's hash, so no row can be changed, moved, inserted or removed without changing all later hashes, which
 * sealed roots (`AuditRoot`) fix. `verify.ts` follows the chains.
 */
import { hash } from 'node:crypto'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { StoreError, type AuditEntry } from '../store.ts'

/** Names the format that is hashed. A changed format gets a new name. */
const genesisForm = 'sluice-audit-genesis/1'
const rowForm = 'sluice-audit-row/1'

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex')

/** The `previousHash` of a writer's first row: 64 hexadecimal characters. */
export function genesisHash(workspaceId: string, writerId: string): string {
  return sha256Hex(`${genesisForm}\n${workspaceId}\n${writerId}`)
}

/** Everything that a row's hash covers. */
export interface ChainLink {
  /** `hash` of the previous row, or {@link genesisHash}. */
  readonly previousHash: string
  /** 1 for the first row of the writer in this workspace. */
  readonly writerSequence: number
  /** `sequence` of the row in its workspace. */
  readonly sequence: number
  /** Day of the row's partition, counted from 1970. */
  readonly day: number
  /** {@link auditPayload} of the row. */
  readonly payload: string
}

/**
 * The hash of a row: 64 hexadecimal characters. The payload comes last, and no field before it can hold a line break,
 * so no two rows give the same text.
 */
export function chainHash(link: ChainLink): string {
  const { previousHash, writerSequence, sequence, day, payload } = link
  return sha256Hex(`${rowForm}\n${previousHash}\n${writerSequence}\n${sequence}\n${day}\n${payload}`)
}

/**
 * The text of a row that is stored and hashed: canonical JSON of everything in the row.
 * @throws StoreError `invalid` for what JSON cannot hold
 */
export function auditPayload(entry: Omit<AuditEntry, 'eventIndex'>): string {
  const { workspaceId, at, requestId, tokenId, actor, action, detail } = entry
  try {
    // In canonical order, so that it can be serialised in one go.
    return canonicalJson({ action, actor, at, detail, requestId, tokenId, workspaceId })
  } catch {
    // The cause could quote the value, so it is not passed on.
    throw new StoreError('invalid', 'The audit row holds a value that JSON cannot hold.')
  }
}
