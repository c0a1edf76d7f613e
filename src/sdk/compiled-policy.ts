/** A streamed policy, compiled to the form that a sensor enforces. */
import type { Detector } from '../detection/detector.ts'
import { tiers, type Scanner, type Tier } from '../detection/findings.ts'
import type { PolicyFrame } from '../policy-stream/subscriber.ts'
import { createPlaceholders, type ValueDigest } from '../policy/redaction/placeholder.ts'
import { createProfileScanner } from '../policy/redaction/profile-scanner.ts'
import { compileProfile, type CompiledProfile } from '../policy/redaction/decide.ts'
import { readRedactionProfile, readToolPolicy } from '../policy/revision.ts'
import type { TextPlace } from '../policy/redaction/text-place.ts'
import { compileToolPolicy, type CompiledToolPolicy } from '../policy/tools/decide.ts'
import type { ToolPolicy } from '../policy/tools/policy.ts'
import { addCount } from '../policy/redaction/count-kinds.ts'

export interface CompiledPolicy {
  readonly revision: string
  readonly tools: CompiledToolPolicy
  readonly stale: ToolPolicy['stale']
  readonly profile: CompiledProfile
  readonly scanner: Scanner
}

/** The outcome of masking. */
export interface MaskCounts {
  /** The action for the request that the text is part of. */
  readonly action: 'mask' | 'block' | 'allow'
  readonly entitiesMasked: number
  /** Masked and blocking findings, by kind. */
  readonly entityCounts: Readonly<Record<string, number>>
  /** The highest tier among all findings but the weak ones. */
  readonly riskTier: Tier
}

/** The result of masking a text. */
export interface Masked extends MaskCounts {
  /** The masked text; undefined if it must not be passed on. */
  readonly text: string | undefined
}

/** The result of masking a JSON value. */
export interface MaskedJson extends MaskCounts {
  /** The masked value; undefined if it must not be passed on. */
  readonly value: unknown
}

/** @throws Error if this version does not know the documents' format */
export function compilePolicy(
  { revision, mcpToolPolicy, redactionProfile }: PolicyFrame,
  detectors: readonly Detector[]
): CompiledPolicy {
  const toolPolicy = readToolPolicy(mcpToolPolicy)
  const profile = readRedactionProfile(redactionProfile)
  return {
    revision,
    tools: compileToolPolicy(toolPolicy),
    stale: toolPolicy.stale,
    // The server's block switch has already been applied to the documents that it streams.
    profile: compileProfile(profile, { blockHighRisk: true }),
    scanner: createProfileScanner(profile, { detectors })
  }
}

/** Masks one text according to the policy for its place. Keeps nothing of the text. */
export function maskText(text: string, place: TextPlace, policy: MaskingPolicy, digest: ValueDigest): Masked {
  const masking = beginMasking(place, policy, digest)
  const masked = masking.mask(text)
  const counts = masking.counts()
  return { ...counts, text: counts.action === 'block' ? undefined : masked }
}

/**
 * Masks each string of a JSON value, member names included, as a text of its own. In serialised form, an escape could
 * hide where a value begins, and a finding could extend across a quote. Nothing of the value is kept, and it is not
 * changed.
 * @param value as `JSON.parse` returns it
 * @throws RangeError if it is nested deeper than {@link depthMax}
 */
export function maskJsonValue(
  value: unknown,
  place: TextPlace,
  policy: MaskingPolicy,
  digest: ValueDigest
): MaskedJson {
  const masking = beginMasking(place, policy, digest)
  const masked = maskWithin(value, masking.mask, 0)
  const counts = masking.counts()
  return { ...counts, value: counts.action === 'block' ? undefined : masked }
}

const depthMax = 256

type MaskOne = (text: string, key?: string) => string

function maskWithin(value: unknown, mask: MaskOne, depth: number, key?: string): unknown {
  if (typeof value === 'string') return mask(value, key)
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax) throw new RangeError('The value is nested too deeply.')
  if (Array.isArray(value)) return value.map((item) => maskWithin(item, mask, depth + 1, key))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [mask(name), maskWithin(member, mask, depth + 1, name)])
  )
}

type MaskingPolicy = Pick<CompiledPolicy, 'scanner' | 'profile'>

/** Masks the texts of one request, which share placeholders and revealed values, and counts the findings. */
function beginMasking(
  place: TextPlace,
  { scanner, profile }: MaskingPolicy,
  digest: ValueDigest
): { readonly mask: MaskOne; counts(): MaskCounts } {
  const placeholders = createPlaceholders(profile.placeholder, digest)
  const memory = scanner.createMemory()
  const entityCounts: Record<string, number> = {}
  let [entitiesMasked, tier, isBlocked] = [0, 0, false]
  return {
    mask(text, key) {
      let [out, from] = ['', 0]
      for (const finding of scanner.scan(text, memory, key === undefined ? undefined : { key })) {
        const { kind, start, end, confidence } = finding
        if (confidence !== 'weak') tier = Math.max(tier, tiers.indexOf(finding.tier))
        const action = profile.decide(finding, place)
        if (action === 'allow') continue
        addCount(entityCounts, kind)
        if (action === 'block') {
          isBlocked = true
          continue
        }
        entitiesMasked++
        const label = scanner.kinds.get(kind)?.label ?? kind.toUpperCase()
        out += text.slice(from, start) + placeholders.of(label, text.slice(start, end))
        from = end
      }
      return out + text.slice(from)
    },
    counts: () => ({
      action: isBlocked ? 'block' : entitiesMasked > 0 ? 'mask' : 'allow',
      entitiesMasked: isBlocked ? 0 : entitiesMasked,
      entityCounts,
      riskTier: tiers[tier] as Tier
    })
  }
}
