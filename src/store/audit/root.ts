/**
 * Sealed roots: signed statements of the state of a workspace's hash chains. Each contains the hash of the previous
 * one, so that whoever holds a later root, or an external copy of one, can tell whether anything before it was changed.
 */
import { sign, verify, type KeyObject } from 'node:crypto'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { sha256Hex } from './chain.ts'
import type { AuditRoot } from '../store.ts'

const version = 1

/** The state of one writer's chain. */
interface RootWriter {
  readonly writerId: string
  readonly rows: number
  readonly hash: string
  readonly closedAt: number | null
}

/** The contents of a root. */
export interface RootContent {
  readonly workspaceId: string
  /** 1 for the first root of a workspace, then increasing by one. */
  readonly sequence: number
  /** A time before the heads were read: anything not in the root came later. */
  readonly sealedAt: number
  /** `hash` of the previous root; null in the first. */
  readonly previous: string | null
  /** At least the writers that moved since the previous root. The roots together name every writer. */
  readonly writers: readonly RootWriter[]
  /** Days of audit rows that retention has dropped since the previous root, with the number of rows of each. */
  readonly expired: readonly { readonly day: number; readonly rows: number }[]
  /** Sequence of the last `records_expired` row covered by `expired` of this root or an earlier one; 0 for none. */
  readonly expiredThrough: number
}

/** Serialises and signs a root. */
export function sealRoot(content: RootContent, privateKey: KeyObject): AuditRoot {
  const { workspaceId, sequence, sealedAt } = content
  const payload = canonicalJson({ version, ...content })
  const signature = sign(null, Buffer.from(payload), privateKey).toString('base64')
  return { workspaceId, sequence, sealedAt, payload, hash: sha256Hex(payload), signature }
}

/**
 * `root_forged`: the signature is not by the workspace's key. `root_changed`: the fields beside the payload disagree
 * with it. `root_unreadable`: from a later version.
 */
type RootFault = 'root_forged' | 'root_changed' | 'root_unreadable'

/** Reads a root. Its contents count only once its signature is verified. */
export function openRoot(
  root: AuditRoot,
  publicKey: KeyObject
): { readonly ok: true; readonly content: RootContent } | { readonly ok: false; readonly fault: RootFault } {
  const { payload, workspaceId, sequence, sealedAt } = root
  const signature = Buffer.from(root.signature, 'base64')
  // A signature must be in its only canonical encoding, so that no change to a root goes unnoticed.
  const isSpelt = signature.toString('base64') === root.signature
  if (!isSpelt || !verify(null, Buffer.from(payload), publicKey, signature)) {
    return { ok: false, fault: 'root_forged' }
  }
  const content = JSON.parse(payload) as RootContent & { readonly version: number }
  if (content.version !== version) return { ok: false, fault: 'root_unreadable' }
  const agrees = content.workspaceId === workspaceId && content.sequence === sequence && content.sealedAt === sealedAt
  return agrees && root.hash === sha256Hex(payload) ? { ok: true, content } : { ok: false, fault: 'root_changed' }
}
