/** The workspace policy as one revision: the two documents, and the identifier of exactly these documents. */
import { canonicalJson } from '../protocol/canonical-json.ts'
import { redactionProfileSchema, standardProfile, type RedactionProfile } from './redaction/profile.ts'
import { standardToolPolicy, toolPolicySchema, type ToolPolicy } from './tools/policy.ts'

/** A document as it was published: JSON in which omitted settings have their defaults. */
export type PolicyDocument = Readonly<Record<string, unknown>>

export interface PolicyDocuments {
  readonly mcpToolPolicy: PolicyDocument
  readonly redactionProfile: PolicyDocument
}

/** The policy of a new workspace, as revision 1. */
export const standardPolicy: PolicyDocuments = {
  mcpToolPolicy: standardToolPolicy,
  redactionProfile: standardProfile
}

/** A hash, passed in so that this module stays pure: the SHA-256 of a text, in hex. */
type Sha256Hex = (text: string) => string

/** `<sequence>-<16 hex characters of SHA-256 of the canonical JSON>` of the object with the two documents. */
export function revisionId(sequence: number, documents: PolicyDocuments, sha256Hex: Sha256Hex): string {
  const { mcpToolPolicy, redactionProfile } = documents
  return `${sequence}-${sha256Hex(canonicalJson({ mcpToolPolicy, redactionProfile })).slice(0, 16)}`
}

/** The sequence number of a revision id, or undefined if it is malformed. */
export function sequenceOf(revision: string): number | undefined {
  const match = /^([1-9][0-9]{0,14})-[0-9a-f]{16}$/.exec(revision)
  return match ? Number(match[1]) : undefined
}

/** Whether an id belongs to the documents: a subscriber checks this before it applies them. */
export function isRevisionOf(revision: string, documents: PolicyDocuments, sha256Hex: Sha256Hex): boolean {
  const sequence = sequenceOf(revision)
  return sequence !== undefined && revision === revisionId(sequence, documents, sha256Hex)
}

/** What a server enforces and streams for a published policy. */
export interface EffectivePolicy extends PolicyDocuments {
  /** The id of these documents. */
  readonly revision: string
}

/** The server's own settings that change the documents. */
interface ServerSwitches {
  /** If false, no profile can block. */
  readonly blockHighRisk: boolean
}

/**
 * The policy that a server enforces, reports and streams: the server's block switch is applied to it, so that a sensor
 * needs no setting of its own. If that changes nothing, it is the published one, including its id. Otherwise the id
 * keeps the sequence number and has the hash of what is streamed, so that a subscriber can verify it without further
 * information.
 */
export function effectivePolicy(
  { sequence, revision, mcpToolPolicy, redactionProfile }: EffectivePolicy & { readonly sequence: number },
  { blockHighRisk }: ServerSwitches,
  sha256Hex: Sha256Hex
): EffectivePolicy {
  if (blockHighRisk || redactionProfile['blockHighRisk'] === false) return { revision, mcpToolPolicy, redactionProfile }
  const documents = { mcpToolPolicy, redactionProfile: { ...redactionProfile, blockHighRisk: false } }
  return { revision: revisionId(sequence, documents, sha256Hex), ...documents }
}

/**
 * Reads the redaction profile of a revision.
 * @throws ZodError if the document is not valid for this version
 */
export function readRedactionProfile(document: unknown): RedactionProfile {
  return redactionProfileSchema.parse(document)
}

/**
 * Reads the tool policy of a revision.
 * @throws ZodError if the document is not valid for this version
 */
export function readToolPolicy(document: unknown): ToolPolicy {
  return toolPolicySchema.parse(document)
}
