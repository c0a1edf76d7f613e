/** What a draft finds in a text and makes of it. Nothing of the text is kept. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Confidence, Finding, Group, Scanner, Tier } from '../../detection/findings.ts'
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
  /** UTF-16 units of the text, half-open. */
  readonly start: number
  readonly end: number
}

export interface Shown {
  /** What would be done about a request with this text. */
  readonly action: FindingAction
  readonly findings: readonly ShownFinding[]
  /** The text with its masks. What blocks is masked here as well, so that it can be seen. */
  readonly masked: string
}

const unitsPerStep = 131_072

/** Scans a text, with a pause for the event loop about every millisecond of work. */
export async function showFindings(
  text: string,
  place: TextPlace,
  { scanner, profile }: { readonly scanner: Scanner; readonly profile: CompiledProfile }
): Promise<Shown> {
  const run = scanner.begin(text, scanner.createMemory())
  while (!run.step(unitsPerStep)) await new Promise((resolve) => setImmediate(resolve))
  const findings = run.findings().map((finding): ShownFinding => {
    const { kind, group, tier, confidence, start, end } = finding
    return { kind, group, tier, confidence, start, end, action: profile.decide(finding, place) }
  })
  const actions = findings.map(({ action }) => action)
  const action = actions.includes('block') ? 'block' : actions.includes('mask') ? 'mask' : 'allow'
  return { action, findings, masked: maskedText(text, findings, scanner, profile) }
}

/** A key of its own for every call: with the workspace's, anyone could ask which placeholder a guess would get. */
function maskedText(
  text: string,
  findings: readonly (Finding & { readonly action: FindingAction })[],
  scanner: Scanner,
  profile: CompiledProfile
): string {
  const key = randomBytes(32)
  const digest = (value: string): Uint8Array => createHmac('sha256', key).update(value).digest()
  const placeholders = createPlaceholders(profile.placeholder, digest)
  let out = ''
  let from = 0
  for (const { kind, start, end, action } of findings) {
    if (action === 'allow') continue
    const label = scanner.kinds.get(kind)?.label ?? kind.toUpperCase()
    out += text.slice(from, start) + placeholders.of(label, text.slice(start, end))
    from = end
  }
  return out + text.slice(from)
}
