/** One frame of the policy stream: what it holds, and its bytes on the wire. */
import { sequenceOf, type EffectivePolicy } from '../policy/revision.ts'

/** What one `policy` event carries: exactly the revision and the two documents. */
export type PolicyFrame = EffectivePolicy

export const streamContentType = 'text/event-stream'
export const policyEventName = 'policy'

/**
 * The sequence of a frame's revision.
 * @throws RangeError when the revision is none
 */
export function frameSequence({ revision }: PolicyFrame): number {
  const sequence = sequenceOf(revision)
  if (sequence === undefined) throw new RangeError('revision must be of the form <sequence>-<hash>')
  return sequence
}

/**
 * The frame as a server-sent event with one `data` line: JSON written without indentation holds no line break.
 * @throws RangeError when the revision is none, since its text would become a line of the stream
 */
export function encodeFrame(frame: PolicyFrame): Buffer {
  const { revision, mcpToolPolicy, redactionProfile } = frame
  frameSequence(frame)
  const data = JSON.stringify({ revision, mcpToolPolicy, redactionProfile })
  return Buffer.from(`event: ${policyEventName}\nid: ${revision}\ndata: ${data}\n\n`)
}

/** Tells a client how long to wait before it connects again. */
export function encodeRetry(retryMs: number): Buffer {
  return Buffer.from(`retry: ${Math.round(retryMs)}\n\n`)
}

/** A comment: clients skip it, and it shows that both ends and all between them live. */
export function encodeComment(text: string): Buffer {
  return Buffer.from(`: ${text}\n\n`)
}
