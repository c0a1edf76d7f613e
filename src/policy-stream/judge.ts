/** Decides what a subscriber does with a policy that it receives: accept it, recognise it, or reject it. */
import { createHash } from 'node:crypto'
import { isRevisionOf, sequenceOf } from '../policy/revision.ts'
import type { PolicyFrame } from './frame.ts'

/**
 * Why a policy is rejected. `invalid_frame`: not JSON, or not the three fields. `older_revision`: its sequence is lower
 * than that of the policy in force. `hash_mismatch`: the documents do not match the revision's hash. `invalid_policy`:
 * this version cannot compile the documents. `too_large`: larger than a frame may be.
 */
export type RejectReason = 'invalid_frame' | 'older_revision' | 'hash_mismatch' | 'invalid_policy' | 'too_large'

export type Verdict<Compiled> =
  | { readonly kind: 'apply'; readonly frame: PolicyFrame; readonly compiled: Compiled }
  | { readonly kind: 'same' }
  | { readonly kind: 'reject'; readonly reason: RejectReason; readonly revision: string | undefined }

/** Checks the revision's hash. */
export function verifyRevision(frame: PolicyFrame): boolean {
  return isRevisionOf(frame.revision, frame, (text) => createHash('sha256').update(text).digest('hex'))
}

const isDocument = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the three fields; others, as the polled answer may have, are dropped. */
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
 * Judges a received policy. Never throws. The same sequence with another hash is accepted: a server whose own switches
 * have changed streams other documents of the same published revision.
 * @param known revision in force, if there is one
 * @param validate compiles the documents to what the program enforces; throws if it cannot
 */
export function judge<Compiled>(
  text: string,
  known: string | undefined,
  validate: (frame: PolicyFrame) => Compiled
): Verdict<Compiled> {
  const frame = readFrame(text)
  if (frame === undefined) return { kind: 'reject', reason: 'invalid_frame', revision: undefined }
  const { revision } = frame
  if (revision === known) return { kind: 'same' }
  const reject = (reason: RejectReason): Verdict<Compiled> => ({ kind: 'reject', reason, revision })
  if (known !== undefined && (sequenceOf(revision) ?? 0) < (sequenceOf(known) ?? 0)) return reject('older_revision')
  try {
    if (!verifyRevision(frame)) return reject('hash_mismatch')
    return { kind: 'apply', frame, compiled: validate(frame) }
  } catch {
    return reject('invalid_policy')
  }
}
