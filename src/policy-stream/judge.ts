/** What a subscriber does with a policy that it is sent: take it, know it already, or refuse it. */
import { createHash } from 'node:crypto'
import { isRevisionOf, sequenceOf } from '../policy/revision.ts'
import type { PolicyFrame } from './frame.ts'

/**
 * Why a policy is refused. `invalid_frame`: not JSON, or not the three fields. `older_revision`: its sequence is lower
 * than that of the policy in force. `hash_mismatch`: the documents are not those that the revision names.
 * `invalid_policy`: this program cannot compile the documents. `too_large`: more than a frame may have.
 */
export type RejectReason = 'invalid_frame' | 'older_revision' | 'hash_mismatch' | 'invalid_policy' | 'too_large'

export type Verdict<Compiled> =
  | { readonly kind: 'apply'; readonly frame: PolicyFrame; readonly compiled: Compiled }
  | { readonly kind: 'same' }
  | { readonly kind: 'reject'; readonly reason: RejectReason; readonly revision: string | undefined }

export interface Judge<Compiled> {
  /** Whether the revision names these documents. */
  readonly verify: (frame: PolicyFrame) => boolean
  /** Makes of the documents what the program enforces. Throws where it cannot. */
  readonly validate: (frame: PolicyFrame) => Compiled
}

/** The check of the revision's hash. */
export function verifyRevision(frame: PolicyFrame): boolean {
  return isRevisionOf(frame.revision, frame, (text) => createHash('sha256').update(text).digest('hex'))
}

const isDocument = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the three fields; further ones, as the polled answer may have, are left out. */
function readFrame(text: string): PolicyFrame | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isDocument(value)) return undefined
    const { revision, mcpToolPolicy, redactionProfile } = value
    if (typeof revision !== 'string' || sequenceOf(revision) === undefined) return undefined
    return isDocument(mcpToolPolicy) && isDocument(redactionProfile)
      ? { revision, mcpToolPolicy, redactionProfile }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Judges a policy as it came over the wire. Never throws.
 * The same sequence with another hash is taken: a server whose own switches changed streams other documents of the
 * same published revision.
 * @param known revision in force, where there is one
 */
export function judge<Compiled>(text: string, known: string | undefined, by: Judge<Compiled>): Verdict<Compiled> {
  const frame = readFrame(text)
  if (frame === undefined) return { kind: 'reject', reason: 'invalid_frame', revision: undefined }
  const { revision } = frame
  if (revision === known) return { kind: 'same' }
  const reject = (reason: RejectReason): Verdict<Compiled> => ({ kind: 'reject', reason, revision })
  if (known !== undefined && (sequenceOf(revision) ?? 0) < (sequenceOf(known) ?? 0)) return reject('older_revision')
  try {
    if (!by.verify(frame)) return reject('hash_mismatch')
    return { kind: 'apply', frame, compiled: by.validate(frame) }
  } catch {
    return reject('invalid_policy')
  }
}
