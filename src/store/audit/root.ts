/**
 * Sealed roots: signed statements of where the chains of a workspace stood. Each names the one before, so that whoever
 * holds any later root, or a copy of one outside, can tell whether anything before it was changed.
 */
import { createHash, sign, verify, type KeyObject } from 'node:crypto'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import type { AuditRoot } from '../store.ts'

const version = 1

/** Where the chain of one writer stood. */
interface RootWriter {
  readonly writerId: string
  readonly rows: number
  readonly hash: string
  readonly closedAt: number | null
}

/** What a root says. */
export interface RootContent {
  readonly workspaceId: string
  /** 1 for the first root of a workspace, then one more each time. */
  readonly sequence: number
  /** A time before the heads were read: what a root does not know of came later. */
  readonly sealedAt: number
  /** `hash` of the root before; null in the first. */
  readonly previous: string | null
  /** At least the writers that moved since the root before. The roots together name every writer. */
  readonly writers: readonly RootWriter[]
  /** Days of audit rows that retention dropped since the root before, with how many rows each had. */
  readonly expired: readonly { readonly day: number; readonly rows: number }[]
  /** Sequence of the last `records_expired` row that `expired` of this root or of one before holds; 0 for none. */
  readonly expiredThrough: number
}

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** Writes and signs a root. */
export function sealRoot(content: RootContent, privateKey: KeyObject): AuditRoot {
  const { workspaceId, sequence, sealedAt } = content
  const payload = canonicalJson({ version, ...content })
  const signature = sign(null, Buffer.from(payload), privateKey).toString('base64')
  return { workspaceId, sequence, sealedAt, payload, hash: sha256Hex(payload), signature }
}

/**
 * `root_forged`: the signature is not by the workspace's key. `root_changed`: what stands beside the payload disagrees
 * with it. `root_unreadable`: of a later version of the program.
 */
export type RootFault = 'root_forged' | 'root_changed' | 'root_unreadable'

/** Reads a root. Nothing in it is believed before its signature is. */
export function openRoot(
  root: AuditRoot,
  publicKey: KeyObject
): { readonly ok: true; readonly content: RootContent } | { readonly ok: false; readonly fault: RootFault } {
  const { payload, workspaceId, sequence, sealedAt } = root
  const signature = Buffer.from(root.signature, 'base64')
  // One signature has one spelling, so that no root can be changed in any way and pass.
  const isSpelt = signature.toString('base64') === root.signature
  if (!isSpelt || !verify(null, Buffer.from(payload), publicKey, signature)) {
    return { ok: false, fault: 'root_forged' }
  }
  const content = JSON.parse(payload) as RootContent & { readonly version: number }
  if (content.version !== version) return { ok: false, fault: 'root_unreadable' }
  const agrees = content.workspaceId === workspaceId && content.sequence === sequence && content.sealedAt === sealedAt
  return agrees && root.hash === sha256Hex(payload) ? { ok: true, content } : { ok: false, fault: 'root_changed' }
}
