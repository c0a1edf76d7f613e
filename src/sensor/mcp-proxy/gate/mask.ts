/**
 * Masks texts of a message according to the redaction profile: new string content is spliced in, every other byte
 * stays.
 */
import type { Tier } from '../../../detection/findings.ts'
import type { BodyText } from '../../../dialects/dialect.ts'
import type { JsonIndex } from '../../../dialects/json/json-index.ts'
import { spliceBody } from '../../../dialects/json/splice.ts'
import { createRedactor, redactTexts, screenText, type Redactor } from '../../../ingress/body/redact-texts.ts'
import { createPlaceholders } from '../../../policy/redaction/placeholder.ts'
import { createTally } from '../../../ingress/body/tally.ts'
import type { GatePolicy } from './gate-policy.ts'

/** The outcome of a scan. */
export interface MaskTally {
  readonly entitiesMasked: number
  readonly entityCounts: Readonly<Record<string, number>>
  readonly riskTier: Tier
}

export const nothingMasked: MaskTally = Object.freeze({ entitiesMasked: 0, entityCounts: {}, riskTier: 'none' })

export interface MaskedMessage extends MaskTally {
  /** The message with placeholders; the index's own bytes if nothing was masked. */
  readonly bytes: Uint8Array
  readonly isBlocked: boolean
  /** Kinds and places of blocking findings, for the sentence of a refusal. */
  readonly blockedKinds: readonly string[]
}

/** The redactor of one call: what it found in the arguments it recognises in the answer. */
export function createCallRedactor({ scanner, profile, digest }: GatePolicy): Redactor {
  return createRedactor(scanner, profile, createPlaceholders(profile.placeholder, digest))
}

/** The same for the server's answer, with the memory of the call. */
export function answerRedactor(policy: GatePolicy, ofCall?: Redactor): Redactor {
  const redactor = ofCall ?? createCallRedactor(policy)
  return { ...redactor, profile: policy.answerProfile, tally: createTally() }
}

export function* maskTexts(
  index: JsonIndex,
  texts: readonly BodyText[],
  redactor: Redactor
): Generator<void, MaskedMessage, void> {
  const edits = yield* redactTexts(index, texts, redactor)
  const { tally } = redactor
  const isBlocked = tally.action === 'block'
  return {
    bytes: edits.length > 0 && !isBlocked ? yield* spliceBody(index, edits) : index.bytes,
    isBlocked,
    blockedKinds: [...new Set(tally.reasons.map(({ kind }) => redactor.scanner.kinds.get(kind)?.title ?? kind))],
    entitiesMasked: isBlocked ? 0 : tally.masked,
    entityCounts: { ...tally.entityCounts },
    riskTier: tally.riskTier
  }
}

/** Whether a header that repeats an argument may pass unchanged. */
export function mayPass(text: string, redactor: Redactor): boolean {
  return screenText(text, 'header', redactor)
}
