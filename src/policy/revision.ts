/** The workspace policy as one revision: the two documents and the identifier that names exactly these documents. */
import { redactionProfileSchema, standardProfile, type RedactionProfile } from './redaction-profile.ts'

/** The tool policy. Its rules are judged by the tool gateway; here it is carried as a document. */
export type ToolPolicyDocument = Readonly<Record<string, unknown>>

export interface PolicyDocuments {
  readonly mcpToolPolicy: ToolPolicyDocument
  readonly redactionProfile: RedactionProfile
}

/** What a fresh workspace starts with, as revision 1. */
export const standardPolicy: PolicyDocuments = {
  mcpToolPolicy: { version: 1, defaultEffect: 'allow', rules: [] },
  redactionProfile: standardProfile
}

/**
 * JSON with sorted keys and no white space: the same documents always give the same text.
 * @throws TypeError for what JSON cannot hold
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON form`)
  return text
}

/**
 * `<sequence>-<16 hex characters of SHA-256 of the canonical JSON>`.
 * @param sha256Hex the hash, handed in so that this module stays pure
 */
export function revisionId(sequence: number, documents: PolicyDocuments, sha256Hex: (text: string) => string): string {
  return `${sequence}-${sha256Hex(canonicalJson(documents)).slice(0, 16)}`
}

/**
 * Reads the stored redaction profile of a revision.
 * @throws ZodError when a document does not fit this version of the program
 */
export function readRedactionProfile(document: unknown): RedactionProfile {
  return redactionProfileSchema.parse(document)
}
