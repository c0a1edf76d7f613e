/** What a draft finds in a text, and the masked text. Nothing of the text is kept. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Confidence, Finding, Group, Scanner, Tier } from '../../detection/findings.ts'
import { findKnownSamples, type KnownSample } from '../../detection/values/known-samples.ts'
import { createPlaceholders } from '../../policy/redaction/placeholder.ts'
import type { FindingAction } from '../../policy/redaction/profile.ts'
import type { CompiledProfile } from '../../policy/redaction/decide.ts'
import type { TextPlace } from '../../policy/redaction/text-place.ts'

interface ShownFinding {
  readonly kind: string
  readonly group: Group
  readonly tier: Tier
  readonly confidence: Confidence
  readonly action: FindingAction
  /** UTF-16 code units of the text, half-open. */
  readonly start: number
  readonly end: number
}

export interface Shown {
  /** What would be done about a request with this text. */
  readonly action: FindingAction
  readonly findings: readonly ShownFinding[]
  /** Number of findings beyond those listed. */
  readonly leftOut: number
  /**
   * Well-known values, which are never findings: published samples, and addresses at domains reserved for
   * documentation.
   */
  readonly samples: readonly KnownSample[]
  /** The text with its masks. Blocking findings are masked here as well, so that they can be seen. */
  readonly masked: string
}

const unitsPerStep = 131_072
/** Masked without a pause, in about a millisecond. */
const findingsPerStep = 250
/** A list of 100,000 findings helps nobody, and would block the service while it is written. */
const findingsMax = 1000
const samplesMax = 20

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Scans a text, with a pause for the event loop about every millisecond of work. */
export async function showFindings(
  text: string,
  place: TextPlace,
  { scanner, profile }: { readonly scanner: Scanner; readonly profile: CompiledProfile }
): Promise<Shown> {
  const run = scanner.begin(text, scanner.createMemory())
  while (!run.step(unitsPerStep)) await pause()
  const findings = run.findings().map((finding): ShownFinding => {
    const { kind, group, tier, confidence, start, end } = finding
    return { kind, group, tier, confidence, start, end, action: profile.decide(finding, place) }
  })
  const actions = new Set(findings.map(({ action }) => action))
  const action = actions.has('block') ? 'block' : actions.has('mask') ? 'mask' : 'allow'
  const masked = await maskedText(text, findings, scanner, profile)
  const leftOut = Math.max(0, findings.length - findingsMax)
  const samples = findKnownSamples(text, samplesMax).filter((sample) => !findings.some(overlaps(sample)))
  return { action, findings: findings.slice(0, findingsMax), leftOut, samples, masked }
}

const overlaps = (one: KnownSample) => (other: ShownFinding) => other.start < one.end && other.end > one.start

/** A separate key for every call: with the workspace's key, anyone could ask for the placeholder of a guess. */
async function maskedText(
  text: string,
  findings: readonly (Finding & { readonly action: FindingAction })[],
  scanner: Scanner,
  profile: CompiledProfile
): Promise<string> {
  const key = randomBytes(32)
  const digest = (value: string): Uint8Array => createHmac('sha256', key).update(value).digest()
  const placeholders = createPlaceholders(profile.placeholder, digest)
  let out = ''
  let from = 0
  for (const [index, { kind, start, end, action }] of findings.entries()) {
    if (index % findingsPerStep === findingsPerStep - 1) await pause()
    if (action === 'allow') continue
    const label = scanner.kinds.get(kind)?.label ?? kind.toUpperCase()
    out += text.slice(from, start) + placeholders.of(label, text.slice(start, end))
    from = end
  }
  return out + text.slice(from)
}
