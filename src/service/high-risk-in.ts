/** Scans text that people type into fields that the history and the audit trail keep permanently. */
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import type { Scanner } from '../detection/findings.ts'
import { plainScanner } from '../policy/redaction/profile-scanner.ts'

/**
 * @param scanner default: one of the built-in kinds, which knows no credential of a service by its value
 * @returns the title of the first high-risk kind found in a text, to be named in the refusal
 */
export function highRiskIn(text: string, scanner: Scanner = plainScanner(trafficDetectors)): string | undefined {
  const found = scanner.scan(text).find(({ tier }) => tier === 'high')
  return found && (scanner.kinds.get(found.kind)?.title ?? found.kind)
}
