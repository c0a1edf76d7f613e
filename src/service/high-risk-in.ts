/** A look at what people type into fields that history and audit keep for good. */
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import { plainScanner } from '../policy/redaction/profile-scanner.ts'

/** @returns the title of the first high-risk kind that is found in a text, to be named where the text is refused */
export function highRiskIn(text: string): string | undefined {
  const scanner = plainScanner(trafficDetectors)
  const found = scanner.scan(text).find(({ tier }) => tier === 'high')
  return found && (scanner.kinds.get(found.kind)?.title ?? found.kind)
}
