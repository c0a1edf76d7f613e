/** A policy of the stream in the form in which a sensor enforces it. */
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import { tiers, type Scanner, type Tier } from '../detection/findings.ts'
import type { PolicyFrame } from '../policy-stream/subscriber.ts'
import { createPlaceholders, type ValueDigest } from '../policy/placeholder.ts'
import { createProfileScanner } from '../policy/profile-scanner.ts'
import { compileProfile, type CompiledProfile } from '../policy/redaction-decide.ts'
import { readRedactionProfile, readToolPolicy } from '../policy/revision.ts'
import type { TextPlace } from '../policy/text-place.ts'
import { compileToolPolicy, type CompiledToolPolicy } from '../policy/tool-decide.ts'
import type { ToolPolicy } from '../policy/tool-policy.ts'

export interface CompiledPolicy {
  readonly revision: string
  readonly tools: CompiledToolPolicy
  readonly stale: ToolPolicy['stale']
  readonly profile: CompiledProfile
  readonly scanner: Scanner
}

/** What a text became. */
export interface Masked {
  /** What is done about the request that the text is part of. */
  readonly action: 'mask' | 'block' | 'allow'
  /** The text to go on with; undefined where it must not go on. */
  readonly text: string | undefined
  readonly entitiesMasked: number
  /** What was masked or blocks, by kind. */
  readonly entityCounts: Readonly<Record<string, number>>
  /** The highest tier of what was found, weak findings apart. */
  readonly riskTier: Tier
}

/** @throws where this version of the program does not know the documents */
export function compilePolicy({ revision, mcpToolPolicy, redactionProfile }: PolicyFrame): CompiledPolicy {
  const toolPolicy = readToolPolicy(mcpToolPolicy)
  const profile = readRedactionProfile(redactionProfile)
  return {
    revision,
    tools: compileToolPolicy(toolPolicy),
    stale: toolPolicy.stale,
    // The server's block switch is applied to the documents that it streams.
    profile: compileProfile(profile, { blockHighRisk: true }),
    scanner: createProfileScanner(profile, { detectors: trafficDetectors })
  }
}

/** Masks one text as the policy says of its place. Nothing of the text is kept. */
export function maskText(
  text: string,
  place: TextPlace,
  { scanner, profile }: Pick<CompiledPolicy, 'scanner' | 'profile'>,
  digest: ValueDigest
): Masked {
  const placeholders = createPlaceholders(profile.placeholder, digest)
  const entityCounts: Record<string, number> = {}
  let [out, from, entitiesMasked, tier, isBlocked] = ['', 0, 0, 0, false]
  for (const finding of scanner.scan(text)) {
    const { kind, start, end, confidence } = finding
    if (confidence !== 'weak') tier = Math.max(tier, tiers.indexOf(finding.tier))
    const action = profile.decide(finding, place)
    if (action === 'allow') continue
    entityCounts[kind] = (entityCounts[kind] ?? 0) + 1
    if (action === 'block') {
      isBlocked = true
      continue
    }
    entitiesMasked++
    const label = scanner.kinds.get(kind)?.label ?? kind.toUpperCase()
    out += text.slice(from, start) + placeholders.of(label, text.slice(start, end))
    from = end
  }
  const action = isBlocked ? 'block' : entitiesMasked > 0 ? 'mask' : 'allow'
  return {
    action,
    text: isBlocked ? undefined : out + text.slice(from),
    entitiesMasked: isBlocked ? 0 : entitiesMasked,
    entityCounts,
    riskTier: tiers[tier] as Tier
  }
}
