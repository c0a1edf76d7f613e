/** One frame of the policy stream: its contents, and its bytes in the protocol. */
import { sequenceOf, type EffectivePolicy } from '../policy/revision.ts'
import { jsonLine } from '../protocol/json-line.ts'

/** The data of one `policy` event: exactly the revision and the two documents. */
export type PolicyFrame = EffectivePolicy

export const streamContentType = 'text/event-stream'
export const policyEventName = 'policy'

/** The largest frame that a subscriber accepts, in characters: two documents of a megabyte each, and room for escapes. */
export const frameCharsMax = 8 * 1024 * 1024

/**
 * The sequence of a frame's revision.
 * @throws RangeError if the revision is malformed
 */
export function frameSequence({ revision }: PolicyFrame): number {
  const sequence = sequenceOf(revision)
  if (sequence === undefined) throw new RangeError('revision must be of the form <sequence>-<hash>')
  return sequence
}

/**
 * The frame as a server-sent event with one `data` line: JSON on one line holds no line break.
 * @throws RangeError if the revision is malformed, since its text would become a line of the stream
 */
export function encodeFrame(frame: PolicyFrame): Buffer {
  const { revision, mcpToolPolicy, redactionProfile } = frame
  frameSequence(frame)
  const data = jsonLine({ revision, mcpToolPolicy, redactionProfile })
  return Buffer.from(`event: ${policyEventName}\nid: ${revision}\ndata: ${data}\n\n`)
}

/** Tells a client how long to wait before it reconnects. */
export function encodeRetry(retryMs: number): Buffer {
  return Buffer.from(`retry: ${Math.round(retryMs)}\n\n`)
}

/** A comment: clients skip it, and it shows that the whole connection is alive. */
export function encodeComment(text: string): Buffer {
  return Buffer.from(`: ${text}\n\n`)
}
