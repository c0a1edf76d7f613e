/** The scanner of a profile: the built-in kinds, plus what the profile adds, minus what it allows. */
import { AllowListError, allowedSamples } from '../../detection/custom/allow-list.ts'
import type { Detector } from '../../detection/detector.ts'
import type { Scanner } from '../../detection/findings.ts'
import { createScanner, samplesOf } from '../../detection/scanner.ts'
import { checkPatternSize } from '../pattern.ts'
import type { RedactionProfile } from './profile.ts'

interface ProfileScannerOptions {
  /** Built-in kinds, compiled once for each list that is passed in. */
  readonly detectors: readonly Detector[]
  /** HMAC-SHA-256 under the workspace's key, in hex. Without it, `allow.hmacs` lets nothing pass. */
  hash?(value: string): string
}

const plainScanners = new WeakMap<readonly Detector[], Scanner>()

/** The scanner of a profile that adds nothing, created once for each list. */
export function plainScanner(detectors: readonly Detector[]): Scanner {
  const known = plainScanners.get(detectors)
  if (known !== undefined) return known
  const scanner = createScanner({ detectors })
  plainScanners.set(detectors, scanner)
  return scanner
}

/**
 * Creates the scanner of a profile. Profiles that add nothing share one.
 * @throws PatternError, CustomPatternError, AllowListError, RangeError for what a lint refuses
 */
export function createProfileScanner(profile: RedactionProfile, options: ProfileScannerOptions): Scanner {
  const { custom, deny, allow } = profile
  const { detectors, hash } = options
  const hmacs = hash === undefined ? [] : allow.hmacs
  const allowed = allow.values.length + hmacs.length + allow.emailDomains.length + allow.patterns.length
  if (custom.length + deny.length + allowed === 0) return plainScanner(detectors)
  for (const pattern of [...custom.map((one) => one.pattern), ...allow.patterns]) checkPatternSize(pattern)
  const kinds = plainScanner(detectors).kinds
  const create = (patterns: readonly string[]): Scanner =>
    createScanner({
      detectors,
      // A later version may have a built-in kind of this name, which then takes precedence. Tests only run before
      // publishing.
      custom: custom
        .filter(({ id }) => !kinds.has(id))
        .map(({ id, pattern, group, tier, label = id.toUpperCase(), title = `custom pattern ${id}` }) => {
          return { id, pattern, group, tier, label, title }
        }),
      deny,
      ...(allowed > 0 && { allow: { ...allow, hmacs, patterns, ...(hash && { hash }) } })
    })
  try {
    return create(allow.patterns)
  } catch (error) {
    if (!(error instanceof AllowListError)) throw error
    // A later version may have high-risk kinds whose samples an old allow pattern matches: the pattern is then ignored.
    const samples = samplesOf(detectors)
    return create(allow.patterns.filter((pattern) => allowedSamples(pattern, samples).length === 0))
  }
}
